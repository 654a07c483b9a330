// Links to pass on and the print button. Works over plain HTTP, where there is no clipboard.
async function copy(box) {
  const input = box.querySelector("[data-share-link]"), button = box.querySelector("[data-copy]"), said = box.querySelector("[data-said]");
  try {
    await navigator.clipboard.writeText(input.value);
    said.textContent = button.dataset.done;
  } catch {
    input.focus(); input.select();
    let copied = false;
    try { copied = document.execCommand("copy"); } catch { /* then by hand */ }
    said.textContent = copied ? button.dataset.done : button.dataset.select;
  }
}

for (const box of document.querySelectorAll("[data-share]")) {
  const button = box.querySelector("[data-copy]");
  button.hidden = false;
  button.addEventListener("click", () => copy(box));
}
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

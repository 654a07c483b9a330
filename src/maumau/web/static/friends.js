// Friends at the table: a link to pass on. Works over plain HTTP, where there is neither share nor clipboard.
const said = (text) => { const p = document.getElementById("copy-said"); if (p) p.textContent = text; };

async function pass(button) {
  const input = document.getElementById("invite-link");
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    try { return await navigator.share({ url: input.value }); } catch (e) { if (e.name === "AbortError") return; }
  }
  try {
    await navigator.clipboard.writeText(input.value);
    return said(button.dataset.copied);
  } catch { /* then as browsers have always done it */ }
  input.focus(); input.select();
  let done = false;
  try { done = document.execCommand("copy"); } catch { /* then by hand */ }
  said(done ? button.dataset.copied : button.dataset.byHand);
}

document.addEventListener("click", (e) => {
  const button = e.target.closest("#copy-invite");
  if (button) pass(button);
});
document.documentElement.classList.add("scripted");

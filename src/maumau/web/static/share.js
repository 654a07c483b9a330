// Links to pass on, the print button, and own rules kept in this browser. Works over plain HTTP, where there is no clipboard.
const STORE = "maumau.rules";

const cookie = () => (document.cookie.split("; ").find((c) => c.startsWith("maumau_rules=")) || "").slice(13);

// Local storage where the browser has it, else a cookie: either may be switched off.
export function readOwn() {
  let text = "";
  try { text = localStorage.getItem(STORE) || ""; } catch { text = decodeURIComponent(cookie()); }
  try { const list = JSON.parse(text || "[]"); return Array.isArray(list) ? list.filter((r) => r && typeof r.name === "string" && typeof r.code === "string") : []; } catch { return []; }
}

export function writeOwn(list) {
  const text = JSON.stringify(list);
  try { localStorage.setItem(STORE, text); } catch { document.cookie = `maumau_rules=${encodeURIComponent(text)}; path=/; max-age=31536000; samesite=lax`; }
  return JSON.stringify(readOwn()) === text;
}

export function showOwn() {
  const place = document.getElementById("own-rules");
  if (!place) return;
  const list = readOwn(), ul = place.querySelector("ul");
  place.hidden = !list.length;
  ul.replaceChildren(...list.map(({ name, code }) => {
    const li = document.createElement("li"), open = document.createElement("a"), edit = document.createElement("a"), drop = document.createElement("button");
    open.href = `/rules/${encodeURIComponent(code)}`; open.textContent = name; open.className = "own-name";
    edit.href = `/rules/edit?code=${encodeURIComponent(code)}`; edit.textContent = "✎"; edit.className = "do"; edit.setAttribute("aria-label", place.dataset.edit.replace("{name}", name));
    drop.type = "button"; drop.textContent = "×"; drop.className = "do"; drop.setAttribute("aria-label", place.dataset.delete.replace("{name}", name));
    drop.addEventListener("click", () => { writeOwn(readOwn().filter((r) => r.name !== name)); showOwn(); });
    li.append(open, edit, drop);
    return li;
  }));
}

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
showOwn();

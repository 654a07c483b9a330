// The table by keyboard. The letters are listed in the page's help.
import { sortBy } from "./sort.js";

const $ = (id) => document.getElementById(id);
const press = (id) => { const b = $(id); if (b) b.click(); };
const names = (selector) => [...document.querySelectorAll(selector)].map((b) => b.getAttribute("aria-label") || b.textContent.trim());

const keysOf = ({ hurry, mau, resort, shift, step }, say) => ({
  ArrowLeft: (e) => (e.shiftKey ? shift(-1) : step(-1)), ArrowRight: (e) => (e.shiftKey ? shift(1) : step(1)),
  Home: () => step("first"), End: () => step("last"),
  d: () => press("draw"), z: () => press("draw"), p: () => press("pass"), m: mau,
  x: () => { const b = document.querySelector(".catch"); if (b) b.click(); },
  s: () => { sortBy("next"); resort(); const b = document.querySelector("[data-sort][aria-pressed=true]"); if (b) say(b.textContent); },
  t: () => say(names("#pile [data-top] .pile-card")[0], ...names(".wish, .reversed"), names(".penalty")[0], $("status").firstElementChild.textContent),
  c: () => say(...names("#hand button")),
  o: () => say(...[...document.querySelectorAll(".seat .who")].map((w) => [...w.children].map((x) => x.textContent).join(" ")), names(".stock-n")[0]),
  l: () => { const log = $("log"); if (log) log.focus(); },
  f: hurry,
  "?": () => $("help").togglePopover(),
});

export function bindKeys(table) {
  const { keep, kept, mau, note, step, wishOpen } = table;
  const keys = keysOf(table, (...parts) => note(parts.filter(Boolean).join(" · ")));
  const off = $("single-keys");
  const set = (on) => { off.setAttribute("aria-pressed", String(on)); keep("no-keys", on ? "1" : undefined); };
  set(Boolean(kept("no-keys")));
  off.addEventListener("click", () => set(off.getAttribute("aria-pressed") !== "true"));
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest("input[type=text], textarea, select")) return;
    if (wishOpen()) {
      const nth = document.querySelectorAll("#wish [data-suit]")["1234".indexOf(e.key)];
      if (nth && e.key.length === 1) { e.preventDefault(); nth.click(); }
      else if (e.key === "Escape") press("wish-cancel");
      else if (e.key === "m" || e.key === "M") mau();
      else if (e.key.startsWith("Arrow")) { const all = [...document.querySelectorAll("#wish button")]; const at = all.indexOf(document.activeElement); all[(at + (e.key === "ArrowRight" || e.key === "ArrowDown" ? 1 : all.length - 1)) % all.length].focus(); e.preventDefault(); }
      return;
    }
    if (document.querySelector("[popover]:popover-open") && e.key !== "?") return;
    const name = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (name.length === 1 && name !== "?" && off.getAttribute("aria-pressed") === "true") return;
    const suit = document.querySelectorAll("#table .suit-do:not([data-shout])")["1234".indexOf(name)];  // the dealer names it
    if (suit) { e.preventDefault(); return suit.click(); }
    if (/^[1-9]$/.test(name)) { e.preventDefault(); return step({ nth: name - 1 }); }
    if (keys[name]) { if ((name === "Home" || name === "End") && e.target.id === "log") return; e.preventDefault(); keys[name](e); }
  });
}

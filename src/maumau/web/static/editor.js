// The editor: the form's fields go to the server, what comes back is the sheet. Nothing here knows a rule.
import "./share.js";

const $ = (id) => document.getElementById(id);
const form = $("editor"), preview = $("preview"), bar = $("editor-bar");
let asked = 0, timer = 0, late = false; // late: something was switched that the server has not answered yet
let row = location.hash; // the row that a way out leads to stays in the address until the next switch

const query = () => {
  const q = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value === "" || name === "q" || name === "add") continue;
    if (name.startsWith("n.") && !form.querySelector(`input[name=h][value="${CSS.escape(name.slice(2))}"]`)?.checked) continue;
    q.append(name, value);
  }
  return q;
};

// What the server said about these rules, carried to every place that shows it.
function spread() {
  const now = preview.querySelector(".preview"), { code, about = "", link } = now.dataset, wrong = "trouble" in now.dataset;
  for (const field of document.querySelectorAll("[data-code]:is(input)")) field.value = code;
  for (const button of document.querySelectorAll("[data-needs-rules]")) button.disabled = wrong;
  if (link) document.querySelector("[data-share-link]").value = link;
  for (const row of form.querySelectorAll("[data-rule]")) {
    const number = form.querySelector(`[name="n.${CSS.escape(row.dataset.rule)}"]`);
    const part = number ? row.dataset.rule.replace("-N", `-${number.value}`) : row.dataset.rule;
    row.classList.toggle("clash", about.split(" ").includes(part) && row.querySelector("input[name=h]").checked);
  }
  const line = (now.querySelector(".trouble-line") || now.querySelector(".fits")).firstChild.textContent.trim();
  const whole = wrong ? now.querySelector(".trouble-line").textContent.trim() : line;
  if ($("said").textContent !== whole) $("said").textContent = whole;
  $("bar-said").textContent = wrong ? now.querySelector(".trouble-line").textContent.trim() : line;
  bar.classList.toggle("wrong", wrong);
  const way = now.querySelector("[data-way]"), short = $("bar-way");
  short.hidden = !way;
  if (way) { short.href = way.href; short.textContent = way.textContent; }
  if (!wrong) history.replaceState(null, "", `/rules/edit?code=${encodeURIComponent(code).replaceAll("%2B", "+").replaceAll("%3D", "=")}${row}`);
  row = "";
}

async function refresh() {
  const mine = ++asked, q = query();
  q.set("part", "preview");
  try {
    const answer = await fetch(`/rules/edit?${q}`);
    const html = await answer.text();
    if (mine !== asked || !answer.ok) return;
    late = false;
    Idiomorph.morph(preview, html, { morphStyle: "innerHTML" });
    spread();
  } catch { /* the next switch asks again */ }
}

const soon = (ms) => { late = true; clearTimeout(timer); timer = setTimeout(refresh, ms); };

// Whoever goes on at once goes on with what was switched last.
document.addEventListener("submit", async (e) => {
  if (!late || !e.target.querySelector("input[data-code]")) return;
  e.preventDefault();
  clearTimeout(timer);
  await refresh();
  if (late) location.href = `/rules/edit?${query()}`; // no answer: whatever is wrong the browser says
  else if (!(e.submitter && e.submitter.disabled)) e.target.requestSubmit(e.submitter);
});

form.addEventListener("change", (e) => {
  if (e.target.name === "q" || e.target.name === "add") return;
  // A number that is written switches its rule on; a rule that needs one begins with the least.
  const number = e.target.name?.startsWith("n.") && e.target.value !== "" ? e.target : null;
  if (number) form.querySelector(`input[name=h][value="${CSS.escape(number.name.slice(2))}"]`).checked = true;
  if (e.target.name === "h" && e.target.checked) { const n = form.querySelector(`[name="n.${CSS.escape(e.target.value)}"]`); if (n && n.value === "") n.value = n.min; }
  if (e.target.name?.startsWith("r.")) { const none = e.target.closest("details").querySelector("input[type=radio][value='']"); if (none) none.checked = true; }
  if (e.target.type === "radio" && e.target.value !== "") for (const box of e.target.closest("fieldset").querySelectorAll("input[type=checkbox]")) box.checked = false;
  const now = e.target.type === "radio" && e.target.closest("details")?.querySelector("[data-now]");
  if (now) { const text = e.target.parentElement.querySelector("span").cloneNode(true); text.querySelector("small")?.remove(); now.textContent = text.textContent.trim(); }
  soon(0);
});
form.addEventListener("input", (e) => { if (e.target.type === "number") soon(300); });
form.addEventListener("submit", (e) => {
  const add = $("add");
  if (e.submitter && e.submitter.closest(".add-card") && add.value) {
    e.preventDefault();
    location.href = `/rules/edit?${query()}&add=${encodeURIComponent(add.value)}#power-${add.value}`;
  } else if (e.submitter === null || e.submitter.matches("[data-plain]")) { e.preventDefault(); refresh(); }
});

// Search: rows without the words step aside.
const search = $("search"), said = $("search-said");
// Umlauts with and without their dots are one, and so is what the catalogue joins with a hyphen.
const fold = (text) => text.toLocaleLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss").replaceAll("-", " ");
const stem = (word) => word.replace(/^(ge|be)(?=.{4})/, "").replace(/(?<=.{4})(en|st|et|t|e|ing|s)$/, "");
const says = (text, words) => { const all = fold(text); return words.every((w) => all.includes(w)); };
function sift() {
  const words = fold(search.value).split(/\s+/).filter(Boolean).map(stem);
  form.classList.toggle("searching", words.length > 0);
  let n = 0;
  for (const row of form.querySelectorAll(".row")) {
    const text = `${row.textContent} ${row.dataset.words ?? ""} ${row.closest(".power")?.querySelector("summary").textContent ?? ""}`;
    const fits = says(text, words);
    row.hidden = !fits;
    if (fits && !row.parentElement.closest(".row")) n += 1;
  }
  for (const group of form.querySelectorAll(".group")) {
    const any = group.querySelector(".row:not([hidden])");
    group.hidden = words.length > 0 && !any;
  }
  // Folds that hold a hit open, and fall back to what they were when the search is over.
  for (const part of form.querySelectorAll(".group details")) {
    if (!words.length) { if ("was" in part.dataset) { part.open = part.dataset.was === "1"; delete part.dataset.was; } continue; }
    part.dataset.was ??= part.open ? "1" : "0";
    const inside = part.querySelector(".row"), row = part.closest(".row");
    part.open = inside ? Boolean(part.querySelector(".row:not([hidden])")) : !row.hidden && !says(part.querySelector("summary").textContent, words);
  }
  said.textContent = !words.length ? "" : n === 1 ? search.dataset.shownOne : n ? search.dataset.shown.replace("{n}", n) : search.dataset.none.replace("{text}", search.value);
}
search.addEventListener("input", sift);
form.addEventListener("click", (e) => {
  const other = e.target.closest?.(".other a")?.parentElement;
  if (!other) return;
  e.preventDefault();
  location.href = `/rules/edit?${query()}&add=${encodeURIComponent(other.dataset.add)}#power-${other.dataset.add}`;
});

for (const button of document.querySelectorAll("button[data-plain]")) button.hidden = true;
bar.hidden = false;
document.body.classList.add("scripted");
if (search.value) sift();
spread();
document.documentElement.dataset.live = "";

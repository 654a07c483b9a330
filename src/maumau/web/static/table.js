/* global Idiomorph */
// The table's page: takes pushed views in, sends actions up. What may be played is never decided here.
import { flights } from "./fly.js";
import { arrange, moveCard, sortBy, sortKind } from "./sort.js";
import { bindKeys } from "./keys.js";
import { keepLine } from "./line.js";
import { share } from "./chance.js";

const $ = (id) => document.getElementById(id);
const table = () => $("table");
const words = JSON.parse($("words").content.textContent);
const address = document.body.dataset.here;
// A form that was refused shows the table under its own address, where a reload would send it again.
if (location.pathname !== address) history.replaceState(null, "", address);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const state = { covered: 0, version: Number(table().dataset.version), armed: false, busy: false, asked: null, lifted: null };

const uuid = () => {
  if (crypto.randomUUID) return crypto.randomUUID();
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 15) | 64; b[8] = (b[8] & 63) | 128;
  const h = [...b].map((x) => x.toString(16).padStart(2, "0")).join("");
  return [h.slice(0, 8), h.slice(8, 12), h.slice(12, 16), h.slice(16, 20), h.slice(20)].join("-");
};

const note = (text) => { const n = $("notice"); if (n && n.textContent !== text) n.textContent = text; };

/* ---- a view comes in ---- */
function show(html) {
  const box = document.createElement("template");
  box.innerHTML = html;
  const next = box.content.querySelector("#table");
  const version = Number(next.dataset.version);
  if (version < state.version) return;
  const fresh = version > state.version;
  const hand = next.querySelector("#hand");
  if (hand) arrange(hand);
  const mau = next.querySelector("#mau input");
  if (!mau) state.armed = false; else if (state.armed) mau.setAttribute("checked", "");
  const land = fresh && !still.matches && !document.hidden ? flights(table(), next) : null;
  const spot = focusSpot();
  const atEnd = logAtEnd();
  Idiomorph.morph(table(), next, { callbacks: {
    beforeNodeMorphed: (old) => !(old.dataset && "local" in old.dataset && !fresh),
    beforeAttributeUpdated: (name) => name !== "tabindex" && name !== "open",
  } });
  state.version = version;
  if (fresh && next.querySelector("#uncover")) state.covered = performance.now();
  if (fresh) state.busy = false; // what was sent has been decided, or was decided on something older
  if (fresh && state.asked && !document.querySelector(`[data-wishes][value="${state.asked}"]`)) closeWish();
  document.title = `${table().dataset.title} – Mau-Mau`;
  if (mau && $("mau")) $("mau").querySelector("input").checked = state.armed;
  if (atEnd) scrollLog();
  rove();
  refocus(spot);
  if (land) land();
  document.dispatchEvent(new Event("table-shown"));
}
const logAtEnd = () => { const l = $("log"); return !l || l.scrollHeight - l.scrollTop - l.clientHeight < 24; };
const scrollLog = () => { const l = $("log"); if (l) l.scrollTop = l.scrollHeight; };

/* ---- one tab stop for the hand; after a play the focus stays with a neighbour ---- */
const cards = () => [...document.querySelectorAll("#hand button")];
function rove(chosen) {
  const all = cards();
  const one = chosen || all.find((b) => b === document.activeElement) || all.find((b) => b.tabIndex === 0) || all[0];
  for (const b of all) b.tabIndex = b === one ? 0 : -1;
}
function focusSpot() {
  const at = cards().indexOf(document.activeElement);
  const id = document.activeElement && table().contains(document.activeElement) ? document.activeElement.id : "";
  return at >= 0 ? { at, id } : id ? { id } : null;
}
function refocus(spot) {
  if (!spot || (document.activeElement && document.activeElement !== document.body)) return;
  const same = spot.id && $(spot.id);
  const all = cards();
  const drawn = spot.at === undefined && document.querySelector("#hand .drawn, #pass");
  const to = same || drawn || all[Math.min(spot.at ?? 0, all.length - 1)] || $("next") || $("rematch") || $("draw") || $("log");
  if (to) { if (all.includes(to)) rove(to); to.focus({ preventScroll: true }); }
}
function step(by) {
  const all = cards(); if (!all.length) return;
  const at = all.indexOf(document.activeElement);
  const to = by === "first" ? 0 : by === "last" ? all.length - 1 : typeof by === "object" ? by.nth : at < 0 ? 0 : (at + by + all.length) % all.length;
  if (all[to]) { rove(all[to]); all[to].focus(); }
}

/* ---- an action goes up; the same id again until there is an answer ---- */
const rest = (ms) => new Promise((go) => setTimeout(go, ms));
async function post(where, fields) {
  const body = new URLSearchParams(fields);
  for (let wait = 300; ; wait = Math.min(wait * 2, 4000)) {
    try {
      const answer = await fetch(where, { method: "POST", body, headers: { Accept: "application/json" }, credentials: "same-origin" });
      if (answer.status < 502 || answer.status > 504) return await answer.json();
    } catch { offline(true); }
    await rest(wait);
  }
}
async function send(action, { shout, button } = {}) {
  if (state.busy && !shout) return;
  state.busy = true;
  if (button) button.classList.add("sent");
  const slow = setTimeout(() => note(words.sending), 600);
  try {
    take(await post(`${address}/act`, { id: uuid(), version: state.version, action }));
  } finally {
    clearTimeout(slow); state.busy = false;
    document.querySelectorAll(".sent").forEach((b) => b.classList.remove("sent"));
  }
}
// what is on its way to one address keeps nobody from anything else: a card may be played while a pace is being set
const underWay = new Set();
async function press(where, fields) {
  if (underWay.has(where)) return;
  underWay.add(where);
  try { take(await post(where, { ...fields, contribution: share(), id: uuid(), version: state.version })); } finally { underWay.delete(where); }
}
function take(answer) {
  offline(false);
  if (answer.html) show(answer.html);
  note(answer.error ? answer.error.text : "");
}

/* ---- playing a card ---- */
const withCall = (button, action) => (state.armed && "call" in button.dataset ? `${action}!` : action);
function play(button) {
  if (button.getAttribute("aria-disabled") === "true") return note(button.dataset.why || "");
  if (button.dataset.wishes) return askWish(button);
  send(withCall(button, button.value), { button });
}

/* ---- the wish picker: not modal, so that nothing else is covered; Esc, outside and back close it ---- */
function askWish(button) {
  const box = $("wish");
  state.asked = button.value;
  document.querySelectorAll(".lifted").forEach((b) => b.classList.remove("lifted"));
  button.classList.add("lifted");
  if (!box.open) { history.pushState({ wish: 1 }, ""); box.show(); }
  box.querySelector("[data-suit]").focus();
}
function closeWish(fromHistory) {
  const box = $("wish");
  if (!box.open) return;
  const button = document.querySelector(`[data-wishes][value="${state.asked}"]`);
  document.querySelectorAll(".lifted").forEach((b) => b.classList.remove("lifted"));
  box.close(); state.asked = null;
  if (!fromHistory && history.state && history.state.wish) history.back();
  if (button) { rove(button); button.focus({ preventScroll: true }); }
}
const wishOpen = () => $("wish").open;
function chooseWish(suit) {
  const button = document.querySelector(`[data-wishes][value="${state.asked}"]`);
  const action = button && button.dataset.wishes.split(" ").find((a) => a.endsWith(`=${suit}`));
  closeWish();
  if (action) send(withCall(button, action), { button });
}
addEventListener("popstate", () => closeWish(true));
if ($("wish").open) $("wish").close();
$("wish").addEventListener("keydown", (e) => { if (e.key === "Escape") { e.preventDefault(); closeWish(); } });

/* ---- clicks ---- */
const mau = () => { const b = $("mau"); if (b) (b.querySelector("input") || b).click(); };
document.addEventListener("change", (e) => { if (e.target.name === "mau") state.armed = e.target.checked; });
document.addEventListener("click", (e) => {
  const at = e.target;
  if (wishOpen() && !at.closest("#wish, #mau")) { closeWish(); if (at.closest("#hand button[data-wishes]")) e.preventDefault(); return e.preventDefault(); }
  const button = at.closest("button");
  if (at.closest("#wish")) {
    if (!button) return;
    e.preventDefault();
    return button.dataset.suit ? chooseWish(button.dataset.suit) : closeWish();
  }
  const place = !button && at.closest("#hand li"); // a card still in flight is pressed where it will lie
  if (place) return play(place.firstElementChild);
  if (button && button.closest("#hand")) { e.preventDefault(); rove(button); return play(button); }
  if (button && button.id === "uncover") { e.preventDefault(); return uncover(button); }
  if (button && button.id === "more-time") { e.preventDefault(); return press(button.formAction, {}); }
  if (button && button.id === "hurry") { e.preventDefault(); return hurry(); }
  if (button && button.name === "action" && button.form) { e.preventDefault(); return send(button.value, { shout: "shout" in button.dataset }); }
  if (button && (button.id === "next" || button.id === "rematch")) { e.preventDefault(); return press(button.formAction, { [button.name]: button.value }); }
  if (button && button.name === "pace") { e.preventDefault(); pace(button); return; }
  if (button && button.dataset.sort) { sortBy(button.dataset.sort); return resort(); }
  if (button && button.id === "four") return palette(!document.documentElement.classList.contains("four"));
  if (!at.closest("button, a, label, input, summary, [popover]") && at.closest("#table")) hurry();
});
// a second tap on the card just played must not show the next person's hand
function uncover(button) { if (performance.now() - state.covered > 400) press(button.formAction, { seat: button.value }); }
function hurry() { if ("hurry" in table().dataset) press(`${address}/hurry`, {}); }
let wanted = null; // the pace last pressed while one is on its way: it follows the answer
async function pace(button) {
  for (const b of document.querySelectorAll("#pace button")) b.setAttribute("aria-pressed", String(b === button));
  const under = wanted !== null;
  wanted = button.value;
  for (let sent = null; !under && sent !== wanted;) await press(button.form.action, { pace: sent = wanted });
  if (!under) wanted = null;
}

/* ---- own settings of this browser ---- */
const keep = (key, value) => { try { value === undefined ? localStorage.removeItem(key) : localStorage.setItem(key, value); } catch { /* private mode */ } };
const kept = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
function palette(on) { document.documentElement.classList.toggle("four", on); $("four").setAttribute("aria-pressed", String(on)); keep("four", on ? "1" : undefined); }
if (kept("four")) palette(true);
function resort() {
  const hand = $("hand");
  for (const b of document.querySelectorAll("[data-sort]")) b.setAttribute("aria-pressed", String(b.dataset.sort === sortKind()));
  const had = document.activeElement;
  if (hand) { arrange(hand); rove(); if (cards().includes(had)) had.focus({ preventScroll: true }); }
}
function shift(by) { if (moveCard($("hand"), document.activeElement, by)) resort(); }

/* ---- dragging a card to its own place (only the order on this screen) ---- */
let drag = null;
document.addEventListener("pointerdown", (e) => { const b = e.target.closest("#hand button"); drag = b && e.isPrimary ? { b, x: e.clientX, moved: false } : null; });
document.addEventListener("pointermove", (e) => {
  if (!drag || Math.abs(e.clientX - drag.x) < 28 && !drag.moved) return;
  drag.moved = true;
  const over = document.elementsFromPoint(e.clientX, e.clientY).map((n) => n.closest("#hand li")).find((li) => li && li !== drag.b.parentElement);
  if (over) { moveCard($("hand"), drag.b, over); resort(); }
});
document.addEventListener("pointerup", () => { if (drag && drag.moved) addEventListener("click", (e) => { e.preventDefault(); e.stopPropagation(); }, { capture: true, once: true }); if (drag && drag.moved) setTimeout(() => { drag = null; }); else drag = null; });
document.addEventListener("pointercancel", () => { drag = null; });
document.addEventListener("dragstart", (e) => { if (e.target.closest("#hand")) e.preventDefault(); });

/* ---- the live line ---- */
let banner;
function offline(on) {
  clearTimeout(banner);
  if (on) banner = setTimeout(() => { $("offline").hidden = false; }, 1500); else $("offline").hidden = true;
}
function heard(frame) {
  document.dispatchEvent(new CustomEvent("server-time", { detail: frame.now }));
  if (frame.html && frame.version >= state.version) show(frame.html); // the same version again: its clocks were put on
}
const where = () => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${address}/live?version=${state.version}`;

bindKeys({ hurry, keep, kept, mau, note, resort, shift, step, wishOpen });
resort();
scrollLog();
rove();
keepLine(where, heard, (up) => offline(!up));
document.documentElement.dataset.live = "";

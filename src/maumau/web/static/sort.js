// The order of the own hand on this screen only. The numbers to sort by come with the cards.
const SORT = "sort", OWN = "own-order";
const read = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
const write = (key, value) => { try { localStorage.setItem(key, value); } catch { /* private mode */ } };
let kind = read(SORT) || "suit";
let own = (read(OWN) || "").split(" ").filter(Boolean);

export const sortKind = () => kind;
export function sortBy(next) {
  const all = ["suit", "value", "playable", "own"];
  kind = next === "next" ? all[(all.indexOf(kind) + 1) % all.length] : next;
  if (kind === "own") own = [...document.querySelectorAll("#hand li")].map((li) => li.id);
  write(SORT, kind);
}
const by = {
  suit: (a, b) => a.dataset.suit - b.dataset.suit,
  value: (a, b) => a.dataset.value - b.dataset.value,
  playable: (a, b) => ("legal" in b.dataset) - ("legal" in a.dataset) || a.dataset.suit - b.dataset.suit,
  own: (a, b) => place(a) - place(b),
};
const place = (li) => { const at = own.indexOf(li.id); return at < 0 ? 999 : at; };

/** Puts the list items in order, moving as few as it can. */
export function arrange(hand) {
  const wanted = [...hand.children].sort(by[kind]);
  wanted.forEach((li, i) => { if (hand.children[i] !== li) hand.insertBefore(li, hand.children[i]); });
}
/** Moves a card by one place, or to the place of another; from then on the order is the player's own. */
export function moveCard(hand, button, to) {
  const li = button && button.closest && button.closest("#hand li");
  if (!li) return false;
  const ids = [...hand.children].map((x) => x.id);
  const from = ids.indexOf(li.id);
  const at = typeof to === "number" ? Math.max(0, Math.min(ids.length - 1, from + to)) : ids.indexOf(to.id);
  ids.splice(at, 0, ids.splice(from, 1)[0]);
  kind = "own"; own = ids; write(SORT, kind); write(OWN, own.join(" "));
  return true;
}

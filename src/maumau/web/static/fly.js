// Cards that change their place fly; cards that stay never move, so that a finger always hits what it aims at.
const FLIGHT = 280;
const box = (el) => el && el.getBoundingClientRect();
const off = { pointerEvents: "none", zIndex: 9 };

function fly(el, from) {
  const to = box(el);
  if (!from || !to || !to.width) return;
  const x = from.left + from.width / 2 - to.left - to.width / 2, y = from.top + from.height / 2 - to.top - to.height / 2;
  el.animate([{ ...off, transform: `translate(${x}px, ${y}px) scale(${Math.max(0.3, from.width / to.width)})` }, { ...off, transform: "none" }], { duration: FLIGHT, easing: "cubic-bezier(.2,.7,.3,1)" });
}

/** Looks at the old table, and returns what lets the cards land once the new one stands. */
export function flights(old, next) {
  const spots = new Map([["stock", box(old.querySelector("#stock"))]]);
  for (const s of old.querySelectorAll(".seat")) spots.set(s.id, box(s.querySelector(".fan") || s));
  const held = new Map([...old.querySelectorAll("#hand li")].map((li) => [li.id, box(li.firstElementChild)]));
  const had = new Set([...old.querySelectorAll("#pile li")].map((li) => li.id));
  const counts = new Map([...old.querySelectorAll(".seat")].map((s) => [s.id, s.querySelectorAll(".back").length]));
  const kept = new Set([...next.querySelectorAll("#hand li")].map((li) => li.id));
  const gone = [...held].filter(([id]) => !kept.has(id)).map(([, b]) => b);
  return () => {
    const table = document.getElementById("table");
    for (const li of table.querySelectorAll("#pile li")) {
      if (had.size && !had.has(li.id)) fly(li.firstElementChild, li.dataset.from === "hand" ? gone.shift() : spots.get(li.dataset.from));
    }
    if (!held.size) return;
    for (const li of table.querySelectorAll("#hand li")) if (!held.has(li.id)) fly(li.firstElementChild, spots.get("stock"));
    for (const seat of table.querySelectorAll(".seat")) {
      const backs = [...seat.querySelectorAll(".back")];
      for (const back of backs.slice(counts.get(seat.id) ?? backs.length)) fly(back, spots.get("stock"));
    }
  };
}

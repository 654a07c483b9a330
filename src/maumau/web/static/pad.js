// The score pad: the address is the pad, the browser remembers the last one. Points come from the server.
import "./share.js";

const STORE = "maumau.pad";
const form = document.getElementById("round"), resume = document.getElementById("resume");
const kept = () => { try { return localStorage.getItem(STORE) || ""; } catch { return ""; } };
const keep = (text) => { try { localStorage.setItem(STORE, text); } catch { /* then only the link keeps it */ } };

if (document.getElementById("totals")) keep(location.search);
else if (resume && kept()) { resume.hidden = false; resume.querySelector("a").href = `/score${kept()}`; }

const boards = form ? [...form.querySelectorAll(".left")] : [];
const tapped = (name) => [...form.querySelectorAll(`[name="${name}"]:checked`)].map((box) => box.value);

// A card that one hand has been left with is in no other; tiles say so, the server decides.
function dim() {
  const used = new Map();
  for (const box of form.querySelectorAll("input[type=checkbox]:checked")) used.set(box.value, (used.get(box.value) || 0) + 1);
  for (const board of form.querySelectorAll(".board")) {
    const free = new Map();
    for (const box of board.querySelectorAll("input[type=checkbox]")) {
      if (box.checked) continue;
      const copies = board.querySelectorAll(`input[value="${box.value}"]`).length, n = (used.get(box.value) || 0) + (free.get(box.value) || 0);
      free.set(box.value, (free.get(box.value) || 0) + 1);
      box.closest(".tile").classList.toggle("gone", n >= copies);
    }
  }
}

let asked = 0; // an answer that comes late, after another tap, is none
async function sum() {
  const mine = ++asked;
  const out = form.querySelector("[name=out]:checked"), seats = Number(form.dataset.seats);
  const left = Array.from({ length: seats }, (_, seat) => (out && out.value === String(seat) ? [] : tapped(`left${seat}`)));
  const round = { winner: out && out.value !== "-" ? Number(out.value) : null, last: [...tapped("last"), ...tapped("under")], left };
  try {
    const answer = await fetch("/api/score", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ rules: form.dataset.code, players: seats, rounds: [round] }) });
    if (!answer.ok) return;
    const { points: [points] } = await answer.json();
    if (mine !== asked) return;
    for (const board of boards) board.querySelector("[data-sum]").textContent = tapped(`left${board.dataset.seat}`).length ? form.dataset.points.replace("{n}", points[board.dataset.seat]) : "";
  } catch { /* the pad itself is computed when the round is written down */ }
}

function changed() {
  const out = form.querySelector("[name=out]:checked");
  for (const board of boards) board.hidden = Boolean(out) && out.value === board.dataset.seat;
  const shown = boards.filter((board) => !board.hidden);
  if (shown.length && !shown.some((board) => board.open)) shown[0].open = true;
  dim();
  if (boards.length) sum();
}

if (form) { form.addEventListener("change", changed); changed(); }
document.documentElement.dataset.live = "";

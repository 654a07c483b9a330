// The referee's page: every tap asks the server again; the address is the position.
import "./share.js";

const form = document.getElementById("question"), answer = document.getElementById("answer");
let asked = 0, timer = 0;

function query() {
  const q = new URLSearchParams(), hand = [];
  for (const [name, value] of new FormData(form)) {
    if (name === "hand") hand.push(value);
    else if (value !== "") q.append(name, value);
  }
  if (hand.length) q.append("hand", hand.join(" "));
  return q;
}

async function refresh() {
  const mine = ++asked, q = query();
  q.set("part", "answer");
  try {
    const got = await fetch(`/referee?${q}`), html = await got.text();
    if (mine !== asked || !got.ok) return;
    Idiomorph.morph(answer, html, { morphStyle: "innerHTML" });
    const { link, said } = answer.querySelector(".ruling").dataset;
    document.getElementById("said").textContent = said;
    document.querySelector("[data-share-link]").value = link;
    history.replaceState(null, "", new URL(link).search ? `/referee${new URL(link).search}` : "/referee");
  } catch { /* the next tap asks again */ }
}

form.addEventListener("change", (e) => {
  if (e.target.matches("[data-reload]")) location.href = `/referee?${query()}`;
  else refresh();
});
form.addEventListener("input", (e) => { if (e.target.type === "number") { clearTimeout(timer); timer = setTimeout(refresh, 300); } });
form.addEventListener("submit", (e) => { e.preventDefault(); refresh(); });
for (const button of form.querySelectorAll("button[data-plain]")) button.hidden = true;
document.documentElement.dataset.live = "";

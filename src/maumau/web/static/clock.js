// The clock of a turn, and when a bot sits in: the server counts and says when it is; this page only draws it.
const still = matchMedia("(prefers-reduced-motion: reduce)");
// The page was written half way between the request and its answer. What a socket tells has been on its way for some time,
// so that the server is at least that far: of several the fastest is nearest, and only a clock that was set back is less.
const SET_BACK = 10000;
const arrived = performance.getEntriesByType("navigation")[0];
let ahead = Number(document.body.dataset.now) - (arrived ? (arrived.requestStart + arrived.responseStart) / 2 : performance.now());
const now = () => performance.now() + ahead;
function hear(told) {
  const least = told - performance.now();
  if (least > ahead || least < ahead - SET_BACK) ahead = least;
}

const drawn = new WeakMap();
function draw(bar) {
  const until = Number(bar.dataset.until);
  if (drawn.get(bar) === until) return;
  drawn.set(bar, until);
  bar.getAnimations().forEach((old) => old.cancel());
  const left = Math.max(0, until - now()), span = Math.max(left, 1000 * Number(bar.dataset.span), 1);
  const easing = still.matches ? `steps(${Math.max(1, Math.round(left / 5000))})` : "linear";
  bar.animate([{ transform: `scaleX(${left / span})` }, { transform: "scaleX(0)" }], { duration: left, fill: "forwards", easing });
}

/* ---- the own clock, in figures; twice in words for those who hear it ---- */
const SAID_AT = [20, 10];
let told = 0, saidFor = 0;
function count() {
  const figure = document.getElementById("clock-left"), spoken = document.getElementById("clock-said");
  if (!figure) { if (spoken.textContent) spoken.textContent = ""; return; }
  const until = Number(figure.dataset.until), left = Math.max(0, Math.ceil((until - now()) / 1000));
  const text = figure.dataset.left.replace("{n}", left);
  if (figure.textContent !== text) figure.textContent = text;
  if (saidFor !== until) { saidFor = until; told = left > SAID_AT[0] ? 0 : SAID_AT.filter((at) => left < at).length; }
  if (told < SAID_AT.length && left <= SAID_AT[told]) { told += 1; spoken.textContent = spoken.dataset.said.replace("{n}", left); }
}

/* ---- when a bot sits in for somebody who is away ---- */
function countAway() {
  document.querySelectorAll("[data-bot-at]").forEach((mark) => {
    const left = Math.max(0, Math.ceil((Number(mark.dataset.botAt) - now()) / 1000));
    const text = mark.dataset.botIn.replace("{time}", `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
    if (mark.textContent !== text) mark.textContent = text;
  });
}
function tick() {
  count();
  countAway();
}
function wind() {
  document.querySelectorAll(".clock").forEach(draw);
  tick();
}

document.addEventListener("table-shown", wind);
document.addEventListener("server-time", (e) => { hear(e.detail); });
setInterval(tick, 500);
wind();

// The lobby as it is now: tables come and go while somebody looks for one.
const EVERY = 5_000;

async function renew() {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const now = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("lobby");
    if (now) Idiomorph.morph(document.getElementById("lobby"), now);
  } catch { /* no network: it is asked for again soon */ }
}

setInterval(renew, EVERY);
document.addEventListener("visibilitychange", renew);

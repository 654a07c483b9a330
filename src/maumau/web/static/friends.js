// Friends at the table: a link to pass on. Works over plain HTTP, where there is neither share nor clipboard.
const said = (text) => { const p = document.getElementById("copy-said"); if (p) p.textContent = text; };

async function pass(button) {
  const input = document.getElementById("invite-link");
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    try { return await navigator.share({ url: input.value }); } catch (e) { if (e.name === "AbortError") return; }
  }
  try {
    await navigator.clipboard.writeText(input.value);
    return said(button.dataset.copied);
  } catch { /* then as browsers have always done it */ }
  input.focus(); input.select();
  let done = false;
  try { done = document.execCommand("copy"); } catch { /* then by hand */ }
  said(done ? button.dataset.copied : button.dataset.byHand);
}

document.addEventListener("click", (e) => {
  const button = e.target.closest("#copy-invite");
  if (button) pass(button);
});
document.documentElement.classList.add("scripted");

/* ---- quick reactions: sent without leaving the page, muted in this browser ---- */
const muted = (on) => { document.documentElement.classList.toggle("muted", on); const b = document.getElementById("mute"); if (b) b.setAttribute("aria-pressed", String(on)); };
try { muted(localStorage.getItem("maumau.mute") === "1"); } catch { /* private mode */ }
const react = document.getElementById("react-form");
if (react) {
  react.addEventListener("submit", async (e) => {
    e.preventDefault();
    const note = document.getElementById("react-said");
    try {
      const body = new URLSearchParams({ reaction: e.submitter.value });
      const answer = await fetch(react.action, { method: "POST", body, headers: { Accept: "application/json" }, credentials: "same-origin" });
      const said = await answer.json();
      note.textContent = said.error ? said.error.text : "";
      if (!said.error) document.getElementById("reactions").hidePopover();
    } catch { /* the page says itself that there is no connection */ }
  });
  document.getElementById("mute").addEventListener("click", () => {
    const on = !document.documentElement.classList.contains("muted");
    muted(on);
    try { if (on) localStorage.setItem("maumau.mute", "1"); else localStorage.removeItem("maumau.mute"); } catch { /* private mode */ }
  });
}

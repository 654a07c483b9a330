// This browser's share in the shuffle: sixteen random bytes. Without a script none is sent.
export const share = () => [...crypto.getRandomValues(new Uint8Array(16))].map((x) => x.toString(16).padStart(2, "0")).join("");

// with a press that can lead to a deal
document.addEventListener("formdata", (e) => { if (e.target.matches("[data-deals]")) e.formData.set("contribution", share()); });

// and as soon as a table has committed itself to a deal, once for each: whoever presses then, it counts
let given = "";
function give() {
  const table = document.getElementById("table"), due = table && table.dataset.share;
  if (!due || due === given) return;
  given = due;
  const body = new URLSearchParams({ contribution: share() });
  fetch(`${document.body.dataset.here}/contribute`, { method: "POST", body, headers: { Accept: "application/json" }, credentials: "same-origin" })
    .catch(() => { given = ""; }); // the next view that comes in tries again
}
document.addEventListener("table-shown", give);
give();

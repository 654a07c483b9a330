// “What do we play?”: the sheet beside the table, in a dialog. Without a script the link opens it in a new tab.
let box = null, coming = false;

// The sheet's style comes when it is first asked for, so that a table loads without it.
const dress = (href) => new Promise((done) => {
  const style = document.createElement("link");
  style.rel = "stylesheet"; style.href = href;
  style.onload = style.onerror = done;
  document.head.append(style);
});

async function open(e) {
  if (e.ctrlKey || e.metaKey || e.shiftKey) return;
  const link = e.currentTarget;
  e.preventDefault();
  if (coming) return;  // on a slow line one presses again
  coming = true;
  try {
    const url = new URL(link.href);
    url.searchParams.set("part", "sheet");
    if (box && box.dataset.of === url.href) { box.showModal(); return; }  // a running match keeps its rules
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(String(answer.status));
    if (!box) {
      box = document.createElement("dialog");
      box.id = "rules-dialog";
      box.className = "rules-box";
      box.setAttribute("aria-labelledby", "rules-dialog-title");
      await dress(link.dataset.rulesSheet);
      document.body.append(box);
      // Keys pressed in the sheet are not keys of the table.
      box.addEventListener("keydown", (k) => k.stopPropagation());
      box.addEventListener("click", (c) => { if (c.target === box || c.target.closest("[data-close]")) box.close(); });
    }
    box.innerHTML = await answer.text();
    box.dataset.of = url.href;
    box.showModal();
    box.scrollTop = 0;
  } catch {
    window.open(link.href, "_blank", "noopener");
  } finally {
    coming = false;
  }
}

for (const one of document.querySelectorAll("[data-rules-sheet]")) one.addEventListener("click", open);

// Enter in a field presses the button beside it, where a form has several.
document.addEventListener("keydown", (e) => {
  const button = e.key === "Enter" && !e.isComposing && e.target.dataset ? document.getElementById(e.target.dataset.enter) : null;
  if (button) { e.preventDefault(); button.click(); }
});

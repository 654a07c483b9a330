// A seat's own link: what stands behind the # is sent once and taken out of the address before anything else happens.
const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", location.pathname);
  const form = document.getElementById("seat-form");
  form.elements.token.value = token;
  form.submit();
}

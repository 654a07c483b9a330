// Waiting in front of a table: the server says when there is an answer, and the page is asked for again.
let tries = 0;
function wait() {
  const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${location.pathname}/live`);
  socket.onopen = () => { tries = 0; };
  socket.onmessage = () => location.reload();
  socket.onclose = (e) => { if (e.code === 4404) return location.reload(); setTimeout(wait, Math.min(500 * 2 ** tries++, 5000) * (0.7 + Math.random() * 0.6)); };
}
wait();

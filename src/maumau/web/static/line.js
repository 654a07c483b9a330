// The live line of a page: views only come down it. It comes back by itself, also where nobody said that it had gone:
// a phone that has slept and a train that leaves a tunnel both hold a line that looks open and brings nothing.
const QUIET = 10_000, ANSWER = 2_500, OPENING = 5_000, LONGEST = 5_000;
const about = (ms) => ms * (0.7 + Math.random() * 0.6);

/** Keeps a line to `where()`: each frame goes to `heard`, and `up` is told whether the line stands. */
export function keepLine(where, heard, up) {
  let line, tries = 0, timer;
  const after = (ms, then) => { clearTimeout(timer); timer = setTimeout(then, ms); };
  const ask = () => { if (!document.hidden) { line.send("?"); after(ANSWER, () => { up(false); renew(); }); } };
  function open() {
    const mine = line = new WebSocket(where());
    after(about(OPENING), renew);
    const quiet = () => { if (mine === line) after(QUIET, ask); };
    mine.onopen = () => { tries = 0; up(true); quiet(); };
    mine.onmessage = (e) => { quiet(); heard(JSON.parse(e.data)); };
    mine.onclose = (e) => {
      if (mine !== line) return;
      if (e.code === 4404) return location.reload();
      clearTimeout(timer);
      up(false);
      if (e.code !== 4429) after(about(Math.min(250 * 2 ** tries++, LONGEST)), open);
    };
  }
  function renew() { const old = line; open(); old.close(); }
  const wake = () => { if (!document.hidden) { tries = 0; renew(); } };
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", wake);
  open();
}

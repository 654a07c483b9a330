// Checks a record in the browser, with nothing from elsewhere: plain HTTP has no crypto.subtle, so SHA-256 is written here.
// Commitment, seed, deal, a fixed starter and reshuffles are checked; what needs the rules (whether each action was legal,
// who deals, the result) the server and `maumau verify` check.

const K = [], H0 = [];
for (let n = 2; K.length < 64; n++) {
  let prime = true;
  for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
  if (!prime) continue;
  if (H0.length < 8) H0.push(fraction(n, 2n));
  K.push(fraction(n, 3n));
}
// the first 32 bits of the fraction of a root of n, in whole numbers
function fraction(n, power) {
  const wanted = BigInt(n) << (32n * power);
  let low = 0n, high = 1n << 40n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** power <= wanted) low = middle; else high = middle - 1n;
  }
  return Number(low & 0xffffffffn);
}

const turn = (x, n) => (x >>> n) | (x << (32 - n));

export function sha256(bytes) {
  const size = (bytes.length + 72) & ~63, data = new Uint8Array(size), view = new DataView(data.buffer);
  data.set(bytes); data[bytes.length] = 128;
  view.setUint32(size - 8, Math.floor(bytes.length / 0x20000000)); view.setUint32(size - 4, bytes.length << 3);
  const h = [...H0], w = new Array(64);
  for (let at = 0; at < size; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15], y = w[i - 2];
      w[i] = (w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0;
    }
    let [a, b, c, d, e, f, g, i] = h;
    for (let n = 0; n < 64; n++) {
      const one = (i + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[n] + w[n]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      i = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
    }
    [a, b, c, d, e, f, g, i].forEach((x, n) => { h[n] = (h[n] + x) | 0; });
  }
  const out = new DataView(new ArrayBuffer(32));
  h.forEach((x, n) => out.setUint32(4 * n, x));
  return new Uint8Array(out.buffer);
}

const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

export function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  return sha256(join(block.map((x) => x ^ 0x5c), sha256(join(block.map((x) => x ^ 0x36), message))));
}

export const hex = (bytes) => [...bytes].map((x) => x.toString(16).padStart(2, "0")).join("");
export const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
const utf8 = (text) => new TextEncoder().encode(text);
const label = (given) => utf8(`mm1|${given.table}|${given.deal}|`);

export const commitment = (given) => hex(sha256(join(label(given), unhex(given.secret))));
export const seedOf = (given) => hex(hmac(unhex(given.secret),
  join(label(given), utf8(given.contributions.map((share, seat) => `${seat}:${share}`).join(","))))).slice(0, 32);

export function sfc32(seed) {
  let [a, b, c, d] = [0, 8, 16, 24].map((at) => parseInt(seed.slice(at, at + 8), 16));
  const word = () => {
    const out = (a + b + d) >>> 0;
    d = (d + 1) >>> 0; a = (b ^ (b >>> 9)) >>> 0; b = (c + (c << 3)) >>> 0; c = (((c << 21) | (c >>> 11)) + out) >>> 0;
    return out;
  };
  for (let i = 0; i < 12; i++) word();
  const two = 2 ** 32;
  return (n) => {
    let product = word() * n;
    if (product % two < n) for (const unfair = (two - n) % n; product % two < unfair;) product = word() * n;
    return Math.floor(product / two);
  };
}

// the pack in the order of the notation: from the two of clubs to the ace of spades, jokers last
const ORDER = [..."23456789TJQKA"].flatMap((high) => [..."cdhs"].map((low) => high + low)).concat("*");
const place = (card) => ORDER.indexOf(card);

function shuffle(below, stock) {
  for (let last = stock.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [stock[last], stock[other]] = [stock[other], stock[last]];
  }
}

// a card of the rank that must start, by lot, where it will be turned: it is out of the pack while the others are shuffled
function layStarter(below, stock, rank, at) {
  const fit = stock.flatMap((card, i) => (card[0] === rank ? [i] : []));
  const found = fit[below(fit.length)], starter = stock[found], last = stock.pop();
  if (found < stock.length) stock[found] = last;
  shuffle(below, stock);
  stock.push(stock[at]);
  stock[at] = starter;
}

// the deal that a seed gives, first drawn first; `lots` draws the dealer by lot before; `below` draws on for the reshuffles
export function dealt(seed, cards, lots, starts = "any", hands = 0) {
  const below = sfc32(seed), stock = [...cards].sort((x, y) => place(x) - place(y));
  const dealer = lots ? below(lots) : null;
  if (starts === "any") shuffle(below, stock); else layStarter(below, stock, starts, stock.length - 1 - hands);
  return { dealer, deal: stock.reverse().join(" "), below };
}

const CARD = /^(?:[0-7]:)?(10|[2-9TJQKA](?=[cdhs])|\*)([cdhs]?)/i;

// the card that an action lays, if it lays one
function laid(action) {
  const found = CARD.exec(action);
  return found && (found[1] === "*" ? "*" : found[1].replace("10", "T").toUpperCase() + found[2].toLowerCase());
}

// Whether the recorded reshuffles are the discards, shuffled on by the same generator. No rule is needed for that: what was
// laid lies in the order in which it was laid, and each reshuffle takes all of it but the top card.
function reshuffled(record, entry, below, hands) {
  const deck = entry.deal.split(" "), barred = record.values["start.redraw"] !== "none";
  const orders = entry.reshuffles.map((order) => order.split(" "));
  const plays = entry.actions.map(laid).filter(Boolean);
  const left = [...(orders[0] || [])];
  for (const card of plays.slice(0, Math.max(0, left.length - 1))) if (left.includes(card)) left.splice(left.indexOf(card), 1);
  const starter = barred && left.length === 1 ? left[0] : deck[hands];
  if (!deck.slice(hands).includes(starter)) return false;
  const discards = [starter, ...plays];
  let supply = deck.length - hands - 1;
  for (const order of orders) {
    const stock = discards.splice(0, order.length);
    if (stock.length < order.length || !discards.length) return false;
    shuffle(below, stock);
    if (stock.reverse().join(" ") !== order.join(" ")) return false;
    supply += order.length;
  }
  return entry.actions.filter((action) => action === "+").length <= supply; // else one is missing
}

const SHARE = /^([0-9a-f]{32})?$/;

function checkChance(entry, given, last, seats, find) {
  if (last && (last.table !== given.table || last.deal + 1 !== given.deal)) find("deal-skipped", false, { deal: given.deal });
  if (!given.secret) return find("secret-missing", false);
  const kept = /^[0-9a-f]{64}$/.test(given.secret) && commitment(given) === given.commitment;
  find(kept ? "commitment-kept" : "commitment-broken", kept, { commitment: given.commitment });
  const well = given.contributions.length === seats && given.contributions.every((share) => SHARE.test(share));
  const made = well && seedOf(given) === entry.seed;
  return find(made ? "seed-kept" : "seed-wrong", made);
}

function checkDeal(record, entry, number, find) {
  const cards = entry.deal.split(" "), hands = record.values["deal.cards"] * (record.seats - entry.sitting_out.length);
  const ways = number > 1 ? [0] : entry.fair ? [record.seats] : [record.seats, 0];
  const right = ways.map((lots) => dealt(entry.seed, cards, lots, record.values["start.rank"], hands))
    .find((came) => came.deal === entry.deal && (came.dealer === null || came.dealer === entry.dealer));
  if (!right) return find("deal-wrong", false);
  if (!reshuffled(record, entry, right.below, hands)) return find("reshuffle-wrong", false);
  return find(entry.reshuffles.length ? "deal-kept" : "deal-kept-alone", true, { n: entry.reshuffles.length });
}

export function check(record) {
  const found = [];
  let last = null;
  record.rounds.forEach((entry, index) => {
    const find = (code, holds, more) => found.push({ round: index + 1, code, holds, ...more });
    if (entry.running) { find("running", null); return; }
    if (entry.fair) checkChance(entry, entry.fair, last, record.seats, find); else find("no-commitment", null);
    last = entry.fair || null;
    checkDeal(record, entry, index + 1, find);
  });
  return found;
}

/* ---- the page ---- */
function page() {
  const $ = (id) => document.getElementById(id);
  const words = JSON.parse($("words").content.textContent);
  const say = (text, slots) => text.replace(/\{(\w+)\}/g, (_, name) => slots[name]);
  const show = (lines) => {
    $("answer").replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  };
  const told = (record) => {
    const found = check(record), marks = new Map([[true, "✓"], [false, "✗"], [null, "·"]]);
    const lines = found.map((one) => say(words.round, { mark: marks.get(one.holds), round: one.round, text: say(words[one.code], one) }));
    return [...lines, found.some((one) => one.holds === false) ? words.bad : words.good];
  };
  $("here").hidden = $("choose").hidden = false;
  $("file").addEventListener("change", async () => {
    if ($("file").files[0]) { $("record").value = await $("file").files[0].text(); $("here").click(); }
  });
  $("here").addEventListener("click", () => {
    try { show(told(JSON.parse($("record").value))); } catch { show([words.unreadable]); }
  });
}
if (typeof document !== "undefined") page();

// Waiting in front of a table: the server says when there is an answer, and the page is asked for again.
import { keepLine } from "./line.js";

const where = () => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${location.pathname}/live`;
keepLine(where, (frame) => { if ("knock" in frame) location.reload(); }, () => {});

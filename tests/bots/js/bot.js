// A whole bot in JavaScript: node bot.js, with PIONEERS_URL and PIONEERS_TOKEN set.
// Written from runner/README.md and engine/README.md alone.

import WebSocket from "ws";

import { choose } from "./choose.js";

const HOPELESS = [4401, 4403, 4409];
const { PIONEERS_URL: url, PIONEERS_TOKEN: token } = process.env;
let delayMs = 250;

function connect() {
  const socket = new WebSocket(url, ["pioneers.v1"], {
    headers: { Authorization: `Bearer ${token}` },
  });
  let over = false;
  let waitMs = 0;
  const send = (message) => socket.send(JSON.stringify(message));

  socket.on("open", () =>
    send({ type: "hello", protocol: 1, client: "pioneers-bot-js", version: "1", maxMatches: 4 }),
  );
  socket.on("message", (text) => {
    const message = JSON.parse(text);
    switch (message.type) {
      case "welcome":
        delayMs = 250;
        break;
      case "request":
        send(answer(message));
        break;
      case "strike":
      case "error":
        console.error(text.toString());
        break;
      case "goodbye":
        over = message.retryMs === undefined || message.retryMs === null;
        waitMs = message.retryMs ?? 0;
        break;
    }
  });
  socket.on("error", (error) => console.error(String(error)));
  socket.on("close", (code, reason) => {
    if (over) return;
    if (HOPELESS.includes(code)) {
      console.error(`closed with ${code}: ${reason}`);
      process.exitCode = 1;
      return;
    }
    setTimeout(connect, waitMs + delayMs * (0.5 + Math.random() / 2));
    delayMs = Math.min(2 * delayMs, 15_000);
  });
}

function answer(request) {
  try {
    return { id: request.id, action: choose(request.kind, request.view) };
  } catch (error) {
    console.error(error);
    return { id: request.id, error: String(error) };
  }
}

connect();

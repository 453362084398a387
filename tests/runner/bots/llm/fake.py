"""An endpoint of one's own: what it is sent is kept, what it answers is up to the test."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct


class Sent(Struct):
    """A request as it arrived."""

    line: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict[str, Any]:
        read: dict[str, Any] = json.loads(self.body)
        return read

    def texts(self) -> tuple[str, str]:
        """What the model is told: the rules, the decision."""
        system, user = self.json()["messages"]
        assert (system["role"], user["role"]) == ("system", "user")
        return system["content"], user["content"]


def response(body: bytes, status: str = "200 OK", **headers: str) -> bytes:
    """A whole HTTP response."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Content-Type: application/json"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join((*lines, "", "")).encode() + body


def completion(text: str) -> bytes:
    """The response of an endpoint whose model says `text`."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    return response(json.dumps({"object": "chat.completion", "choices": [choice]}).encode())


@dataclass
class Fake:
    """url: for PIONEERS_LLM_URL. sent: the requests, in the order in which they came."""

    url: str
    sent: list[Sent] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    """Set when the test is over: what a slow endpoint waits for."""
    cut_short: threading.Event = field(default_factory=threading.Event)
    """Set when the other side has closed the connection before it had read all."""


@contextmanager
def serving(answer: Callable[[Fake, Sent], bytes]) -> Iterator[Fake]:
    """answer: called for each request, in a thread of the connection; what it returns is written
    and the connection closed."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            sent = self._read()
            if sent is None:
                return
            fake.sent.append(sent)
            try:
                self.wfile.write(answer(fake, sent))
            except OSError:
                fake.cut_short.set()

        def _read(self) -> Sent | None:
            try:
                line = self.rfile.readline().decode().strip()
                headers = {}
                while header := self.rfile.readline().decode().strip():
                    name, _, value = header.partition(": ")
                    headers[name.lower()] = value
                return Sent(line, headers, self.rfile.read(int(headers.get("content-length", 0))))
            except OSError:
                return None

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        fake = Fake(f"http://127.0.0.1:{server.server_address[1]}/v1")
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield fake
        finally:
            fake.over.set()
            server.shutdown()
            thread.join()

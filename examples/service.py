"""A small service that answers with private counts: each count is drawn once, and the answer is kept.

    optmech design count --range 0:10 --epsilon 1 --out mechanism.csv
    python examples/service.py mechanism.certificate.json examples/counts.csv 8000

Then http://127.0.0.1:8000/Aller gives the same number to everybody who asks. To draw again would spend
epsilon again, and many draws give the count away. A service that is started anew draws anew: keep
`Answers.drawn` where that must not be, or release a file by `optmech apply` and serve that.
"""

from __future__ import annotations

import csv
import json
import logging
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from urllib.parse import unquote

import optmech as om


class Answers:
    """The private answer of each name, drawn when it is first asked for."""

    def __init__(self, mechanism: om.Mechanism, counts: dict[str, int]) -> None:
        self._mechanism, self._counts, self._lock = mechanism, counts, Lock()
        self.drawn: dict[str, int] = {}

    def of(self, name: str) -> int | None:
        """Return the answer for a name, ``None`` for one that is not listed."""
        if name not in self._counts:
            return None
        with self._lock:  # two threads that ask at once must not draw twice
            if name not in self.drawn:
                self.drawn[name] = int(self._mechanism.sample(self._counts[name]))
            return self.drawn[name]


def server_of(answers: Answers, port: int) -> ThreadingHTTPServer:
    """Return a server on this machine alone, a thread for each question."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Answer with the count of the name in the path."""
            answer = answers.of(unquote(self.path.strip("/")))
            text = json.dumps({"count": answer}).encode()
            self.send_response(200 if answer is not None else 404)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Say nothing: who asks for which name is nobody's business."""

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


def main(certificate: str, table: str, port: str) -> None:
    """Read the mechanism, whose proof is checked once more, and the counts; then answer."""
    logging.basicConfig(level=logging.INFO)  # the events of the logger `optmech`, among others
    mechanism = om.mechanism(om.read_certificate(certificate))
    with Path(table).open(newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
        counts = {row[0]: int(row[names.index("count")]) for row in rows}
    outside = [name for name, count in counts.items() if count not in mechanism.truths]
    if outside:
        sys.exit(f"{len(outside)} of the counts are beyond the range of the mechanism. Nothing is answered.")
    server_of(Answers(mechanism, counts), int(port)).serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])

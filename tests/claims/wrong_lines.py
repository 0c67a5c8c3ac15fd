"""Wrong command lines by a generator: each option of each command with values that are wrong for most."""

from __future__ import annotations

import random

from optmech.cli.commands import build_parser
from tests.cli.all_parsers import all_parsers

VALUES = ("", "x", "-1", "0", "nan", "inf", "1e400", "1e-330", "99999999999999999999", "1/0", "1:2:3", ",", "--")
VALUES += (".", "missing.csv", "t.csv", "m.certificate.json", "\u00e9", "\udc80", "a\nb", "=", "..,1,..", "5:1")
WORDS = {
    **{"QUESTION|FILE.toml": "count", "QUESTION": "count", "CERTIFICATE.json": "m.certificate.json"},
    **{"TABLE": "t.csv", "FILE.toml": "missing.toml", "FILE": "t.csv"},
}
USUAL = {
    **{"--range": "0:2", "--epsilon": "1", "--query": "count", "--out": "out.csv", "--column": "n", "--delta": "0.1"},
    **{"--accuracy": "0.5", "--half-width": "2", "--records": "2", "--target": "0.5", "--modulus": "5"},
    **{"--distances": "1", "--moduli": "2,2", "--names": "a,b", "--edges": "a-b", "--cost": "error-rate"},
    **{"--person": "p", "--uses": "2", "--noise": "discrete-gaussian:2", "--format": "c", "--within": "2"},
    **{"--variance": "2", "--counts": "1:3", "--at-most": "1"},
}
SERVERS = ("studio", "audit-library", "audit-solvers")


def wrong_lines(number):
    """Return so many wrong lines, drawn once and for all from all commands, options and values."""
    lines = []
    for parser in all_parsers(build_parser()):
        program = parser.prog.split()[1:]
        if parser.children() or not program or program[0] in SERVERS:
            continue
        arguments = [
            WORDS.get(option.settings.get("metavar") or "", "m.certificate.json")
            for option in parser.options
            if option.is_argument
        ]
        needed = [
            f"{option.name}={USUAL.get(option.name, '1')}"
            for option in parser.options
            if option.is_needed and not option.is_argument
        ]
        for option in parser.options:
            if option.is_argument:
                lines += [[*program, value, *needed] for value in VALUES]
                continue
            if option.is_switch:
                lines += [[*program, *arguments, *needed, option.name, f"{option.name}=x"]]
                continue
            others = [word for word in needed if not word.startswith(f"{option.name}=")]
            lines += [[*program, *arguments, *others, f"{option.name}={value}"] for value in VALUES]
    return random.Random(int(__import__("os").environ.get("SEED","40"))).sample(lines, min(number, len(lines)))  # noqa: S311 - no secret

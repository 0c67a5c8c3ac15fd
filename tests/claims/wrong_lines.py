"""Wrong command lines by a generator: each option of each command with values that are wrong for most."""

from __future__ import annotations

import random

from optmech.cli.commands import build_parser
from tests.cli.all_parsers import all_parsers

VALUES = (
    *("", "x", "-1", "0", "nan", "inf", "1e400", "1e-330", "99999999999999999999", "1/0", "1:2:3", ",", "--"),
    *(".", "missing.csv", "t.csv", "m.certificate.json", "\u00e9", "\udc80", "a\nb", "=", "..,1,..", "5:1"),
)
WORDS = {"QUESTION|FILE.toml": "count", "QUESTION": "count", "TABLE": "t.csv", "FILE": "t.csv"}
USUAL = (
    *(
        "--range=0:2",
        "--epsilon=1",
        "--query=count",
        "--out=out.csv",
        "--column=n",
        "--delta=0.1",
        "--uses=2",
    ),
    *("--accuracy=0.5", "--half-width=2", "--records=2", "--target=0.5", "--modulus=5", "--distances=1"),
    *("--moduli=2,2", "--names=a,b", "--edges=a-b", "--cost=error-rate", "--person=p", "--at-most=1"),
    *("--noise=discrete-gaussian:2", "--format=c", "--within=2", "--variance=2", "--counts=1:3"),
)
# Files that are no certificate, no question and no table; where there is no content, half a certificate.
BROKEN = {
    "text.json": "no JSON",
    "empty.json": "",
    "list.json": "[1, 2]",
    "half.json": None,
    "text.toml": "= no TOML",
    "empty.toml": "",
    "rule.toml": '[question]\nrules = "x"\n',
    "far.csv": "n\n99\n",
    "null.csv": "n\n\n1\n,\n",
    "ragged.csv": "n,g\n1\n",
}
FILES = (*BROKEN, "folder.json", "missing.json", "missing.toml", "question.toml")
# They serve, or start other programs.
LEFT_OUT = ("studio",)


def wrong_lines(number, seed=40):
    """Return so many wrong lines, drawn once and for all from all commands, options and values."""
    usual = {word.partition("=")[0]: word for word in USUAL}
    lines, parsers = [], list(all_parsers(build_parser()))
    flags = sorted({option.name for parser in parsers for option in parser.options if not option.is_argument})
    for parser in parsers:
        program = parser.prog.split()[1:]
        if parser.children() or not program or program[0] in LEFT_OUT:
            continue
        typed = [option for option in parser.options if not option.is_argument]
        arguments = [
            WORDS.get(option.settings.get("metavar") or "", "m.certificate.json")
            for option in parser.options
            if option.is_argument
        ]
        needed = {
            option.name: usual.get(option.name, f"{option.name}=1") for option in typed if option.is_needed
        }
        for option in typed:
            others = [word for name, word in needed.items() if name != option.name]
            lines += [[*program, *arguments, *others, f"{option.name}={value}"] for value in VALUES]
        lines += [[*program, value, *needed.values()] for value in (*VALUES, *FILES) if arguments]
        lines += [[*program, *arguments, *needed.values(), word] for word in ("--nonsense", "extra")]
        # An option that stands elsewhere, or what is needed left out.
        foreign = [name for name in flags if name not in [option.name for option in typed]]
        lines += [
            [*program, *arguments, *needed.values(), usual.get(name, f"{name}=1")] for name in foreign[::7]
        ]
        lines += [
            [*program, *arguments, *(word for name, word in needed.items() if name != left)]
            for left in needed
        ]
    return random.Random(seed).sample(lines, min(number, len(lines)))  # noqa: S311 - no secret

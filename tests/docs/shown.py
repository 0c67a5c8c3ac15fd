"""Run the blocks of a page, and compare their output with the page.

A page is run from top to bottom in one clean folder that has what a clone has: each ``sh`` block line by
line, each ``python`` block in the same names as those before it, as a doctest where it holds prompts. A
``text`` block right after one of them is what it prints; an ellipsis in it stands for anything, on a line of
its own for any lines.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from optmech.cli import main

ROOT = Path(__file__).parents[2]
CLONED = ("formulations", "examples", "benchmarks")

_BLOCK = re.compile(r"^( *)```(\w+)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_AFTER = re.compile(r"\n\s*\Z")
ANY = "…"


@dataclass(frozen=True, kw_only=True)
class Block:
    """One block of code, and what the page says that it prints, if it does."""

    kind: str
    text: str
    line: int
    printed: str | None = None


def blocks_of(page, kinds=("python", "sh")):
    """Return the blocks of a page that run, in order."""
    text = Path(page).read_text(encoding="utf-8")
    result = list(_BLOCK.finditer(text))
    blocks = []
    for here, following in zip(result, [*result[1:], None][: len(result)], strict=True):
        if here[2] not in kinds:
            continue
        beside = following is not None and not text[here.end() : following.start()].strip()
        printed = following[3] if beside and following[2] == "text" else None
        indent = here[1]
        code = "".join(line.removeprefix(indent) for line in here[3].splitlines(keepends=True))
        if printed is not None:
            printed = "".join(line.removeprefix(indent) for line in printed.splitlines(keepends=True))
        blocks.append(
            Block(kind=here[2], text=code, line=text.count("\n", 0, here.start()) + 1, printed=printed)
        )
    return blocks


def lines_of(block):
    """Return the commands of a ``sh`` block; a backslash at the end of a line joins the next one to it."""
    return [line for line in block.text.replace("\\\n", " ").splitlines() if line.strip()]


def copied_clone(folder):
    """Copy what a clone has, so that what commands write stays out of this one."""
    for name in CLONED:
        shutil.copytree(ROOT / name, folder / name)
    for part in ROOT.glob("check_*.py"):
        shutil.copy(part, folder)
    return folder


def path_with_commands(folder):
    """Return an environment with this interpreter's `python` and an `optmech` first, installed or not."""
    for name, call in (("python", ""), ("optmech", " -m optmech")):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}"{call} "$@"\n')
        script.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def run_line(line, folder, environment):
    """Run a command in a folder; what installs is left out, since this run has it installed.

    A line that is one call of the command line and nothing else runs in this process, which spares three
    quarters of a second; the others go to a shell.
    """
    line = re.sub(r"^pip install \S+(?: && |$)", "", line)
    if re.fullmatch(r"optmech [^|&;<>$`*~#]*", line):
        return _called(shlex.split(line), folder)
    return subprocess.run(
        line, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def _called(words, folder):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words[1:])
        except SystemExit as end:  # such as --help
            code = end.code or 0
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


def run_block(block, names, folder, environment, page="page"):
    """Run a block and return what it prints; raises AssertionError where a command fails."""
    if block.kind == "sh":
        printed = []
        for line in lines_of(block):
            done = run_line(line, folder, environment)
            assert done.returncode == 0, f"{page}:{block.line}: {line}\n{done.stderr}"
            assert "Traceback" not in done.stderr
            printed.append(done.stdout)
        return "".join(printed)
    if ">>> " in block.text:
        return _doctested(block, names, page)
    stream = io.StringIO()
    code = compile("\n" * block.line + block.text, str(page), "exec")
    with contextlib.redirect_stdout(stream), contextlib.chdir(folder):
        exec(code, names)  # noqa: S102 - the pages are ours
    return stream.getvalue()


def _doctested(block, names, page):
    example = doctest.DocTestParser().get_doctest(block.text, names, str(page), str(page), block.line)
    output = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE, verbose=False)
    failed, _ = runner.run(example, out=output.write, clear_globs=False)
    names |= example.globs
    assert not failed, output.getvalue()
    return ""


def _pattern(line):
    """Return what matches a line; where part of it is left out, columns may be wider or narrower."""
    if ANY not in line:
        return re.escape(line)
    return ".*".join(re.sub(r"(?:\\ )+", " +", re.escape(part)) for part in line.split(ANY))


def agrees(printed, shown):
    """Whether what is printed is what is shown, blanks at the ends of lines aside."""
    parts = [[]]
    for line in shown.rstrip().splitlines():
        if line.strip() == ANY:
            parts.append([])
        else:
            parts[-1].append(_pattern(line.rstrip()))
    pattern = r"(?:.*\n)*".join("".join(f"{line}\n" for line in part) for part in parts)
    lines = [line.rstrip() for line in printed.rstrip().splitlines()]
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)) is not None

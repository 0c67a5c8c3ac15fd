"""The set of blocks is closed: who adds a kind is told by mypy which readers do not know it yet."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import optmech

# `Rules` sorts demands for quantities, multipliers, repairs and clashes; the others read the blocks.
READERS = {
    "Demand": {"models/formulations/demand_rows.py", "proofs/violation.py", "rules/rules.py"},
    "PrivacyBlock": {"models/formulations/privacy_rows.py", "proofs/privacy.py", "rules/rules.py"},
}
NEVER = r'^optmech/(\S+?):\d+: error: Argument 1 to "assert_never" .* type "New(\w+)"'
NEW = '\nclass New{0}:\n    """New."""\n\n\n{0} = New{0} | '


@pytest.mark.slow
def test_mypy_names_every_reader_that_forgets_a_kind_of_block(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    copied = tmp_path / "optmech"
    shutil.copytree(Path(optmech.__file__).parent, copied, ignore=shutil.ignore_patterns("__pycache__"))
    blocks = copied / "base" / "blocks.py"
    text = blocks.read_text(encoding="utf-8")
    for union in READERS:
        assert text.count(f"\n{union} = ") == 1
        text = text.replace(f"\n{union} = ", NEW.format(union))
    blocks.write_text(text, encoding="utf-8")
    # Code that reads blocks of each kind ends with `assert_never`; the types of all else do not matter here.
    modules = [path for path in copied.rglob("*.py") if "assert_never" in path.read_text(encoding="utf-8")]
    modules += [blocks, *(copied / "rules").glob("*.py")]
    names = {".".join(path.relative_to(tmp_path).with_suffix("").parts) for path in modules}
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "cache", "--follow-imports", "skip"]
    command += [word for name in sorted(names) for word in ("--module", name.removesuffix(".__init__"))]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    forgetful = defaultdict(set)
    for file, union in re.findall(NEVER, checked.stdout, re.MULTILINE):
        forgetful[union].add(file)
    assert forgetful == READERS, checked.stdout + checked.stderr

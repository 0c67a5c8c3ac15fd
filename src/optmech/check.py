"""``python -m optmech.check`` and ``optmech-check-certificate``: the independent checker, where pip put it.

It is `check_certificate.py` itself, with the files beside it, run as a program: it reads nothing of optmech.
In a clone these stand at the top.

>>> (checkers() / "check_certificate.py").exists()
True
"""

import runpy
import sys
from pathlib import Path


def checkers() -> Path:
    """Return the folder of the checkers."""
    installed = Path(__file__).with_name("checkers")
    return installed if installed.is_dir() else Path(__file__).parents[2]


def main() -> None:
    """Run the checker on the words of the command line; it ends the process with its code."""
    program = str(checkers() / "check_certificate.py")
    sys.argv[0] = program
    runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main()

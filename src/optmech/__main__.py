"""``python -m optmech`` is ``optmech``."""

import sys

from optmech.cli import main

if __name__ == "__main__":
    sys.exit(main())

"""`python -m coc_core` is the command `coc`."""

import sys

from coc_core.cli import main

if __name__ == "__main__":
    sys.exit(main())

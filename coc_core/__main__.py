"""The command `coc`, also started by `python -m coc_core`.

This module is kept small, so that an interrupt in the first moments already finds its handler.
"""

import os
import sys


def main() -> int:
    """Run the command line in a process of its own; gives its exit code."""
    try:
        from coc_core.process import run

        return run()
    except KeyboardInterrupt:  # outside of what could report it
        os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
elif sys.argv[0].endswith("coc"):  # the script, which does something of its own before it calls main
    try:
        from coc_core.process import Interrupt

        Interrupt()
    except KeyboardInterrupt:
        os._exit(130)

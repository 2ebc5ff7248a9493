"""The command `coc`, also `python -m coc_core`. It imports little, so that an interrupt soon finds its handler."""

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

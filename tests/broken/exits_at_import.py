"""A plugin that takes the whole process with it, or would."""

import sys

sys.exit("I quit")

#!/usr/bin/env python3
"""The short, repeatable attack on one target. Usage: attack.py TARRY PROGRAM TARGET STEP"""

import subprocess
import sys
import tempfile

from seeds import seeds_of

# Of each seed, with several kinds of damage at once; apart from damage at every byte, or every so many.
ROUNDS = "100"


def main(tarry, program, target, step):
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([program, ROUNDS, step, *seeds_of(target, tarry, folder)]).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
"""The short, repeatable attack on one target. Usage: attack.py TARRY PROGRAM TARGET"""

import subprocess
import sys
import tempfile

from seeds import seeds_of

# Of each seed, with several kinds of damage at once; apart from damage at every byte.
ROUNDS = "100"


def main(tarry, program, target):
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([program, ROUNDS, *seeds_of(target, tarry, folder)]).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

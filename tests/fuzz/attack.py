#!/usr/bin/env python3
"""A repeatable attack on one target: damage at every STEP-th byte of each seed, and ROUNDS with several kinds of damage at
once. Usage: attack.py TARRY PROGRAM TARGET ROUNDS STEP"""

import subprocess
import sys
import tempfile

from seeds import seeds_of


def main(tarry, program, target, rounds, step):
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([program, rounds, step, *seeds_of(target, tarry, folder)]).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

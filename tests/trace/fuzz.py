#!/usr/bin/env python3
"""Makes traces of all golden texts and hands them to the fuzzer. Usage: fuzz.py TARRY FUZZ_READER ROUNDS"""

import os
import subprocess
import sys
import tempfile

from harness import GOLDEN, run

tarry, fuzzer, rounds = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    traces = []
    for name in sorted(os.listdir(GOLDEN)):
        if name.endswith(".txt"):
            for size in ("256", "64K"):
                traces.append(os.path.join(folder, name + size))
                code, _, errors = run(tarry, "assemble", "--chunk", size, "-o", traces[-1], os.path.join(GOLDEN, name))
                assert code == 0, errors
    sys.exit(subprocess.run([fuzzer, rounds, *traces]).returncode)

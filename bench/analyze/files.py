#!/usr/bin/env python3
"""Growth of a merged trace with the ranks of a regular program: everything except times must stay the same size.

    files.py BUILD

Prints, for stencils of 16 to 65,536 ranks: bytes of the parts and of the trace, bytes of the trace without times, and the time of the
merge."""

import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "trace"))
from shared import MOST_GROWTH, bytes_without_times

RANKS, ITERATIONS = (16, 1024, 65536), 100


def measure(build, folder, ranks):
    trace = os.path.join(folder, "stencil.tarry")
    parts, part = trace + ".parts", os.path.join(trace + ".parts", "all.part")
    os.mkdir(parts)
    subprocess.run([os.path.join(build, "bench", "analyze", "bench-generate"), "halo", part, "-n", str(ranks), "-i", str(ITERATIONS)],
                   check=True, stdout=subprocess.DEVNULL)
    before, start = os.path.getsize(part), time.monotonic()
    subprocess.run([os.path.join(build, "bin", "tarry"), "recover", trace], check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - start
    with open(trace, "rb") as file:
        data = file.read()
    os.remove(trace)
    return before, len(data), bytes_without_times(data, is_exact=False), seconds


def main(build):
    first = None
    print("%8s %13s %13s %15s %8s %8s" % ("ranks", "parts", "trace", "without times", "growth", "merge"))
    with tempfile.TemporaryDirectory() as folder:
        for ranks in RANKS:
            parts, trace, rest, seconds = measure(build, folder, ranks)
            first = first or rest
            growth = rest / first - 1
            print("%8d %13d %13d %15d %7.1f%% %6.1f s%s" % (ranks, parts, trace, rest, 100 * growth, seconds,
                                                          "" if growth <= MOST_GROWTH else "  over budget"), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])

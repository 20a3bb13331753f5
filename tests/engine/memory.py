"""Memory is needed only for pending operations: a run ten times as long needs no more of it.

Usage: memory.py TARRY BENCH_GENERATE BENCH_MEASURE RULES
"""

import json
import os
import subprocess
import sys
import tempfile

ROOM = 3 << 10  # KiB; the longer trace is 10 MiB longer
# As names of symbols: `tarry cc` has one of them inside an option.
SANITIZERS = b"\0__asan_init\0", b"\0__tsan_init\0", b"\0__msan_init\0"


def peak(measure, path, rules):
    """KiB, with what is mapped of files."""
    told = subprocess.run([measure, "rules", path, "--shipped", rules, "--threads", "1"], capture_output=True, check=True)
    return json.loads(told.stdout)["peak_kib"]


def main():
    tarry, generate, measure, rules = sys.argv[1:5]
    with open(tarry, "rb") as file:
        code = file.read()
    if any(name in code for name in SANITIZERS):
        print("skipped: memory is not measured with sanitizers")
        sys.exit(77)
    peaks = []
    with tempfile.TemporaryDirectory() as folder:
        for calls in (400000, 4000000):
            path = os.path.join(folder, "t.tarry")
            subprocess.run([generate, "halo", path, "--ranks", "16", "--calls", str(calls)], check=True,
                           stdout=subprocess.DEVNULL)
            peaks.append(peak(measure, path, rules))
    assert peaks[1] < peaks[0] + ROOM, "%d KiB, and %d KiB for ten times as many calls" % tuple(peaks)


main()

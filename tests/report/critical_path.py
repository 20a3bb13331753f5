#!/usr/bin/env python3
"""The critical path of reports is the one that path_walker.py finds in the text of the trace: its length, its ranks, and what it consists of.

    critical_path.py TARRY TEXT...     texts of traces; random programs are added"""

import os
import subprocess
import sys
import tempfile

from path_walker import Unknown, fault_of

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "engine"))

from programs import Program  # noqa: E402

RANDOM_PROGRAMS = 12
# Rank 0 waits only because rank 1 has no CPU: no finding, so the report has no path.
WITHOUT_CPU = """tarry trace 1
process world=1 rank=0 size=2 run=1
property host "h"
property clock "c@1"
clock c 1000000000 tick=0 ns=1700000000000000000
comm 0x1 parent=0x0 kind=intra rank=0 size=2 remote=0 members=1:0-1 "MPI_COMM_WORLD"
eager 4096 node
thread 0 tid=100 main "x"
0 1000 MPI_Init
10000000 50000000 MPI_Barrier comm=0x1
50010000 50020000 MPI_Finalize
process world=1 rank=1 size=2 run=1
property host "h"
property clock "c@1"
clock c 1000000000 tick=0 ns=1700000000000000000
comm 0x1 parent=0x0 kind=intra rank=1 size=2 remote=0
thread 0 tid=101 main "x"
0 1000 MPI_Init
49999000 50000000 MPI_Barrier comm=0x1 delay_before=40000
50010000 50020000 MPI_Finalize
"""


def texts_of(paths):
    yield "a rank without a CPU", WITHOUT_CPU
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as file:
            yield os.path.basename(path), file.read()
    for seed in range(1, RANDOM_PROGRAMS + 1):
        yield f"random program {seed}", Program(seed, 2 + seed % 7, (5, 20, 80)[seed % 3]).trace.text()


def main(tarry, *paths):
    faults, unknown, compared = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        trace, file = os.path.join(folder, "job.tarry"), os.path.join(folder, "job.txt")
        for name, text in texts_of(paths):
            with open(file, "w", encoding="utf-8") as written:
                written.write(text)
            subprocess.run([tarry, "assemble", "-o", trace, file], check=True, capture_output=True)
            try:
                fault = fault_of(tarry, trace)
            except Unknown as reason:
                unknown.append(f"{name} ({reason})")
                continue
            compared += 1
            faults += [f"{name}: {fault}"] if fault else []
    print(f"{compared} paths compared; not followed: {', '.join(unknown) or 'none'}")
    if faults:
        sys.exit("FAILED:\n" + "\n".join(faults))
    if compared < 2:
        sys.exit("FAILED: nearly nothing is compared")


if __name__ == "__main__":
    main(*sys.argv[1:])

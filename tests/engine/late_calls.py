"""A long call of one thread is reported after hundreds of later short calls of another: the last call before it must
still be known. Without threads nothing is long.

Usage: late_calls.py TARRY PRINT_FINDINGS
"""

import os
import sys

from analyzed import analyze, compare_findings

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "model"))

from replayed import Trace, WORLD  # noqa: E402

COMM = "comm=0x%x" % WORLD
TURNS = 2000
RULES = """
declare event size for MPI_Comm_size;
declare event rank for MPI_Comm_rank;
declare composite event neighbours
member( size as s, shared last rank as r before s )
when s.process = r.process
parameters( gap = s.start - r.end, length = s.duration, at = s, partner = r );
declare problem long for neighbours when length > 1 us parameters( name = "N", duration = gap );
declare problem short for neighbours when length <= 1 us parameters( name = "N", duration = gap );
"""


def trace(has_threads):
    made = Trace(1)
    made.head(0, 'source 1 "program.c" "step"')
    for turn in range(TURNS):
        at = 1000 + 10 * turn
        made.add(0, at, at + 2, "MPI_Comm_rank site=1+%d %s" % (10 if turn else 9, COMM))
        made.add(0, at + 3, at + 5, "MPI_Comm_size site=1+11 " + COMM)
    if has_threads:
        made.add(0, 1005, 1005 + 10 * TURNS, "MPI_Comm_size site=1+20 " + COMM, thread=1)
    return made.text()


def main():
    for has_threads in (False, True):
        told = analyze(*sys.argv[1:3], trace(has_threads), rules=RULES)
        expected = {("short", 0, 11, 9): (1, 1, 1), ("short", 0, 11, 10): (TURNS - 1, TURNS - 1, 1)}
        if has_threads:
            expected["long", 0, 20, 9] = 1, 3, 3
        compare_findings(expected, told.findings)
        assert not told.notes, told.notes


main()

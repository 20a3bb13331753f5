"""Advice of shipped rules fits the call that waits: nobody is told to start what is started already, or what has no such form.

    advice.py TARRY

Each case is what two processes call, the second one late, and words that the advice of the first finding must have."""

import json
import os
import subprocess
import sys
import tempfile

HEAD = """process rank=%d
clock monotonic 1000000000 tick=0 ns=1000000
comm 0xc rank=%d size=2 members=1:0-1 "MPI_COMM_WORLD"
comm 0xd parent=0xc kind=cart rank=%d size=2 members=1:0-1 ""
object file 0xf comm=0xc size=0 unit=0 "data"
0 10 MPI_Init
100 200 MPI_Cart_create comm=0xc newcomm=0xd member=%d
"""

BLOCKING = "%d 90000000 %s\n"
NON_BLOCKING = "%d %d %s request=0\n%d 90000000 MPI_Wait done=0\n"

CASES = [
    ("mpi.neighbour-wait", BLOCKING, "MPI_Neighbor_allgather comm=0xd sent=8 received=8", "Start the non-blocking form"),
    ("mpi.neighbour-wait", NON_BLOCKING, "MPI_Ineighbor_allgather comm=0xd sent=8 received=8", "complete it later"),
    ("mpi.io-collective-wait", BLOCKING, "MPI_File_write_all file=0xf sent=8", "start the non-blocking form"),
    ("mpi.io-collective-wait", NON_BLOCKING, "MPI_File_iwrite_all file=0xf sent=8", "complete it later"),
    ("mpi.io-collective-wait", BLOCKING, "MPI_File_set_size file=0xf", "Call it seldom"),
    ("mpi.nxn-wait", BLOCKING, "MPI_Allreduce comm=0xc sent=8 received=8", "start the non-blocking form"),
    ("mpi.nxn-wait", NON_BLOCKING, "MPI_Iallreduce comm=0xc sent=8 received=8", "complete it later"),
    ("mpi.barrier-wait", NON_BLOCKING, "MPI_Ibarrier comm=0xc", "independent work before"),
]


def trace_of(form, call):
    text = "tarry trace 1\n"
    for rank, start in enumerate((1000000, 80000000)):
        values = (start, call) if form is BLOCKING else (start, start + 100, call, start + 200)
        text += HEAD % (rank, rank, rank, 1 - rank) + form % values
    return text


def main():
    tarry = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        source, trace = os.path.join(folder, "t.txt"), os.path.join(folder, "t.tarry")
        for pattern, form, call, words in CASES:
            with open(source, "w", encoding="utf-8") as file:
                file.write(trace_of(form, call))
            subprocess.run([tarry, "assemble", "-o", trace, source], check=True)
            done = subprocess.run([tarry, "analyze", "--all", "--json", "-", trace], check=True, capture_output=True, text=True)
            found = [finding["advice"] for finding in json.loads(done.stdout)["findings"] if finding["pattern"] == pattern]
            if len(found) != 1 or words not in found[0]:
                sys.exit(f"{call}: expected {pattern} with advice that has '{words}', found {found}")


main()

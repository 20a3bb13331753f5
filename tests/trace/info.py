#!/usr/bin/env python3
"""The page of `tarry info`: golden/NAME.info and NAME.json next to NAME.txt. Usage: info.py [--record] TARRY"""

import json
import os
import sys
import tempfile

from harness import GOLDEN, assemble, check, finish, run, same
from recover import chunks


# Messages sent while rank 1 did not record were received: by the order of the rest, too early.
PAUSED = b"""process rank=0
comm 1 rank=0 size=2 members=1:0-1 "MPI_COMM_WORLD"
21 22 MPI_Recv comm=1 peer=1 tag=1
process rank=1
comm 1 rank=1 size=2 "MPI_COMM_WORLD"
%s101 102 MPI_Send comm=1 peer=0 tag=1
"""


# One communicator without a name, and one that its program named.
MADE = b"""process rank=0
source 0 "src/solver.c" "halve"
comm 1 rank=0 size=1 members=1:0 "MPI_COMM_WORLD"
comm 2 parent=1 rank=0 size=1 members=1:0 ""
comm 3 parent=1 rank=0 size=1 members=1:0 ""
1 2 MPI_Comm_split site=0+40 comm=1 newcomm=2
3 4 MPI_Comm_dup comm=1 newcomm=3
5 6 MPI_Comm_set_name comm=3 text="columns"
"""


def check_made(tarry):
    """A communicator is known by its name, and by the call that made it."""
    assemble(tarry, MADE, "made.tarry")
    comms = json.loads(run(tarry, "info", "--json", "made.tarry")[1])["communicators"]
    told = [(comm["name"], comm["made"]) for comm in comms]
    check(told == [("MPI_COMM_WORLD", ""), ("", "MPI_Comm_split at solver.c:40"), ("columns", "MPI_Comm_dup")],
          "how communicators were made: %s" % told)
    out = run(tarry, "info", "made.tarry")[1].decode()
    check("MPI_Comm_split at solver.c:40 (1" in out and "columns (1" in out and "MPI_Comm_dup (1" not in out,
          "names of communicators: %s" % out)


def check_order(tarry):
    for marks, expected in ((b"pause 1\nresume 50\n", b"order          1 call was not checked: calls that were lost or not recorded"),
                            (b"", b"order          by these clocks 1 message received before being sent, by up to 79 ns")):
        assemble(tarry, PAUSED % marks, "paused.tarry")
        out = run(tarry, "info", "paused.tarry")[1]
        check(expected in out and out.count(b"order ") == 1, "info of a pause %s: %s" % (marks, out.decode()))


def check_loss(tarry):
    """Without one chunk of the sender, each later message seems to have been received by an earlier
    receive."""
    text = ""
    for rank, call in enumerate(("MPI_Send", "MPI_Recv")):
        text += 'process rank=%d\ncomm 1 rank=%d size=2 members=1:0-1 "MPI_COMM_WORLD"\n' % (rank, rank)
        text += "".join("%d %d %s comm=1 peer=%d tag=1\n" % (10 * i + rank, 10 * i + 2 * rank, call, 1 - rank)
                        for i in range(1000))
    assemble(tarry, text.encode(), "whole.tarry", "--chunk", "300")
    with open("whole.tarry", "rb") as file:
        parts = list(chunks(file.read()))
    check(b"no message arrives before it was sent\ncommunicators" in run(tarry, "info", "whole.tarry")[1], "the whole is wrong")
    with open("lost.tarry", "wb") as file:
        file.write(b"".join(parts[:3] + parts[4:]))
    out = run(tarry, "info", "lost.tarry")[1]
    check(b"no message arrives before it was sent\n" in out and b"calls were not checked" in out, "a lost chunk: %s" % out.decode())


def main(tarry, record):
    with open(os.path.join(GOLDEN, "job.txt"), "rb") as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        assemble(tarry, text, "job.tarry")
        for options, suffix in ((), "info"), (("--json",), "json"):
            path = os.path.join(GOLDEN, "job." + suffix)
            code, out, errors = run(tarry, "info", *options, "job.tarry")
            check(code == 0 and not errors, "info %s: %s" % (options, errors))
            if suffix == "json":
                json.loads(out)
            if record:
                with open(path, "wb") as file:
                    file.write(out)
            with open(path, "rb") as file:
                same(out, file.read(), "info of job.txt, " + suffix)
        check_made(tarry)
        check_order(tarry)
        check_loss(tarry)
        os.chdir("/")
    finish()


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[-1]), "--record" in sys.argv)

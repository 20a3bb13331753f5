#!/usr/bin/env python3
"""Recorded jobs of all kinds, written as archives: otf2-print counts in them what is in the traces, and they become
the same traces again. What only other tools' records say gives the same messages.
Usage: otf2_jobs.py TARRY MPI MPICC LAUNCHER LIBRARY WORK"""

import collections
import os
import sys
import unittest.mock

from common import check, dump, finish, run
from expectation import expectations
from otf2_export import check_trace, export

import job  # of tests/mpi

PROGRAMS = ("p2p_blocking", "p2p_nonblocking", "p2p_persistent", "p2p_polls", "p2p_probe", "coll_blocking",
            "coll_nonblocking", "comms", "intercomm", "rma_fence", "rma_lock", "rma_pscw", "io", "threads", "regions")
# What the trace of a plain import must still agree in.
KEPT = ("send", "send bytes", "receive", "receive bytes", "collective", "collective sent", "put bytes", "get bytes")


def record(program):
    """A trace; the job is described as tests/mpi describes its own."""
    tarry, mpi, mpicc, launcher, library, work = sys.argv[1:7]
    words = ["--mpi", mpi, "--mpicc", mpicc, "--launcher", launcher, "--library", library, "--bin", os.path.dirname(tarry),
             "--work", os.path.join(work, program), os.path.join(job.PROGRAMS, program + ".c")]
    with unittest.mock.patch.object(sys, "argv", ["job.py", *words]):
        made = job.Job(job.read_options())
    done = made.run_traced()
    if done.returncode or not os.path.exists(made.trace):
        sys.exit("cannot record '%s': %s" % (program, done.stderr))
    return made.trace


def totals(text):
    result = collections.Counter()
    for process in expectations(text.decode()):
        result += process.totals
    return {key: result[key] for key in KEPT}


def check_plain(tarry, name, trace, text, folder):
    """The messages, collective calls and accesses are in records that every tool understands."""
    back = os.path.join(folder, "plain.tarry")
    anchor = export(tarry, trace, os.path.join(folder, "archive"))
    code, _, errors = run(tarry, "import", "--plain", "-o", back, anchor)
    check(code == 0, "%s: the plain import says: %s" % (name, errors))
    wanted, got = totals(text), totals(dump(tarry, back))
    check(wanted == got, "%s: a plain import has %s, not %s" % (name, got, wanted))


def main(tarry, work):
    for program in PROGRAMS:
        trace = record(program)
        text = dump(tarry, trace)
        check_trace(tarry, program, trace, text, os.path.join(work, program))
        check_plain(tarry, program, trace, text, os.path.join(work, program))
    finish()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[6])

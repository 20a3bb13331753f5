"""Accuracy of corrected times: errors relative to the counter that all nodes of the test bed share.

    run.py BUILD/test [RUNS]

Two nodes with clocks 5 s apart, the second of which gains 100 ppm; once as machines that compare their clocks over
a network (virtual Ethernet, and one with 25 us of delay), once as containers on one machine."""

import os
import statistics
import sys
import tempfile
import types

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "cluster"))
import clocks
from cluster import Cluster

RUNS = 20
SITUATIONS = [
    ("network", {"machines": True}, 1000),
    ("network, 25 us away", {"machines": True, "mbit": 1000, "delay_us": 25}, 1000),
    ("one machine", {"machines": False}, 100),
]


def measure(build, work, situation, runs):
    options = types.SimpleNamespace(mpi="openmpi", mpicc="mpicc.openmpi", mpicxx="", fc="", launcher="mpirun.openmpi",
                                    work=work, bin=os.path.join(build, "bin"))
    program = clocks.build_program(os.path.join(HERE, "..", "..", "tests", "cluster", "clocks.c"), options)
    with Cluster(nodes=2, shifts_ns=[0, clocks.SHIFT_NS], build=os.path.join(build, "tests", "cluster"),
                 **situation) as cluster:
        return [clocks.measure(cluster, options, program) for _ in range(runs)]


def main():
    build, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else RUNS
    print(f"{'clocks compared over':24} {'median':>10} {'largest':>10} {'stated':>10}   at most")
    failed = False
    for name, situation, limit in SITUATIONS:
        with tempfile.TemporaryDirectory() as work:
            results = measure(build, work, situation, runs)
        errors = [abs(error) for error, _ in results]
        median, stated = statistics.median(errors), statistics.median(stated for _, stated in results)
        print(f"{name:24} {median:>7.0f} ns {max(errors):>7.0f} ns {stated:>7.0f} ns   {limit} ns "
              f"{'kept' if median <= limit else 'MISSED'}", flush=True)
        failed |= median > limit
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

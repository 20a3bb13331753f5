"""Collective operations of 64 ranks in simulated time: every algorithm gives the MPI library's result and the same time in each run, and the
best of them is not slower than the choices of four MPI libraries. Simulated time is exact, so it may be compared.

    simulated.py --work DIR [--long]"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench", "coll"))
import simulation

SKIPPED = 77
MACHINE = "8x8"
OPERATIONS, SIZES = ["allgather", "allreduce", "alltoall"], [1024]
LONG_OPERATIONS, LONG_SIZES = [*OPERATIONS, "reduce", "reduce_scatter"], [8, 1024, 16384]
# More than all processes together may share.
SHARED_SIZE = 4096
# Microseconds: the clock of a simulation has a limited number of digits, so the last digit depends on the start time of a call.
PRECISION = 0.01
# One message after the other through all processes: right, but never the best for little data.
SLOW = "ring"


def fastest_of(times):
    return min(time for algorithm, time in times.items() if algorithm != "library")


def is_same(one, other):
    return one.keys() == other.keys() and all(
        one[key].keys() == other[key].keys() and all(abs(time - other[key][algorithm]) < PRECISION for algorithm, time in one[key].items()) for key in one)


def slower(ours, theirs):
    """Where the best of ours is slower than one of theirs."""
    return [(operation, size, selector) for selector, of_selector in theirs.items() for (operation, size), times in of_selector.items()
            if fastest_of(ours[operation, size]) > times["library"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--work", required=True)
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    operations, sizes = (LONG_OPERATIONS, LONG_SIZES) if options.long else (OPERATIONS, SIZES)
    if not simulation.is_installed():
        print("skipped: SimGrid (smpicc, smpirun) is missing")
        return SKIPPED
    sim = simulation.Simulation(options.work)
    ours = sim.times_of(MACHINE, operations, sizes)
    assert set(ours) == {(operation, size) for operation in operations for size in sizes}, sorted(ours)
    one, other = (sim.times_of(MACHINE, ["allreduce"], [1024], algorithms=["leaders"]) for _ in range(2))
    assert one == other, f"two runs take different times: {one} and {other}"
    checked, shared = (sim.times_of(MACHINE, ["allgather"], [SHARED_SIZE], algorithms=["locality", "direct"], checked_max=limit) for limit in (SHARED_SIZE << 20, 0))
    assert is_same(checked, shared), f"with buffers that processes share it takes another time: {checked} and {shared}"
    theirs = {selector: sim.times_of(MACHINE, operations, sizes, selector) for selector in simulation.SELECTORS}
    assert not slower(ours, theirs), slower(ours, theirs)
    only = {key: {SLOW: times.get(SLOW, 0)} for key, times in ours.items()}
    assert ("allgather", 1024, "ompi") in slower(only, theirs), "a slow algorithm is found to be slow"
    print(f"{sum(len(times) for times in ours.values())} times of {len(ours)} calls")
    return 0


if __name__ == "__main__":
    sys.exit(main())

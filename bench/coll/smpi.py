"""Collective operations in simulated time, against the choices of four MPI libraries: microseconds of one call, exact.

    smpi.py BUILD [--machine 8x8|64x8|irregular] [--operation allgather] [--bytes 1,1024] [--all] [--markdown] [ALGORITHM...]

Without options: the budgets, for every operation that has an algorithm. With --all every algorithm has its column, with --markdown tables are those of
docs/coll-results.md. A selector that fails is taken to need forever: SimGrid's copy of Intel MPI does for some numbers of processes that are no power of two."""

import argparse
import math
import os
import sys

import simulation
from simulation import SELECTORS, Simulation

SIZES = [1, 16, 256, 1024, 4096, 16384, 65536, 262144, 1048576]
# Larger ones take minutes and gigabytes.
SIZES_OF = {"64x8": [1, 16, 256, 1024, 4096, 16384]}
OPERATIONS = ["allgather", "allgatherv", "allreduce", "bcast", "reduce", "alltoall", "gather", "scatter", "reduce_scatter",
              "reduce_scatter_block", "barrier"]


def name_of(size):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size // unit} {name}"
    return f"{size} B"


def peer_times(sim, machine, operation, sizes, selector):
    """By size. Some selectors choose an algorithm that fails for numbers of processes that are not a power of two: this counts as infinite time."""
    try:
        return {size: times["library"] for size, times in sim.times(machine, operation, sizes, selector).items()}
    except RuntimeError:
        if len(sizes) == 1:
            return {sizes[0]: math.inf}
    return {size: peer_times(sim, machine, operation, [size], selector)[size] for size in sizes}


def measure(sim, machine, operation, sizes, algorithms):
    """By size: microseconds of each selector and of each of our algorithms."""
    ours = sim.times(machine, operation, sizes, algorithms=[*algorithms, "library"] if algorithms else [])
    if not any(set(of_size) - {"library"} for of_size in ours.values()):
        return {}
    peers = {selector: peer_times(sim, machine, operation, sizes, selector) for selector in SELECTORS[1:]}
    peers[SELECTORS[0]] = {size: times["library"] for size, times in ours.items()}
    return {size: ({selector: peers[selector][size] for selector in SELECTORS},
                   {name: time for name, time in ours[size].items() if name != "library"}) for size in sizes}


def print_best(table):
    """Whether ours is the fastest everywhere."""
    print(f"{'':>8}" + "".join(f"{selector:>11}" for selector in SELECTORS) + f"{'Tarry':>11}   ratio  algorithm")
    kept = True
    for size, (peers, ours) in table.items():
        best = min(ours, key=ours.get) if ours else None
        ratio = min(peers.values()) / ours[best] if best else 0
        kept &= ratio >= 1
        print(f"{name_of(size):>8}" + "".join(f"{peers[selector]:11.1f}" for selector in SELECTORS)
              + (f"{ours[best]:11.1f}" if best else f"{'-':>11}") + f"{ratio:8.2f}  {best or 'none'}{'' if ratio >= 1 else '  SLOWER'}")
    return kept


def print_markdown(operation, table):
    """Whether ours is the fastest everywhere."""
    kept = True
    for i, (size, (peers, ours)) in enumerate(table.items()):
        best = min(ours, key=ours.get) if ours else None
        ahead = bool(best) and ours[best] <= min(peers.values())
        kept &= ahead
        columns = ["" if i else operation, f"{size >> 20} Mi" if size >= 1 << 20 else f"{size >> 10} Ki" if size >= 1 << 10 else str(size),
                   *("fails" if math.isinf(peers[selector]) else f"{peers[selector]:.0f}" for selector in SELECTORS),
                   f"{ours[best]:.0f}" if best else "-", f"{best or 'none'}{'' if ahead else '; slower'}"]
        print(f"| {' | '.join(columns)} |", flush=True)
    return kept


def print_all(table):
    names = sorted({name for _, ours in table.values() for name in ours})
    print(f"{'':>8}" + "".join(f"{name:>12.11}" for name in [*SELECTORS, *names]))
    for size, (peers, ours) in table.items():
        print(f"{name_of(size):>8}" + "".join(f"{value:12.1f}" if value is not None else f"{'-':>12}" for value in
                                             [*(peers[name] for name in SELECTORS), *(ours.get(name) for name in names)]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("--machine", choices=simulation.MACHINES, action="append")
    parser.add_argument("--operation", action="append")
    parser.add_argument("--bytes", type=lambda text: [int(word) for word in text.split(",")])
    parser.add_argument("--all", action="store_true", help="a column for each algorithm")
    parser.add_argument("--markdown", action="store_true", help="rows of tables as in docs/coll-results.md")
    parser.add_argument("algorithms", nargs="*", metavar="ALGORITHM")
    options = parser.parse_intermixed_args()
    if not simulation.is_installed():
        print("skipped: SimGrid (smpicc, smpirun) is missing: apt-get install libsimgrid-dev")
        return 0
    sim = Simulation(os.path.join(options.build, "bench-coll"))
    kept = True
    for machine in options.machine or simulation.MACHINES:
        for operation in options.operation or OPERATIONS:
            sizes = options.bytes or SIZES_OF.get(machine, SIZES)
            table = measure(sim, machine, operation, [0] if operation == "barrier" else sizes, options.algorithms)
            if not table:
                continue
            if options.markdown:
                kept &= print_markdown(operation, table)
                continue
            print(f"\n{operation}, {machine}, microseconds", flush=True)
            kept &= print_best(table)
            if options.all:
                print_all(table)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())

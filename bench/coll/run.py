"""Speed of collective operations on an emulated cluster: 4 nodes of 2 ranks, 100 Mbit/s, 2 ms, all on this machine.

    run.py BUILD [--mpi openmpi|mpich] [--operation allgather] [--bytes 1,1024] [--repetitions 9] [--rounds 2] [--all | --chosen]

Columns, in milliseconds: what the MPI library does by itself; Open MPI with its component HAN, which is off by default; the best of Tarry's
algorithms, called directly; and what `tarry coll` chose, where it is built. Medians, with quartiles in brackets. Ratios are those of medians: of
the library's to the best, of HAN's to the best, and of the library's to the chosen one. A job of each kind runs in each round, and a job calls all
algorithms in turn, so that other load affects all alike."""

import argparse
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "tests", "cluster")]
import jobs_here
import simulation
import smpi
from cluster import Cluster

NODES, RANKS_PER_NODE, MBIT, DELAY_US = 4, 2, 100, 2000
SIZES = [1, 1024, 16384, 65536, 1048576]
HAN = ["--mca", "coll_han_priority", "100", "--mca", "coll_tuned_priority", "30"]
# A job that learns has to make more calls than one that only measures: the first are its trials (89 at most, src/coll/choice/trial.h).
TRIALS = 90
SLOW_BYTES, SLOW_REPETITIONS = 262144, 3
SECONDS = 900
FASTER_AT_16K = 3.9


class Bed:
    """A cluster, its programs, and the jobs to run on it."""

    def __init__(self, cluster, build, options):
        self.cluster, self.build, self.options = cluster, build, options
        self.tarry = os.path.join(build, "bin", "tarry")

    def compile(self, mpi):
        program = os.path.join(self.build, "bench-coll", f"measure-{mpi.name}")
        os.makedirs(os.path.dirname(program), exist_ok=True)
        jobs_here.compile_one([mpi.compiler, "-O2", "-w", "-D_GNU_SOURCE", "-I", os.path.join(simulation.SOURCE, "src"),
                               *simulation.sources(), "-o", program, "-lm"])
        return program

    def can_choose(self, mpi):
        return os.path.exists(os.path.join(self.build, "lib", f"libtarry-coll-{mpi.name}.so"))

    def kinds(self, mpi):
        """Name, words for the launcher, words before it, algorithms to measure."""
        found = [("direct", [], [], ["library"] if self.options.chosen else [])]
        if mpi.name == "openmpi":
            found.append(("HAN", HAN, [], ["library"]))
        if self.can_choose(mpi):
            found.append(("chosen", [], [self.tarry, "coll"], ["library"]))
        return found

    def run(self, mpi, program, operation, sizes, kind):
        """Milliseconds, by size and algorithm. What is chosen is known after the trials."""
        name, options, tarry, algorithms = kind
        repetitions = self.options.repetitions if max(sizes) < SLOW_BYTES else min(self.options.repetitions, SLOW_REPETITIONS)
        before = TRIALS if name == "chosen" or self.options.chosen else 0
        words = [program, f"--before={before}", str(repetitions), operation, ",".join(map(str, sizes)), *algorithms]
        result = self.cluster.run_job(mpi.name, words, ranks_per_node=RANKS_PER_NODE, launcher=mpi.launcher, options=options,
                                      tarry=tarry, timeout=SECONDS)
        if result.returncode:
            sys.exit(f"{operation} ({name}) failed with {result.returncode}:\n{result.stdout}{result.stderr}")
        found = {}
        for line in result.stdout.splitlines():
            if line.startswith(f"{operation}\t"):
                _, size, algorithm, times = line.split("\t")
                found.setdefault(int(size), {})[algorithm] = [float(word) / 1000 for word in times.split()]
        return found

    def measure(self, mpi, program, operation, sizes):
        """Milliseconds of all rounds, by size: {"library": [...], "HAN": [...], "ring": [...], ...}."""
        found = {size: {} for size in sizes}
        groups = [[size for size in sizes if (size >= SLOW_BYTES) == slow] for slow in (False, True)]
        for group in [group for group in groups if group] * self.options.rounds:
            for kind in self.kinds(mpi):
                for size, of_size in self.run(mpi, program, operation, group, kind).items():
                    for algorithm, times in of_size.items():
                        found[size].setdefault(algorithm if kind[0] == "direct" else kind[0], []).extend(times)
        return found


def show(times):
    if not times:
        return f"{'-':>24}"
    spread = jobs_here.spread(times)
    return f"{spread['median']:>9.2f} ({spread['low']:.2f}-{spread['high']:.2f})".rjust(24)


def print_row(size, found, everything):
    """The ratios of the library and of HAN to the best of ours, and of the library to what was chosen."""
    ours = {name: times for name, times in found.items() if name not in ("library", "HAN", "chosen")}
    best = min(ours, key=lambda name: statistics.median(ours[name])) if ours else None
    columns = [found["library"], found.get("HAN"), ours.get(best), found.get("chosen")]
    ratios = [statistics.median(times) / statistics.median(ours[best]) if times and best else None for times in columns[:2]]
    ratios.append(statistics.median(found["library"]) / statistics.median(found["chosen"]) if "chosen" in found else None)
    print(f"{smpi.name_of(size):>8}" + "".join(show(times) for times in columns)
          + "".join(f"{ratio:8.2f}" if ratio else f"{'-':>8}" for ratio in ratios) + f"  {best or 'none'}", flush=True)
    if everything:
        for name, times in sorted(ours.items(), key=lambda item: statistics.median(item[1])):
            print(f"{'':>8}{show(times)}  {name}")
    return ratios


def check(rows):
    """The budgets of allgather under Open MPI, in words."""
    default = {size: ratios[0] for size, ratios in rows.items() if ratios[0]}
    han = {size: ratios[1] for size, ratios in rows.items() if ratios[1]}
    kept = [("never slower than Open MPI's default", all(ratio >= 1 for ratio in default.values())),
            ("never slower than HAN, and faster somewhere",
             bool(han) and all(ratio >= 1 for ratio in han.values()) and max(han.values()) > 1)]
    if 16384 in default:
        kept.append((f"at least {FASTER_AT_16K} times faster than the default at 16 KiB", default[16384] >= FASTER_AT_16K))
    for budget, met in kept:
        print(f"{'kept' if met else 'MISSED'}: {budget}")
    return all(met for _, met in kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("--mpi", action="append")
    parser.add_argument("--operation", action="append")
    parser.add_argument("--bytes", type=lambda text: [int(word) for word in text.split(",")])
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--all", action="store_true", help="a line for each algorithm")
    parser.add_argument("--chosen", action="store_true",
                        help="only what was chosen, not each algorithm, after equally many calls of each kind: connections change with use")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    machine = jobs_here.describe_machine()
    print(f"{NODES} emulated nodes of {RANKS_PER_NODE} ranks, {MBIT} Mbit/s, {DELAY_US / 1000:g} ms, on {machine['cores']} cores "
          f"({machine['processor']}), load {os.getloadavg()[0]:.1f}; milliseconds, median (quartiles)")
    kept = True
    with Cluster(NODES, MBIT, DELAY_US, os.path.join(build, "tests", "cluster")) as cluster:
        bed = Bed(cluster, build, options)
        for mpi in jobs_here.find_mpis(build):
            if options.mpi and mpi.name not in options.mpi:
                continue
            program = bed.compile(mpi)
            for operation in options.operation or smpi.OPERATIONS:
                print(f"\n{operation}, {mpi.name} {mpi.version()}\n{'':>8}{'default':>24}{'HAN':>24}{'Tarry, best':>24}"
                      f"{'Tarry, chosen':>24}{'ratio':>8}{'to HAN':>8}{'chosen':>8}", flush=True)
                sizes = [0] if operation == "barrier" else options.bytes or SIZES
                found = bed.measure(mpi, program, operation, sizes)
                rows = {size: print_row(size, found[size], options.all) for size in sizes}
                if (operation, mpi.name) == ("allgather", "openmpi") and not options.chosen:
                    kept &= check(rows)
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()

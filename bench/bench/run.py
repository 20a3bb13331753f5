"""Whether `tarry bench` measures correctly: `make bench-bench`, or bench/bench/run.py BUILD/test [PART…].

Self-tests, clocks against the counter that all processes of a machine share, operations whose time is known by construction,
repeatability against a benchmark that loops, oversubscription. Prints what was found and the budgets, writes
BUILD/bench/bench.json. Parts: self-tests clocks delays network repeatability crowd errors; none: all.

Exit code 0: the budgets hold; 3: one is missed; 1: something does not run."""

import argparse
import json
import os
import subprocess
import sys
from statistics import median

from jobs import PROCESSORS, Jobs
from repeatability import repeatability

SHIFT_NS = 5_000_000_000
SHIFTED = {"shifts_ns": [0, SHIFT_NS], "machines": True}
MESSAGE = 5e-3  # of LinearBroadcast
DELAY_US = 5000
LOOP_RUNS = 100
METHODS = ("window", "barrier", "loop")


class Report:
    def __init__(self):
        self.rows = []
        self.loop = None  # what the loop makes of each process: for the picture of docs/naive-loop.md

    def head(self, words):
        print(f"\n{words}", flush=True)

    def add(self, name, value, unit, budget=None, words=""):
        held = budget is None or value <= budget
        verdict = "" if budget is None else f"at most {budget:g} {unit}   {'ok' if held else 'MISSED'}"
        print(f"  {name:<52}{value:>10.3f} {unit:<4}{verdict:<28}{words}", flush=True)
        self.rows.append({"name": name, "value": value, "unit": unit, "budget": budget, "held": held, "words": words})

    def held(self):
        return all(row["held"] for row in self.rows)


def self_tests(jobs, report):
    report.head("Operations whose time is known, 2 ranks")
    for mpi in jobs.mpis:
        found = [jobs.measure(mpi, 2, "WaitPatternNull", "WaitPatternUp") for _ in range(5)]
        up = median(one.mean("WaitPatternUp") for one in found)
        report.add(f"{mpi}: WaitPatternUp, off 2 us by", abs(up / 2e-6 - 1) * 100, "%", 2, f"{up * 1e6:.3f} us")
        report.add(f"{mpi}: WaitPatternNull", median(one.mean("WaitPatternNull") for one in found) * 1e6, "us", 0.1)


def true_error(found, report, name, budget):
    """Of several jobs."""
    errors = [one.clock_ns("true error median") / 1000 for one in found]
    worst = max(one.clock_ns("true error max") for one in found) / 1000
    stated = median(one.clock_ns("error") for one in found) / 1000
    report.add(name, median(errors), "us", budget, f"largest {worst:.3f}, stated {stated:.3f} us")


def clocks(jobs, report):
    report.head("Error of the common clock against the machine's counter")
    known = ("barrier", "--clock-truth")
    for mpi in jobs.mpis:
        for method in ("linear", "ring", "tree"):
            found = [jobs.measure(mpi, 2, *known, "--sync", method) for _ in range(5)]
            true_error(found, report, f"{mpi}, shared memory, {method}", 0.1)
        found = [jobs.measure(mpi, 2, *known, "--plant", "drift:50") for _ in range(5)]
        true_error(found, report, f"{mpi}, shared memory, tree, 50 ppm and a shift planted", 0.1)
    if "openmpi" in jobs.mpis:
        clocks_of_nodes(jobs, report, known)


def clocks_of_nodes(jobs, report, known):
    with jobs.cluster(**SHIFTED) as cluster:
        for method in ("linear", "ring", "tree"):
            found = [jobs.measure_on(cluster, *known, "--timer", "monotonic", "--sync", method) for _ in range(5)]
            true_error(found, report, f"two nodes over TCP, 5 s apart, {method}", 1)
        found = [jobs.measure_on(cluster, *known, "--timer", "monotonic", "--plant", "drift:50") for _ in range(5)]
        true_error(found, report, "two nodes over TCP, 5 s apart and 50 ppm, tree", 1)


def loop_error(ranks, runs, process):
    """By which factor a loop overestimates process i: r_i(n, k)."""
    return ((ranks - 1) * (runs - 1) + process) / (process * runs) if process else 1


def process_times(jobs, mpi, ranks, *words):
    """Of each process of LinearBroadcast, the middle one of some jobs."""
    found = [jobs.measure(mpi, ranks, "LinearBroadcast", *words).point("LinearBroadcast")["processes"] for _ in range(3)]
    return [median(processes[rank]["mean_s"] for processes in found) for rank in range(ranks)]


def delays(jobs, report):
    ranks, runs, mpi = 8, 8, jobs.mpis[0]
    report.head(f"A broadcast that serves one process after the other, {MESSAGE * 1e3:g} ms each, {ranks} ranks; "
                f"a loop of {runs} runs")
    times = {method: process_times(jobs, mpi, ranks, "--method", method, "--stage", str(runs)) for method in METHODS}
    right = [(process or ranks - 1) * MESSAGE for process in range(ranks)]
    foretold = [time * loop_error(ranks, runs, process) for process, time in enumerate(right)]
    report.loop = {"runs": runs, "right": right, "foretold": foretold, **times}
    print(f"  {'process':<10}{'right':>10}{'window':>12}{'barrier':>12}{'loop':>12}{'loop/right':>12}{'formula':>10}")
    for process in range(ranks):
        print(f"  {process:<10}{right[process] * 1e3:>7.2f} ms"
              + "".join(f"{times[method][process] * 1e3:>9.2f} ms" for method in METHODS)
              + f"{times['loop'][process] / right[process]:>12.3f}{foretold[process] / right[process]:>10.3f}")
    report.add("window, the process that is farthest off", 100 * max(
        abs(time / true - 1) for time, true in zip(times["window"], right)), "%", 5)
    report.add("loop against the formula r_i(n, k), farthest off", 100 * max(
        abs(time / wanted - 1) for time, wanted in zip(times["loop"], foretold)), "%", 5)
    report.add("loop, the process that is farthest off", 100 * max(
        abs(time / true - 1) for time, true in zip(times["loop"], right)), "%")


def network(jobs, report):
    """No message is faster than the network; a barrier that releases its root first makes it seem so."""
    if "openmpi" not in jobs.mpis:
        return
    report.head(f"MPI_Bcast over a network with {DELAY_US} us of delay; the barrier lets process 0 go first")
    leave_first = ("--mca", "coll_tuned_use_dynamic_rules", "1", "--mca", "coll_tuned_barrier_algorithm", "1")
    with jobs.cluster(mbit=1000, delay_us=DELAY_US, **SHIFTED) as cluster:
        # Other load can only add time: the minimum of some jobs.
        found = {method: min(jobs.measure_on(cluster, "bcast", "--sizes", "8", "--timer", "monotonic", "--widening", "1.5",
                                             "--method", method, options=leave_first).mean("MPI_Bcast") for _ in range(3))
                 for method in ("window", "barrier")}
    off = {method: (time * 1e6 / DELAY_US - 1) * 100 for method, time in found.items()}
    report.add("window, off the delay by", abs(off["window"]), "%", 15, f"{found['window'] * 1e6:.0f} us")
    report.add("barrier, off the delay by", abs(off["barrier"]), "%", None, f"{found['barrier'] * 1e6:.0f} us")
    report.add("window, of barrier's error", abs(off["window"] / off["barrier"]) * 100, "%", 50)


def crowd(jobs, report):
    report.head("More processes than processors are noticed and told")
    for mpi in jobs.mpis:
        for ranks, is_crowded in ((PROCESSORS, False), (PROCESSORS + 2, True)):
            found = jobs.measure(mpi, ranks, "barrier")
            told = ["oversubscribed" in found.facts.get("machine", {}), "processors of a node" in found.notes,
                    any("crowded" in point["marks"] for point in found.points)]
            report.add(f"{mpi}: {ranks} processes on {PROCESSORS} processors, told wrongly",
                       sum(one != is_crowded for one in told), "", 0)


def errors(jobs, report):
    """The size of each error of a naive benchmark on this machine; no budgets."""
    mpi = jobs.mpis[0]
    for size in (64, 65536):
        report.head(f"Errors of naive benchmarks: MPI_Bcast of {size} bytes, 2 ranks, {mpi}")
        naive = [jobs.measure_naively(mpi, 2, "bcast", size, LOOP_RUNS) for _ in range(5)]
        words = ("bcast", "--sizes", str(size))
        cold, warm = (median(jobs.measure(mpi, 2, *words, "--cache", cache).mean("MPI_Bcast") for _ in range(3))
                      for cache in ("cold", "warm"))
        typical = {key: median(one[key] for one in naive) for key in naive[0]}
        report.add("first call / second call", median(one["first"] / one["second"] for one in naive), "")
        report.add("time of process 0 / longest of all", typical["process0"] / typical["barrier"], "")
        report.add("root that goes round / root 0", typical["turning"] / typical["barrier"], "")
        report.add("warm buffer / cold buffers", warm / cold, "", None, f"{warm * 1e6:.2f} / {cold * 1e6:.2f} us")
        report.add("barrier before each call / common start, warm", typical["barrier"] / warm, "")
        report.add("loop without anything / common start, warm", typical["loop"] / warm, "")


PARTS = {"self-tests": self_tests, "clocks": clocks, "delays": delays, "network": network, "repeatability": repeatability,
         "crowd": crowd, "errors": errors}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    options = parser.parse_args()
    report = Report()
    try:
        jobs = Jobs(options.build)
        for part in options.parts or PARTS:
            PARTS[part](jobs, report)
    except (OSError, KeyError, ValueError, subprocess.SubprocessError) as error:
        sys.exit(f"bench-bench: {error!r}")
    folder = os.path.join(options.build, "bench")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "bench.json"), "w", encoding="utf-8") as file:
        json.dump({"processors": PROCESSORS, "rows": report.rows, "loop": report.loop, "held": report.held()}, file, indent=1)
    missed = [row["name"] for row in report.rows if not row["held"]]
    print(f"\n{'all budgets hold' if not missed else 'MISSED: ' + '; '.join(missed)}")
    return 0 if report.held() else 3


if __name__ == "__main__":
    sys.exit(main())

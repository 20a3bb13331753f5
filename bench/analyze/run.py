"""Costs of the analysis: `make bench-analyze`, or bench/analyze/run.py BUILD.

Generates traces with known waits (generate.c). The engine analyses them with all shipped rules. A reference has the general wait
states written by hand in C and is compared with rules for the same wait states only (bench/analyze/rules); the OTF2 library
merely reads the same run. The time of the rules alone is the rest without the model, which matches messages and collective calls:
it shows the speed of the rule engine. The rows `rules` are both, from the trace to the findings. All times include the work
before the first call, mainly reading the rules, which is also measured separately. A whole `tarry report` with one job, which
also finds causes, the critical path and figures, is measured on the same traces, and on traces of real programs: examples that
are compiled and recorded here. They have real libraries, source lines, scheduling delays and many distinct calls. The variants
alternate, so that other load on the machine affects all alike. The findings must be correct in every run. Times of one core are
CPU time of a process with one thread, from opening the trace to the findings. Prints tables and the budgets, writes
BUILD/bench/analyze.json.

Exit code 0: the budgets hold; 3: one is missed; 1: a program does not run, or findings are wrong."""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import reports
from jobs_here import find_mpis

MANY_CALLS = 100000  # with fewer calls almost only the start is measured
RULES = os.path.join(HERE, "..", "..", "rules")
SAME_RULES = os.path.join(HERE, "rules")
RANKS = (16, 256, 4096, 65536)
MILLION = 1000000
FEW_CALLS, START_RUNS = 2000, 5


@dataclass
class Budget:
    what: str
    value: float
    limit: float
    unit: str

    def ok(self):
        return self.value <= self.limit


class Bench:
    def __init__(self, build, folder, options):
        self.programs = os.path.join(build, "bench", "analyze")
        self.tarry = os.path.join(build, "bin", "tarry")
        self.folder, self.options = folder, options
        self.rows, self.budgets = [], []

    def call(self, *line):
        done = subprocess.run(line, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(line)} failed with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def generate(self, kind, ranks, calls):
        """(trace, truth)"""
        path = os.path.join(self.folder, f"{kind}-{ranks}.tarry")
        return path, json.loads(self.call(os.path.join(self.programs, "bench-generate"), kind, path, "--ranks",
                                          str(ranks), "--calls", str(calls)))

    def measure(self, way, path, truth, threads=1, rules=RULES):
        values = json.loads(self.call(os.path.join(self.programs, "bench-measure"), way, path, "--shipped", rules,
                                      "--threads", str(threads)))
        if values["calls"] != truth["calls"]:
            sys.exit(f"{way} saw {values['calls']} calls in '{path}', where there are {truth['calls']}")
        if way in ("reference", "rules") and values["waits"] != truth["waits"]:
            sys.exit(f"{way} finds in '{path}'\n{values['waits']}\nbut the truth is\n{truth['waits']}")
        return values

    def archive(self, path):
        """An OTF2 archive of the same run; None if this machine has no OTF2."""
        folder = path + ".otf2"
        if not os.path.exists(os.path.join(self.programs, "bench-otf2-reader")):
            return None
        shutil.rmtree(folder, ignore_errors=True)
        self.call(self.tarry, "export", "--otf2", folder, path)
        return os.path.join(folder, "traces.otf2")

    def read_archive(self, anchor):
        return json.loads(self.call(os.path.join(self.programs, "bench-otf2-reader"), anchor))

    # What is measured

    def start(self):
        """With so few calls almost only the start is measured."""
        path, truth = self.generate("mixed", 16, FEW_CALLS)
        seconds = median(self.measure("rules", path, truth)["cpu_seconds"] for _ in range(START_RUNS))
        self.rows.append({"way": "start", "calls": truth["calls"], "seconds": seconds})
        print(f"start with the whole knowledge base: {1e3 * seconds:.1f} ms")
        os.remove(path)

    def speed(self, kind):
        path, truth = self.generate(kind, 16, self.options.calls)
        ways = {"read": [], "model": [], "reference": [], "same rules": [], "rules": [], "rules, all cores": [], "causes": []}
        for _ in range(self.options.repeat):
            for way in ("read", "model", "reference", "rules", "causes"):
                ways[way].append(self.measure(way, path, truth))
            ways["same rules"].append(self.measure("rules", path, truth, rules=SAME_RULES))
            ways["rules, all cores"].append(self.measure("rules", path, truth, 0))
        self.compare(path, ways)
        print(f"\n{kind}, 16 ranks, {truth['calls'] / MILLION:.1f} million calls")
        self.speed_rows(kind, truth["calls"], ways)
        self.speed_budgets(kind, truth["calls"], ways)
        os.remove(path)

    def against_reading(self, kind):
        """OTF2 archives are large: a shorter run is enough."""
        path, truth = self.generate(kind, 16, self.options.archive_calls)
        anchor = self.archive(path)
        runs = [(self.measure("rules", path, truth), self.read_archive(anchor))
                for _ in range(self.options.repeat if anchor else 0)]
        if anchor:
            self.speed_rows(kind, truth["calls"], {"OTF2 reads": [reads for _, reads in runs]})
            ratio = median(rules["cpu_seconds"] / reads["cpu_seconds"] for rules, reads in runs)
            self.budgets.append(Budget(f"{kind}: time against OTF2's reading", ratio, 1, "times"))
            shutil.rmtree(os.path.dirname(anchor))
        os.remove(path)

    @staticmethod
    def compare(path, ways):
        """Rules and the reference find the same, with any number of threads."""
        for pair in (("reference", "same rules"), ("rules", "rules, all cores")):
            found = [run["findings"] for way in pair for run in ways[way]]
            if any(one != found[0] for one in found):
                sys.exit(f"{' and '.join(pair)} find different things in '{path}': {found}")

    def speed_rows(self, kind, calls, ways):
        if len(ways) > 1:
            print(f"{'':20} {'ns/call':>8} {'million calls/s':>16} {'peak MiB':>9}")
        for way, runs in ways.items():
            seconds = median(run["seconds" if "all" in way else "cpu_seconds"] for run in runs)
            row = {"kind": kind, "way": way, "calls": calls, "seconds": seconds,
                   "peak_mib": max(run["peak_kib"] for run in runs) / 1024}
            self.rows.append(row)
            print(f"{way:20} {1e9 * seconds / calls:8.1f} {calls / seconds / MILLION:16.1f} {row['peak_mib']:9.1f}")

    def speed_budgets(self, kind, calls, ways):
        rules = [run["cpu_seconds"] for run in ways["rules"]]
        ratio = median(same["cpu_seconds"] / run["cpu_seconds"]
                       for same, run in zip(ways["same rules"], ways["reference"]))
        alone = median(one - run["cpu_seconds"] for one, run in zip(rules, ways["model"]))
        self.rows.append({"kind": kind, "way": "the rules alone", "calls": calls, "seconds": alone})
        print(f"{'the rules alone':20} {1e9 * alone / calls:8.1f} {calls / alone / MILLION:16.1f}")
        self.budgets.append(Budget(f"{kind}: all rules", 1e9 * median(rules) / calls, 130, "ns a call"))
        self.budgets.append(Budget(f"{kind}: the same rules against C", ratio, 1.5, "times"))

    # Whole reports

    def report_row(self, name, path, calls, counted):
        row = reports.measure(self.tarry, name, path, calls, self.options.repeat, None if self.options.no_instructions else counted)
        self.rows.append(row)
        reports.print_row(row)
        if calls >= MANY_CALLS:
            self.budgets.append(Budget(f"{name}: whole report", 1e9 * row["seconds"] / calls, 150, "ns a call"))

    def reports(self):
        reports.print_head()
        for kind in ("ring", "halo", "mixed"):
            short, truth = self.generate(kind, 16, min(self.options.archive_calls, reports.INSTRUCTIONS_OF))
            os.rename(short, short + ".short")
            counted = (short + ".short", truth["calls"])
            path, truth = self.generate(kind, 16, self.options.archive_calls)
            self.report_row(f"{kind}, generated", path, truth["calls"], counted)
            os.remove(path)
            os.remove(counted[0])
        wanted = self.options.real.split(",")
        for mpi in find_mpis(os.path.dirname(os.path.dirname(self.tarry)))[:1]:
            for real in reports.REAL:
                if not real.exists() or (self.options.real != "all" and real.name not in wanted):
                    continue
                path = reports.record(self.tarry, mpi, real, self.options.real_steps, self.folder)
                calls = json.loads(self.call(os.path.join(self.programs, "bench-measure"), "read", path))["calls"]
                self.report_row(f"{real.name}, {real.ranks} ranks, {mpi.name}", path, calls, (path, calls))

    def scale(self):
        calls = self.options.scale_calls
        print(f"\nmixed, about {calls / MILLION:g} million calls on any number of ranks")
        print(f"{'ranks':>8} {'ns/call':>8} {'peak MiB':>9} {'trace MiB':>10}")
        costs = []
        for ranks in RANKS[:self.options.scales]:
            path, truth = self.generate("mixed", ranks, max(calls, 100 * ranks))
            runs = [self.measure("rules", path, truth) for _ in range(self.options.scale_repeat)]
            cost = 1e9 * median(run["cpu_seconds"] for run in runs) / truth["calls"]
            row = {"ranks": ranks, "calls": truth["calls"], "ns_per_call": cost,
                   "peak_mib": max(run["peak_kib"] for run in runs) / 1024, "trace_mib": os.path.getsize(path) / 2**20}
            costs.append(row)
            print(f"{ranks:8} {cost:8.1f} {row['peak_mib']:9.1f} {row['trace_mib']:10.1f}")
            os.remove(path)
        self.rows += costs
        self.scale_budgets(costs)

    def scale_budgets(self, costs):
        """log n is 4 at 16 ranks and 16 at 65536: n log n allows that each call costs four times as much."""
        for row in costs[1:]:
            allowed = (row["ranks"].bit_length() - 1) / (costs[0]["ranks"].bit_length() - 1)
            self.budgets.append(Budget(f"{row['ranks']} ranks: a call against one of {costs[0]['ranks']} ranks",
                                       row["ns_per_call"] / costs[0]["ns_per_call"], allowed, "times"))
        for row in costs:
            self.budgets.append(Budget(f"{row['ranks']} ranks: all rules", row["ns_per_call"], 500, "ns a call"))
            self.budgets.append(Budget(f"{row['ranks']} ranks, {row['calls'] / MILLION:.0f} million calls: memory",
                                       row["peak_mib"], 1024, "MiB"))


def describe_machine():
    listing = subprocess.run(["lscpu"], capture_output=True, text=True, check=False).stdout
    model = [line.split(":")[1].strip() for line in listing.splitlines() if "Model name" in line]
    release = platform.freedesktop_os_release() if os.path.exists("/etc/os-release") else {}
    return {"processor": model[0] if model else platform.machine(), "architecture": platform.machine(),
            "cores": os.cpu_count(), "kernel": platform.release(), "system": release.get("PRETTY_NAME", "")}


def print_budgets(budgets):
    print("\nbudgets")
    for budget in budgets:
        print(f"{budget.what:52} {budget.value:9.2f} at most {budget.limit:6.5g} "
              f"{budget.unit:16} {'ok' if budget.ok() else 'MISSED'}")


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build", help="where Tarry was built with its tests, such as 'build/test'")
    parser.add_argument("--calls", type=int, default=16 * MILLION, metavar="N", help="of the traces of 16 ranks")
    parser.add_argument("--archive-calls", type=int, default=4 * MILLION, metavar="N", help="of those that OTF2 reads")
    parser.add_argument("--real-steps", type=int, default=50000, metavar="N", help="of real programs that have steps")
    parser.add_argument("--real", default="all", metavar="NAME,...", help="real programs: heat, jacobi, lammps, hpcc, corpus-NAME (default: all that exist)")
    parser.add_argument("--no-instructions", action="store_true", help="do not count them")
    parser.add_argument("--scale-calls", type=int, default=100 * MILLION, metavar="N", help="of those of many ranks")
    parser.add_argument("--scales", type=int, default=len(RANKS), metavar="N", help=f"the first N of {RANKS} ranks")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="rounds over all ways (default: 3)")
    parser.add_argument("--scale-repeat", type=int, default=1, metavar="N", help="runs for each number of ranks")
    parser.add_argument("--only", choices=("start", "speed", "reports", "scale"), help="only this part")
    parser.add_argument("--only-truth", action="store_true", help="judge what is found, not what it costs")
    return parser.parse_args()


def main():
    options = read_options()
    build, machine = os.path.abspath(options.build), describe_machine()
    print(", ".join(str(value) for value in machine.values() if value))
    os.makedirs(os.path.join(build, "bench"), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.join(build, "bench")) as folder:
        bench = Bench(build, folder, options)
        if options.only in (None, "start"):
            bench.start()
        for kind in ("ring", "halo", "mixed") if options.only in (None, "speed") else ():
            bench.speed(kind)
            bench.against_reading(kind)
        if options.only in (None, "reports"):
            bench.reports()
        if options.only in (None, "scale"):
            bench.scale()
    if options.only_truth:
        return
    print_budgets(bench.budgets)
    with open(os.path.join(build, "bench", "analyze.json"), "w", encoding="utf-8") as file:
        json.dump({"machine": machine, "rows": bench.rows,
                   "budgets": [dict(vars(budget), ok=budget.ok()) for budget in bench.budgets]}, file, indent=1)
    sys.exit(0 if all(budget.ok() for budget in bench.budgets) else 3)


if __name__ == "__main__":
    main()

"""How costs grow, against budgets: `make bench-scale`, or bench/scale/run.py BUILD.

Each point of the table POINTS measures one subject, mostly with the programs of the other benchmarks, and gives rows: a value, its limit, and a unit. Prints one table
of all of them, writes BUILD/bench/scale.json.

Exit code 0: the budgets hold; 3: one is missed; 1: something does not run."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import types
from dataclasses import dataclass
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.path.dirname(HERE)
sys.path[:0] = [BENCH, os.path.join(BENCH, "analyze")]
import files
import peers
from jobs_here import ON_ONE_MACHINE, compile_one, describe_machine, find_mpis

SPEED_UP, JOBS = 1.8, 2
SUMMARY_BYTES, SUMMARY_RANKS = 1 << 20, 4
MIB = 1 << 20


@dataclass
class Size:
    """What a run of this benchmark measures."""
    report_calls: int
    real_steps: int
    job_calls: int
    divided: tuple  # (ranks, calls of each, processes)
    file_ranks: tuple
    summary_steps: int
    in_job_rounds: int
    repeat: int


SIZES = {
    "full": Size(4000000, 50000, 4000000, (65536, 1000, (1, 16, 64)), (16, 65536), 20000, 333333, 3),
    "quick": Size(2000000, 10000, 2000000, (4096, 1000, (1, 16, 64)), (16, 65536), 5000, 333333, 3),
    "tiny": Size(20000, 100, 20000, (64, 100, (1, 2)), (16, 64), 100, 100, 1),
}


@dataclass
class Row:
    what: str
    value: float
    limit: float
    unit: str
    is_least: bool = False  # the value must be at least the limit

    def ok(self):
        return self.value >= self.limit if self.is_least else self.value <= self.limit


class Bench:
    def __init__(self, build, folder, size):
        self.build, self.folder, self.size = build, folder, size
        self.tarry = os.path.join(build, "bin", "tarry")

    def budgets_of(self, name, *words):
        """The budgets that another benchmark writes. Its exit code 3 says that one is missed: the table says so too."""
        line = [sys.executable, "-B", os.path.join(BENCH, name, "run.py"), self.build, *map(str, words)]
        done = subprocess.run(line, stdout=subprocess.DEVNULL, check=False)
        if done.returncode not in (0, 3):
            sys.exit(f"{' '.join(line)} failed with {done.returncode}")
        with open(os.path.join(self.build, "bench", f"{name}.json"), encoding="utf-8") as file:
            return json.load(file)["budgets"]

    def call(self, *line):
        done = subprocess.run([ON_ONE_MACHINE, *line], cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(line)} failed with {done.returncode}:\n{done.stdout}{done.stderr}")


def one_pass(bench):
    size = bench.size
    for budget in bench.budgets_of("analyze", "--only", "reports", "--archive-calls", size.report_calls, "--real-steps", size.real_steps, "--real", "heat,jacobi", "--no-instructions",
                                    "--repeat", size.repeat):
        yield Row(budget["what"], budget["value"], budget["limit"], budget["unit"])


def all_cores(bench):
    trace = os.path.join(bench.folder, "cores.tarry")
    for kind in ("ring", "mixed"):
        subprocess.run([os.path.join(bench.build, "bench", "analyze", "bench-generate"), kind, trace, "--calls", str(bench.size.job_calls)], check=True,
                       stdout=subprocess.DEVNULL)
        ratios = []
        for _ in range(bench.size.repeat):
            seconds = []
            for jobs in (1, JOBS):
                began = time.monotonic()
                bench.call(bench.tarry, "report", "--jobs", str(jobs), trace)
                seconds.append(time.monotonic() - began)
            ratios.append(seconds[0] / seconds[1])
        yield Row(f"{kind}, 16 ranks: 'tarry report' with --jobs {JOBS}", median(ratios), SPEED_UP, "times faster", True)


def all_nodes(bench):
    ranks, calls, processes = bench.size.divided
    rows = peers.measure(bench.build, find_mpis(bench.build)[0], "halo", ranks, calls, processes, bench.folder)
    for row in rows[1:]:
        what = f"{ranks} ranks x {calls} calls, {row['processes']} processes:"
        yield Row(f"{what} mean efficiency", row["efficiency"], peers.EFFICIENCY, "", True)
        yield Row(f"{what} efficiency of process 0", row["least_efficiency"], peers.EFFICIENCY, "", True)


def in_job(bench):
    try:
        import in_job as bench_in_job
    except ImportError:
        return
    options = types.SimpleNamespace(build=bench.build, ranks=8, rounds=bench.size.in_job_rounds, repeat=bench.size.repeat)
    for mpi in find_mpis(bench.build):
        plain, analysed = bench_in_job.measure(mpi, options, bench.folder)
        yield Row(f"{options.ranks} ranks, {3 * options.rounds} calls each, {mpi.name}: added to the job", analysed - plain, bench_in_job.BUDGET_S, "s")


def file_sizes(bench):
    first = None
    for ranks in bench.size.file_ranks:
        rest = files.measure(bench.build, bench.folder, ranks)[2]
        first = first or rest
    yield Row(f"stencil without times, {bench.size.file_ranks[0]} to {ranks} ranks: growth", 100 * (rest / first - 1), 100 * files.MOST_GROWTH, "%")


def summaries(bench):
    mpi = find_mpis(bench.build)[0]
    program, trace = os.path.join(bench.folder, "heat"), os.path.join(bench.folder, "summary.tarry")
    compile_one([mpi.compiler, "-g", "-O2", "-o", program, os.path.join(BENCH, "..", "examples", "heat", "heat.c"), "-lm"])
    bench.call(bench.tarry, "run", "--summary", "-o", trace, "--", mpi.launcher, "-n", str(SUMMARY_RANKS), program, str(bench.size.summary_steps), "0", "0")
    yield Row(f"heat, {bench.size.summary_steps} steps, {SUMMARY_RANKS} ranks: bytes of a rank", os.path.getsize(trace) / SUMMARY_RANKS, SUMMARY_BYTES, "bytes")


def checker(bench):
    for budget in bench.budgets_of("check", "--only", "parts", "--repeat", bench.size.repeat):
        yield Row(budget["what"], budget["value"], budget["limit"], budget["unit"])


POINTS = {
    "one pass": one_pass,
    "all cores": all_cores,
    "all nodes": all_nodes,
    "in the job": in_job,
    "files": file_sizes,
    "long runs": summaries,
    "checker": checker,
}


def print_row(point, row):
    print(f"{point:10} {row.what:66} {row.value:10.3f} {'at least' if row.is_least else 'at most'} {row.limit:8.5g} {row.unit:12} "
          f"{'ok' if row.ok() else 'MISSED'}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build", type=os.path.abspath, help="where Tarry was built with its tests, such as 'build/test'")
    parser.add_argument("--size", choices=SIZES, default="quick", help="quick: about ten minutes on two cores (default); tiny: only whether it runs")
    parser.add_argument("--only", choices=POINTS, action="append", help="this point; may be repeated")
    options = parser.parse_args()
    machine, rows = describe_machine(), []
    print(", ".join(str(value) for value in machine.values() if value))
    os.makedirs(os.path.join(options.build, "bench"), exist_ok=True)
    for point in options.only or POINTS:
        with tempfile.TemporaryDirectory(dir=os.path.join(options.build, "bench")) as folder:
            for row in POINTS[point](Bench(options.build, folder, SIZES[options.size])):
                print_row(point, row)
                rows.append({"point": point, **vars(row), "ok": row.ok()})
    with open(os.path.join(options.build, "bench", "scale.json"), "w", encoding="utf-8") as file:
        json.dump({"machine": machine, "rows": rows}, file, indent=1)
    sys.exit(0 if options.size == "tiny" or all(row["ok"] for row in rows) else 3)


if __name__ == "__main__":
    main()

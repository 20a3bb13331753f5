"""Costs of recording: `make bench-record`, or bench/record/run.py BUILD.

Small programs measure their own MPI calls: alone, recorded by Tarry, by EZTrace, and by a minimal writer with the
OTF2 library. All tools alternate in one run, so that other load on the machine affects all alike; each value is
compared with that of the untraced program in the same round. The cost of near callers is measured in a process that
alternates recorded and other calls, with and without near callers. Prints tables and the budgets, writes
BUILD/bench/record.json.

Exit code 0: the budgets hold; 3: one is missed; 1: a program does not run."""

import argparse
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import rescale
from jobs_here import ON_ONE_MACHINE, compile_one, describe_machine, find_mpis, output_of, spread

MIB = 1024  # KiB
SECONDS = 300
CALLERS_MOST_NS = 10


@dataclass
class Bench:
    name: str
    ranks: int
    rounds: int
    one_round: str
    unit: str = "ns"


BENCHES = [
    Bench("send", 1, 2000000, "MPI_Send to MPI_PROC_NULL"),
    Bench("vary", 1, 2000000, "MPI_Send, each with its own tag"),
    Bench("group", 1, 1000000, "Irecv + Isend + Waitall"),
    Bench("pingpong", 2, 300000, "Send + Recv, 2 ranks"),
    Bench("halo", 2, 40000, "4 Irecv + 4 Isend + Waitall"),
    Bench("start", 8, 1, "Init + Finalize, 8 ranks", "ms"),
]
TURNS = Bench("turns", 1, 30, "calls of a process with itself")
SCALE = {"ns": 1, "ms": 1e6}


@dataclass
class Budget:
    bench: str
    what: str
    measure: str  # a key of a row of the table
    limit: float
    unit: str


BUDGETS = [
    Budget("send", "blocking send, added", "added_ns", 20, "ns"),
    Budget("vary", "blocking send unlike all others, added", "added_ns", 60, "ns"),
    Budget("vary", "bytes for a call unlike all others", "bytes_per_call", 8, "bytes"),
    Budget("group", "Irecv+Isend+Waitall, added", "added_ns", 90, "ns"),
    Budget("halo", "halo exchange, added", "added_ns", 400, "ns"),
    Budget("halo", "bytes, counter of any frequency", "bytes_rescaled", 3, "bytes"),
    Budget("halo", "bytes for one MPI call of a halo exchange", "bytes_per_call", 3, "bytes"),
    Budget("send", "memory of a rank, many calls", "added_mib", 16, "MiB"),
    Budget("halo", "memory of a rank, halo exchange", "added_mib", 16, "MiB"),
    Budget("start", "Init + Finalize at 8 ranks, added", "added_s", 0.3, "s"),
]


def compile_all(mpi, folder, with_otf2):
    os.makedirs(folder, exist_ok=True)
    flags = ["-O2", "-g", "-Wall", "-Wextra", "-Wno-stringop-overflow"]
    for bench in [*BENCHES, TURNS]:
        source = os.path.join(HERE, f"{bench.name}.c")
        compile_one([mpi.compiler, *flags, "-o", os.path.join(folder, bench.name), source])
    if with_otf2:
        compile_one([mpi.compiler, *flags, "-shared", "-fPIC", "-o", os.path.join(folder, "libotf2_writer.so"),
                     os.path.join(HERE, "otf2_writer.c"), "-lotf2"])


class Untraced:
    name = "untraced"

    def __init__(self, build):
        self.build = build

    def is_here(self):
        return True

    def tarry(self):
        return os.path.join(self.build, "bin", "tarry")

    def command(self, mpi, ranks, program, folder):
        """The command line, and what to add to the environment."""
        return [mpi.launcher, "-n", str(ranks), *program], {}


class Tarry(Untraced):
    name = "tarry"
    options = []

    def command(self, mpi, ranks, program, folder):
        return [self.tarry(), "run", *self.options, "-o", os.path.join(folder, "trace.tarry"), "--",
                mpi.launcher, "-n", str(ranks), *program], {}


class CallPath(Tarry):
    """The same with whole call paths, which cost more."""

    name = "callpath"
    options = ["--callpath"]


class NoCallers(Tarry):
    """The same with the call site alone."""

    name = "site alone"
    options = ["--callpath=1"]


class Eztrace(Untraced):
    name = "eztrace"

    def is_here(self):
        return bool(shutil.which("eztrace"))

    def command(self, mpi, ranks, program, folder):
        return [mpi.launcher, "-n", str(ranks), "eztrace", "-o", folder, "-t", mpi.name, *program], {}


class Otf2(Untraced):
    name = "otf2"

    def is_here(self):
        return bool(shutil.which("otf2-config"))

    def command(self, mpi, ranks, program, folder):
        library = os.path.join(os.path.dirname(program[0]), "libotf2_writer.so")
        return ([mpi.launcher, "-n", str(ranks), "env", f"LD_PRELOAD={library}", *program],
                {"OTF2_WRITER_FOLDER": os.path.join(folder, "archive")})


def bytes_in(folder):
    files = [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names]
    return sum(map(os.path.getsize, files))


def run_job(tool, mpi, bench, folder):
    """The lines of JSON that a run prints, and the folder with its trace."""
    traces = os.path.join(folder, "traces")
    shutil.rmtree(traces, ignore_errors=True)
    os.makedirs(traces)
    program = [os.path.join(folder, bench.name), str(bench.rounds)]
    line, extra = tool.command(mpi, bench.ranks, program, traces)
    result = subprocess.run([ON_ONE_MACHINE, *line], env=dict(os.environ, **extra), cwd=traces, timeout=SECONDS,
                            capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    lines = [json.loads(text) for text in result.stdout.splitlines() if text.startswith("{")]
    if result.returncode or len(lines) < bench.ranks:
        sys.exit(f"{' '.join(line)} failed with {result.returncode}:\n{result.stdout}{result.stderr}")
    return lines, traces


def run_once(tool, mpi, bench, folder):
    """Values of one run: nanoseconds of one round, memory, bytes for one call."""
    ranks, traces = run_job(tool, mpi, bench, folder)
    calls = sum(rank["rounds"] * rank["calls"] for rank in ranks)
    size = bytes_in(traces)
    made = os.path.join(traces, "trace.tarry")
    rescaled = rescale.bytes_per_call(tool.tarry(), made, traces) if bench.name == "halo" and tool.name == "tarry" else {0: 0}
    return {
        "bytes_rescaled": max(rescaled.values()), "rescaled": rescaled,
        "loop_ns": max(rank["lap_ns"] / rank["rounds"] for rank in ranks),
        "whole_ns": max(rank["whole_ns"] / rank["rounds"] for rank in ranks),
        "hwm_kib": max(rank["hwm_kib"] for rank in ranks),
        "bytes_per_call": size / calls,
    }


def measure(tools, mpi, folder, repeat):
    """(bench, tool) -> values of each run. One-time work of a tool per machine is not counted."""
    values = {(bench.name, tool.name): [] for bench in BENCHES for tool in tools}
    for tool in tools:
        run_once(tool, mpi, BENCHES[-1], folder)
    for turn in range(repeat):
        for bench in BENCHES:
            print(f"\r{mpi.name}: round {turn + 1} of {repeat}, {bench.name:10}", end="", file=sys.stderr)
            for tool in tools:
                values[bench.name, tool.name].append(run_once(tool, mpi, bench, folder))
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return values


def measure_turns(build, mpi, folder, repeat):
    """Cost of calls of a process with itself, with near callers and without: the fastest laps of all rounds."""
    tools, best = (Tarry(build), NoCallers(build)), {}
    for _ in range(repeat):
        for tool in tools:
            for case in run_job(tool, mpi, TURNS, folder)[0]:
                times = best.setdefault(case["case"], {"calls": case["calls"], "untraced": case["untraced_ns"]})
                times["untraced"] = min(times["untraced"], case["untraced_ns"])
                recorded = case["untraced_ns"] + case["added_ns"]
                times[tool.name] = min(times.get(tool.name, recorded), recorded)
    return [{"case": name, "calls": times["calls"], "untraced_ns": times["untraced"],
             "added_ns": times["tarry"] - times["untraced"],
             "callers_ns": (times["tarry"] - times["site alone"]) / times["calls"]} for name, times in best.items()]


def print_turns(turns):
    print(f"\n{'process with itself, fastest laps':34} {'calls':>5} {'untraced':>9} {'added':>9} {'near callers, each call':>24}")
    for row in turns:
        print(f"{row['case']:34} {row['calls']:5} {row['untraced_ns']:9.1f} {row['added_ns']:9.1f} {row['callers_ns']:24.1f}")


def summarise(bench, tool, mine, base):
    """One row of the table: the cost of the tool relative to the untraced runs of the same rounds."""
    added = spread([m["loop_ns"] - b["loop_ns"] for m, b in zip(mine, base)])
    whole = spread([m["whole_ns"] - b["whole_ns"] for m, b in zip(mine, base)])
    return {
        "bench": bench.name, "tool": tool.name, "ranks": bench.ranks, "rounds": bench.rounds,
        "ns": median(m["loop_ns"] for m in mine),
        "ratio": median(m["loop_ns"] / b["loop_ns"] for m, b in zip(mine, base)),
        "added_ns": added["median"], "added_ns_low": added["low"], "added_ns_high": added["high"],
        "added_with_end_ns": whole["median"],
        "added_s": added["median"] / 1e9,
        "added_mib": median(m["hwm_kib"] - b["hwm_kib"] for m, b in zip(mine, base)) / MIB,
        "bytes_per_call": median(m["bytes_per_call"] for m in mine),
        "bytes_rescaled": median(m["bytes_rescaled"] for m in mine), "rescaled": mine[-1]["rescaled"],
    }


def rows_of(tools, values):
    return [summarise(bench, tool, values[bench.name, tool.name], values[bench.name, "untraced"])
            for bench in BENCHES for tool in tools]


def judge(mpi, rows, turns):
    ours = {row["bench"]: row for row in rows if row["tool"] == "tarry"}
    for budget in BUDGETS:
        value = ours[budget.bench][budget.measure]
        yield {"mpi": mpi.name, "what": budget.what, "value": value, "limit": budget.limit, "unit": budget.unit,
               "ok": value <= budget.limit}
    callers_ns = max(row["callers_ns"] for row in turns)
    yield {"mpi": mpi.name, "what": "near callers, of each call", "value": callers_ns, "limit": CALLERS_MOST_NS,
           "unit": "ns", "ok": callers_ns <= CALLERS_MOST_NS}


def print_rows(mpi, rows):
    print(f"\n{mpi.name} {mpi.version()}")
    print(f"{'one round':28} {'tool':9} {'time':>9} {'':2} {'ratio':>6} {'added':>9} {'quartiles':>19} "
          f"{'to the end':>10} {'MiB':>6} {'bytes/call':>10}")
    benches = {bench.name: bench for bench in BENCHES}
    for row in rows:
        print_row(benches[row["bench"]], row)
    print("added: to the calls themselves; to the end: with what is left to MPI_Finalize, by round")


def print_row(bench, row):
    def scaled(key):
        return row[key] / SCALE[bench.unit]

    if row["tool"] == "untraced":
        print(f"{bench.one_round:28} {row['tool']:9} {scaled('ns'):9.1f} {bench.unit}")
        return
    print(f"{'':28} {row['tool']:9} {scaled('ns'):9.1f} {bench.unit} {row['ratio']:6.2f} "
          f"{scaled('added_ns'):9.1f} {scaled('added_ns_low'):9.1f}…{scaled('added_ns_high'):<9.1f} "
          f"{scaled('added_with_end_ns'):10.1f} {row['added_mib']:6.1f} {row['bytes_per_call']:10.2f}")


def print_budgets(budgets):
    print("\nbudgets")
    for budget in budgets:
        print(f"{budget['mpi']:8} {budget['what']:45} {budget['value']:9.2f} of {budget['limit']:5} "
              f"{budget['unit']:6} {'ok' if budget['ok'] else 'MISSED'}")


def describe_versions(build, mpis):
    versions = {mpi.name: mpi.version() for mpi in mpis}
    versions["tarry"] = output_of([os.path.join(build, "bin", "tarry"), "--version"]).strip()
    versions["eztrace"] = output_of(["eztrace", "--version"]).partition("\n")[0].strip()
    versions["otf2"] = output_of(["otf2-config", "--version"]).strip()
    return versions


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build", help="where Tarry was built, such as 'build'")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="rounds over all tools (default: 5)")
    parser.add_argument("--mpi", help="only this MPI library: openmpi or mpich")
    return parser.parse_args()


def main():
    options = read_options()
    build = os.path.abspath(options.build)
    mpis = [mpi for mpi in find_mpis(build) if options.mpi in (None, mpi.name)]
    if not mpis:
        sys.exit(f"nothing to measure: '{build}/lib' has no recorder for an MPI library that is installed here")
    tools = [tool for tool in (kind(build) for kind in (Untraced, Tarry, CallPath, Eztrace, Otf2)) if tool.is_here()]
    machine, all_rows, all_turns, budgets = describe_machine(), {}, {}, []
    print(", ".join(str(value) for value in machine.values() if value))
    for mpi in mpis:
        folder = os.path.join(build, "bench", mpi.name)
        compile_all(mpi, folder, any(tool.name == "otf2" for tool in tools))
        rows = rows_of(tools, measure(tools, mpi, folder, options.repeat))
        print_rows(mpi, rows)
        turns = measure_turns(build, mpi, folder, options.repeat)
        print_turns(turns)
        all_rows[mpi.name], all_turns[mpi.name] = rows, turns
        budgets += judge(mpi, rows, turns)
    print_budgets(budgets)
    with open(os.path.join(build, "bench", "record.json"), "w", encoding="utf-8") as file:
        json.dump({"machine": machine, "versions": describe_versions(build, mpis), "rows": all_rows,
                   "turns": all_turns, "budgets": budgets}, file, indent=1)
    sys.exit(0 if all(budget["ok"] for budget in budgets) else 3)


if __name__ == "__main__":
    main()

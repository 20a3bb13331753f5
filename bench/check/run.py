"""Costs of checking: `make bench-check`, or bench/check/run.py BUILD.

Small applications with real computation, and a bare ping-pong, measure their own time: alone, and under `tarry check`. Both alternate, so that other
load on the machine affects them alike; each value is compared with that of the unchecked program in the same round. The whole checker runs on the
same CPUs: the agents' service threads and the analyser. Prints a table and the budgets, writes BUILD/bench/check.json.

Exit code 0: the budgets hold; 3: one is missed; 1: a program does not run."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from jobs_here import ON_ONE_MACHINE, compile_one, describe_machine, find_mpis, spread

SECONDS = 300


@dataclass
class Bench:
    name: str
    source: str
    rounds: int
    what: str
    dense: bool = False  # mostly calls: its own limit


BENCHES = [
    Bench("pingpong", "../record/pingpong.c", 300000, "bare ping-pong, 8 bytes"),
    Bench("stencil", "stencil.c", 0, "heat equation, halo exchange"),
    Bench("gradient", "gradient.c", 0, "conjugate gradients"),
    Bench("transpose", "transpose.c", 0, "2D FFT, MPI_Alltoall"),
    Bench("particles", "particles.c", 0, "n-body ring with overlap"),
    Bench("factor", "factor.c", 0, "LU, a datatype for each message", dense=True),
    Bench("tasks", "tasks.c", 0, "global arrays, one-sided blocks", dense=True),
]
# Processes, steps of each, nodes.
CLIENTS = [(64, 400000, 1), (64, 400000, 4), (1000, 20000, 1), (10000, 2000, 1)]
EVENTS_PER_S = 1e6
# Processes in one deadlock, and seconds until it is reported.
KNOT_PROCESSES, KNOT_S = 16384, 1
# Analysers that divide a run of so many processes: the largest share of events and facts relative to an even one, microseconds per event, bytes per
# process.
PARTS, PART_STEPS = (1, 2, 4, 8, 16), 100
PART_SHARE, PART_EVENT_US, PART_BYTES = 1.3, 0.25, 4096
RANKS = 2
DENSE = 1.5
ROUND_TRIP_NS = 3000
DEADLOCK_MS = 100
# Allowed slowdown of a program compiled by `tarry cc`, relative to the plain program of the same compiler.
WATCHED = {"gcc": 5, "clang": 3.5}
# From a deadlock to the end of `tarry check`; the time that a check adds to an empty program.
PROMPT_MS, START_AND_END_MS = 500, 100
# Modes: the option, and the allowed slowdown of applications (None: only reported).
MODES = [("--buffers=off", 1.10), ("--buffers=send", 1.25), ("--buffers=all", 1.15)]


def compile_all(mpi, folder):
    os.makedirs(folder, exist_ok=True)
    for bench in BENCHES:
        compile_one([mpi.compiler, "-O2", "-g", "-Wall", "-Wextra", "-Wno-stringop-overflow",
                     "-o", os.path.join(folder, bench.name), os.path.join(HERE, bench.source), "-lm"])


def run_once(build, mpi, bench, folder, mode):
    """Nanoseconds per round and the maximum memory of a rank. mode: option of `tarry check`, or None: unchecked."""
    results = os.path.join(folder, "results")
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(results)
    line = [mpi.launcher, "-n", str(RANKS), os.path.join(folder, bench.name)] + [str(bench.rounds)] * bool(bench.rounds)
    if mode is not None:
        line = [os.path.join(build, "bin", "tarry"), "check", *mode.split(), "--", *line]
    result = subprocess.run([ON_ONE_MACHINE, *line], cwd=results, timeout=SECONDS, capture_output=True, text=True,
                            stdin=subprocess.DEVNULL, check=False)
    ranks = [json.loads(text) for text in result.stdout.splitlines() if text.startswith("{")]
    if result.returncode or len(ranks) != RANKS:
        sys.exit(f"{' '.join(line)} failed with {result.returncode}:\n{result.stdout}{result.stderr}")
    return {"ns": max(rank["lap_ns"] / rank["rounds"] for rank in ranks), "kib": max(rank["hwm_kib"] for rank in ranks)}


def measure(build, mpi, bench, folder, repeat):
    """One row for each mode: the cost of the check compared with the unchecked runs of the same rounds."""
    plain, checked = [], {mode: [] for mode, _ in MODES}
    for turn in range(repeat):
        print(f"\r{mpi.name}: {bench.name:10} round {turn + 1} of {repeat}", end="", file=sys.stderr)
        plain.append(run_once(build, mpi, bench, folder, None))
        for mode, runs in checked.items():
            runs.append(run_once(build, mpi, bench, folder, mode))
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    for mode, limit in MODES:
        runs = checked[mode]
        yield {"bench": bench.name, "what": bench.what, "mode": mode, "limit": DENSE if bench.dense else limit, "ns": median(p["ns"] for p in plain),
               "ratio": spread([c["ns"] / p["ns"] for c, p in zip(runs, plain)]),
               "added_ns": median(c["ns"] - p["ns"] for c, p in zip(runs, plain)),
               "added_mib": median(c["kib"] - p["kib"] for c, p in zip(runs, plain)) / 1024}


def measure_watched(build, mpi, folder, repeat):
    """The stencil, compiled by `tarry cc` and under `tarry check`, against the plain one."""
    tarry, source = os.path.join(build, "bin", "tarry"), os.path.join(HERE, "stencil.c")
    for compiler in filter(shutil.which, WATCHED):
        line = ["env", f"OMPI_CC={compiler}", f"MPICH_CC={compiler}"], [mpi.compiler, "-O2", "-g", source, "-lm", "-o"]
        plain, watched = (Bench(f"stencil-{compiler}{kind}", "", 0, "") for kind in ("", "-watched"))
        compile_one([*line[0], *line[1], os.path.join(folder, plain.name)])
        compile_one([*line[0], tarry, "cc", "--", *line[1], os.path.join(folder, watched.name)])
        ratio = spread([run_once(build, mpi, watched, folder, "")["ns"] / run_once(build, mpi, plain, folder, None)["ns"] for _ in range(repeat)])
        print(f"heat equation, compiled by 'tarry cc' with {compiler}: {ratio['median']:.2f} times ({ratio['low']:.2f}…{ratio['high']:.2f})")
        yield {"bench": watched.name, "compiler": compiler, "ratio": ratio}


def measure_deadlock(build, mpi, folder, repeat):
    """Milliseconds from when the last of two ranks begins to wait for the other until the run is stopped, and until the command ends."""
    program, results = os.path.join(folder, "knot"), os.path.join(folder, "results")
    compile_one([mpi.compiler, "-O2", "-g", "-Wall", "-Wextra", "-o", program, os.path.join(HERE, "knot.c")])
    times, prompts = [], []
    for _ in range(repeat):
        shutil.rmtree(results, ignore_errors=True)
        os.makedirs(results)
        line = [os.path.join(build, "bin", "tarry"), "check", "-o", "run.check", "--", mpi.launcher, "-n", "2", program]
        job = subprocess.Popen([ON_ONE_MACHINE, *line], cwd=results, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
        stopped, stopped_ns = os.path.join(results, "run.check", "stopped"), None
        while job.poll() is None and not stopped_ns:
            time.sleep(0.001)
            stopped_ns = time.time_ns() if os.path.exists(stopped) else None
        output, _ = job.communicate(timeout=SECONDS)
        ended_ns = time.time_ns()
        began = [json.loads(text)["began_ns"] for text in output.splitlines() if text.startswith("{")]
        if job.returncode != 4 or len(began) != 2 or not stopped_ns:
            sys.exit(f"{' '.join(line)} failed with {job.returncode}:\n{output}")
        times.append((stopped_ns - max(began)) / 1e6)
        prompts.append((ended_ns - max(began)) / 1e6)
    print(f"deadlock, until it is reported: {median(times):.0f} ms, at most {max(times):.0f} ms in {repeat} runs; until the command ends: {median(prompts):.0f} ms")
    return {"bench": "knot", "median_ms": median(times), "most_ms": max(times), "prompt_ms": median(prompts)}


def measure_start_and_end(build, mpi, folder, repeat):
    """Milliseconds that a check adds to a program that only starts and ends MPI."""
    program, results = os.path.join(folder, "nothing"), os.path.join(folder, "results")
    compile_one([mpi.compiler, "-O2", "-g", "-Wall", "-Wextra", "-o", program, os.path.join(HERE, "nothing.c")])
    plain, added = [], []
    for _ in range(2 * repeat):
        shutil.rmtree(results, ignore_errors=True)
        os.makedirs(results)
        line, times = [mpi.launcher, "-n", str(RANKS), program], []
        for before in ([], [os.path.join(build, "bin", "tarry"), "check", "--"]):
            began_ns = time.time_ns()
            subprocess.run([ON_ONE_MACHINE, *before, *line], cwd=results, timeout=SECONDS, capture_output=True, stdin=subprocess.DEVNULL, check=True)
            times.append((time.time_ns() - began_ns) / 1e6)
        plain.append(times[0])
        added.append(times[1] - times[0])
    print(f"start and end of a job: {median(plain):.0f} ms, with a check {median(added):.0f} ms more")
    return {"bench": "nothing", "ms": median(plain), "added_ms": median(added)}


def print_rows(mpi, rows):
    print(f"\n{mpi.name} {mpi.version()}, {RANKS} ranks")
    print(f"{'one round':32} {'with':15} {'alone':>12} {'added':>11} {'ratio':>6} {'quartiles':>12} {'MiB':>5}")
    for row in rows:
        ratio = row["ratio"]
        quartiles = f"{ratio['low']:.2f}…{ratio['high']:.2f}"
        print(f"{row['what']:32} {row['mode']:15} {row['ns'] / 1000:9.2f} us {row['added_ns'] / 1000:8.2f} us {ratio['median']:6.2f} "
              f"{quartiles:>12} {row['added_mib']:5.1f}")


def run_clients(build, program, *arguments, divided=False):
    """Processes without a program: the output of one of the programs in this folder."""
    subprocess.run(["cmake", "--build", build, "--target", f"bench-check-{program}"], check=True, stdout=subprocess.DEVNULL)
    analyser = [] if program == "parts" else [os.path.join(build, "bin", "tarry-analyser")]
    result = subprocess.run([os.path.join(build, "bench", "check", f"bench-check-{program}"), *analyser, *map(str, arguments)], timeout=SECONDS,
                            capture_output=True, text=True, check=False, env={**os.environ, "TARRY_CHECK_PARTS": str(int(divided))})
    if result.returncode:
        sys.exit(f"{program} {arguments}: {result.stdout}{result.stderr}")
    return json.loads(result.stdout)


def measure_analysers(build):
    """Processes without a program against analysers: their time and resources."""
    rows = [run_clients(build, "clients", *sizes) for sizes in CLIENTS]
    print(f"\n{'nodes':>9} {'processes':>9} {'million events/s':>17} {'MiB of an analyser':>19} {'bytes of an event':>18}")
    for row in rows:
        print(f"{row['nodes']:9} {row['processes']:9} {row['events_per_s'] / 1e6:17.1f} "
              f"{row['memory_bytes'] / 2**20:19.1f} {row['bytes_per_event']:18.2f}")
    return rows


def measure_knots(build, repeat):
    """All processes in one deadlock: the time until it is reported."""
    rows = []
    for kind in ("ring", "knot"):
        runs = [run_clients(build, "knots", KNOT_PROCESSES, kind) for _ in range(repeat)]
        rows.append({"kind": kind, **{key: median(run[key] for run in runs) for key in ("seconds", "cpu_s")}})
        print(f"{kind} of {KNOT_PROCESSES} processes, until it is reported: {rows[-1]['seconds']:.2f} s, of which the analyser computes {rows[-1]['cpu_s']:.2f} s")
    return rows


def measure_parts(build, repeat):
    """One run that analysers divide among themselves, and a deadlock of all its processes."""
    rows = []
    print(f"\n{KNOT_PROCESSES} processes, divided\n{'analysers':>9} {'largest share':>14} {'million events/s each':>22} {'bytes of a process':>19}")
    for parts in PARTS:
        runs = [run_clients(build, "parts", KNOT_PROCESSES, PART_STEPS, parts) for _ in range(repeat)]
        rows.append({key: median(run[key] for run in runs) for key in runs[0]})
        print(f"{parts:9} {rows[-1]['share']:14.3f} {rows[-1]['events_per_s'] / 1e6:22.1f} {rows[-1]['bytes_per_process']:19.0f}")
    rows[-1]["knot_s"] = median(run_clients(build, "knots", KNOT_PROCESSES, "ring", PARTS[-1], divided=True)["seconds"] for _ in range(repeat))
    print(f"ring of {KNOT_PROCESSES} processes on {PARTS[-1]} nodes, until it is reported: {rows[-1]['knot_s']:.2f} s")
    return rows


def judge_parts(rows):
    for row in rows:
        what = f"{row['parts']} analysers:"
        yield {"mpi": "", "what": f"{what} largest share of events and facts", "value": row["share"], "limit": PART_SHARE, "unit": "times"}
        yield {"mpi": "", "what": f"{what} time of an event", "value": 1e6 / row["events_per_s"], "limit": PART_EVENT_US, "unit": "us"}
        yield {"mpi": "", "what": f"{what} memory of a process", "value": row["bytes_per_process"], "limit": PART_BYTES, "unit": "bytes"}
        if "knot_s" in row:
            yield {"mpi": "", "what": f"{what} ring of {KNOT_PROCESSES} processes", "value": row["knot_s"], "limit": KNOT_S, "unit": "s"}


def judge_analysers(rows, knots):
    for row in knots:
        yield {"mpi": "", "what": f"{row['kind']} of {KNOT_PROCESSES} processes, until it is reported", "value": row["seconds"], "limit": KNOT_S, "unit": "s"}
    for row in rows:
        if row["nodes"] == 1:
            yield {"mpi": "", "what": f"one analyser, {row['processes']} processes: time of an event",
                   "value": 1e6 / row["events_per_s"], "limit": 1e6 / EVENTS_PER_S, "unit": "us"}


def judge(mpi, rows, watched, deadlock, ends):
    for row in watched:
        yield {"mpi": mpi.name, "what": f"slowdown, heat equation, 'tarry cc' with {row['compiler']}", "value": row["ratio"]["median"],
               "limit": WATCHED[row["compiler"]], "unit": "times"}
    yield {"mpi": mpi.name, "what": "until a deadlock is reported", "value": deadlock["most_ms"], "limit": DEADLOCK_MS, "unit": "ms"}
    yield {"mpi": mpi.name, "what": "from a deadlock to the end of the command", "value": deadlock["prompt_ms"], "limit": PROMPT_MS, "unit": "ms"}
    yield {"mpi": mpi.name, "what": "start and end of a job, added", "value": ends["added_ms"], "limit": START_AND_END_MS, "unit": "ms"}
    for row in rows:
        if row["bench"] == "pingpong" and not row["mode"]:
            yield {"mpi": mpi.name, "what": "ping-pong round trip, added", "value": row["added_ns"] / 1000,
                   "limit": ROUND_TRIP_NS / 1000, "unit": "us"}
        elif row["bench"] != "pingpong" and row["limit"]:
            yield {"mpi": mpi.name, "what": f"slowdown, {row['what']} {row['mode']}".rstrip(), "value": row["ratio"]["median"],
                   "limit": row["limit"], "unit": "times"}


def print_budgets(budgets):
    print("\nbudgets")
    for budget in budgets:
        verdict = "ok" if budget["value"] <= budget["limit"] else "MISSED"
        print(f"{budget['mpi']:8} {budget['what']:55} {budget['value']:7.2f} of {budget['limit']:5} {budget['unit']:6} {verdict}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build", help="where Tarry was built, such as 'build'")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="rounds of each program (default: 5)")
    parser.add_argument("--mpi", help="only this MPI library: openmpi or mpich")
    parser.add_argument("--only", choices=("parts",), help="only analysers that divide a run")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    machine, all_rows, budgets = describe_machine(), {}, []
    print(", ".join(str(value) for value in machine.values() if value))
    for mpi in (m for m in find_mpis(build) if options.mpi in (None, m.name) and not options.only):
        folder = os.path.join(build, "bench", "check", mpi.name)
        compile_all(mpi, folder)
        rows = [row for bench in BENCHES for row in measure(build, mpi, bench, folder, options.repeat)]
        print_rows(mpi, rows)
        watched = list(measure_watched(build, mpi, folder, options.repeat))
        deadlock = measure_deadlock(build, mpi, folder, options.repeat)
        ends = measure_start_and_end(build, mpi, folder, options.repeat)
        all_rows[mpi.name] = [*rows, *watched, deadlock, ends]
        budgets += judge(mpi, rows, watched, deadlock, ends)
    all_rows["analysers"] = measure_analysers(build) if not options.only else []
    all_rows["knots"] = measure_knots(build, options.repeat) if not options.only else []
    all_rows["parts"] = measure_parts(build, options.repeat)
    budgets += judge_analysers(all_rows["analysers"], all_rows["knots"])
    budgets += judge_parts(all_rows["parts"])
    if not budgets:
        sys.exit(f"nothing to measure: '{build}/lib' has no library for an MPI that is installed here")
    print_budgets(budgets)
    with open(os.path.join(build, "bench", "check.json"), "w", encoding="utf-8") as file:
        json.dump({"machine": machine, "rows": all_rows, "budgets": budgets}, file, indent=1)
    sys.exit(0 if all(budget["value"] <= budget["limit"] for budget in budgets) else 3)


if __name__ == "__main__":
    main()

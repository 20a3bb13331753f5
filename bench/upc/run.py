"""Costs of recording a UPC program: `make bench-upc`, or bench/upc/run.py BUILD.

A small program imitates the runtime and reports empty calls to a tool: an empty tool, Tarry's library without a recorder,
and Tarry recording. They alternate in one run; each value is compared with that of the empty tool in the same round. Prints
a table and the budgets, writes BUILD/bench/upc.json.

Exit code 0: the budgets hold; 3: one is missed; 1: a program does not run."""

import argparse
import json
import os
import shutil
import subprocess
import sys
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
ROUNDS = 7
SECONDS = 120
TOOLS = ("empty", "idle", "recording")

# Measured calls: the number of event pairs per call, and the allowed cost of a pair.
CALLS = {"memput": ("upc_memput", 1), "barrier": ("upc_barrier", 2)}
BUDGET_NS = 40


def compile_all(build, folder):
    flags = ["-O2", "-Wall", "-Wextra", f"-I{os.path.join(ROOT, 'upc')}", os.path.join(HERE, "events.c")]
    archive = os.path.join(build, "lib", "libtarry-gasp.a")
    for name, tool in (("empty", os.path.join(HERE, "empty.c")), ("tarry", archive)):
        subprocess.run(["cc", *flags, tool, "-ldl", "-o", os.path.join(folder, name)], check=True)


def command_of(tool, build, folder):
    if tool == "recording":
        trace = os.path.join(folder, "trace.tarry")
        return [os.path.join(build, "bin", "tarry"), "run", "--no-analyze", "-o", trace, "--", os.path.join(folder, "tarry")]
    return [os.path.join(folder, "empty" if tool == "empty" else "tarry")]


def measure(tool, build, folder, before):
    shutil.rmtree(os.path.join(folder, "trace.tarry.parts"), ignore_errors=True)
    if os.path.exists(os.path.join(folder, "trace.tarry")):
        os.remove(os.path.join(folder, "trace.tarry"))
    done = subprocess.run([*before, *command_of(tool, build, folder)], stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.DEVNULL, timeout=SECONDS, check=True)
    return json.loads(done.stdout)


def undisturbed():
    """Prefix of a command that keeps other processes away from its CPU, if allowed."""
    line = ["chrt", "-f", "50"]
    try:
        allowed = subprocess.run([*line, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        allowed = False
    return line if allowed else []


def rows_of(measured):
    rows = []
    for key, (call, pairs) in CALLS.items():
        added = {tool: median(one[key] - empty[key] for one, empty in zip(measured[tool], measured["empty"]))
                 for tool in TOOLS}
        rows.append({"call": call, "pairs": pairs, "empty_ns": median(one[key] for one in measured["empty"]),
                     "idle_added_ns": added["idle"], "added_ns": added["recording"],
                     "added_per_pair_ns": added["recording"] / pairs,
                     "ratio": median(one[key] / empty[key] for one, empty in zip(measured["recording"], measured["empty"]))})
    return rows


def show(rows, memory_mib):
    print(f"{'call':<14}{'empty tool':>12}{'not recorded':>14}{'recorded':>11}{'a pair':>10}{'ratio':>8}")
    for row in rows:
        print(f"{row['call']:<14}{row['empty_ns']:>9.1f} ns{row['idle_added_ns']:>+11.1f} ns{row['added_ns']:>+8.1f} ns"
              f"{row['added_per_pair_ns']:>+7.1f} ns{row['ratio']:>8.1f}")
    print(f"memory of a thread: {memory_mib:+.1f} MiB\n")
    worst = max(row["added_per_pair_ns"] for row in rows)
    print(f"{'held' if worst <= BUDGET_NS else 'MISSED'}: a pair of events, added: {worst:.1f} of {BUDGET_NS} ns")
    return worst <= BUDGET_NS


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build", type=os.path.abspath)
    options = parser.parse_args()
    folder = os.path.join(options.build, "bench", "upc")
    os.makedirs(folder, exist_ok=True)
    measured, before = {tool: [] for tool in TOOLS}, undisturbed()
    try:
        compile_all(options.build, folder)
        for _ in range(ROUNDS):
            for tool in TOOLS:
                measured[tool].append(measure(tool, options.build, folder, before))
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        sys.exit(f"bench-upc: {error}")
    rows = rows_of(measured)
    memory_mib = median(one["hwm_kib"] - empty["hwm_kib"]
                        for one, empty in zip(measured["recording"], measured["empty"])) / 1024
    held = show(rows, memory_mib)
    with open(os.path.join(options.build, "bench", "upc.json"), "w", encoding="utf-8") as file:
        json.dump({"calls": rows, "added_mib": memory_mib, "budget_ns": BUDGET_NS, "held": held, "runs": measured}, file,
                  indent=1)
    return 0 if held else 3


if __name__ == "__main__":
    sys.exit(main())

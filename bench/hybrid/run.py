"""What recording costs OpenMP constructs: `make bench-hybrid`, or bench/hybrid/run.py BUILD.

A program with a team of two threads measures its own constructs, plain and recorded in turn, with GCC's runtime and, if clang is there, LLVM's. The cost of a
construct is the difference between its fastest times, so that other processes of the machine matter little. Prints a table and the budget, writes
BUILD/bench/hybrid.json.

Exit code 0: the budget holds; 3: it is missed; 1: a program does not run."""

import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = 7
SECONDS = 120
BUDGET_NS = 60
# Construct -> what is recorded of it in the thread that the others wait for: a region or a dynamic loop has a begin, an end and a barrier.
EVENTS = {"parallel": 3, "loop": 3, "barrier": 1, "critical": 1, "lock": 1, "task": 1}
RUNTIMES = {"libgomp": "gcc", "libomp": "clang"}
# Open MPI binds a single rank to one core, on which its threads would take turns.
LIBRARIES = {"openmpi": ("mpicc.openmpi", ["mpirun.openmpi", "--bind-to", "none", "-n", "1"]), "mpich": ("mpicc.mpich", ["mpirun.mpich", "-n", "1"])}


def library():
    for name, (compiler, launcher) in LIBRARIES.items():
        if shutil.which(compiler) and shutil.which(launcher[0]):
            return name, compiler, launcher
    sys.exit("bench-hybrid: neither mpicc.openmpi nor mpicc.mpich is installed")


def compiled(compiler, real, folder):
    """None: this compiler has no OpenMP here."""
    program = os.path.join(folder, f"team-{real}")
    done = subprocess.run([compiler, "-O2", "-fopenmp", os.path.join(HERE, "team.c"), "-o", program], check=False, capture_output=True,
                          env={**os.environ, "OMPI_CC": real, "MPICH_CC": real})
    return program if done.returncode == 0 else None


def measure(line):
    done = subprocess.run([os.path.join(HERE, "..", "..", "scripts", "mpirun-here"), *line], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=SECONDS, check=False, env={**os.environ, "OMP_PROC_BIND": "false"})
    if done.returncode:
        sys.exit(f"bench-hybrid: {' '.join(line)} failed with {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def rows_of(runtime, program, launcher, build, folder):
    plain_line = [*launcher, program]
    recorded_line = [os.path.join(build, "bin", "tarry"), "run", "--no-analyze", "-o", os.path.join(folder, "team.tarry"), "--", *plain_line]
    rounds = [(measure(plain_line), measure(recorded_line)) for _ in range(ROUNDS)]
    for construct, events in EVENTS.items():
        before, after = (min(measured[construct] for measured in runs) for runs in zip(*rounds))
        yield {"runtime": runtime, "construct": construct, "plain_ns": before, "added_ns": after - before, "ratio": after / before, "events": events,
               "added_per_event_ns": (after - before) / events}


def show(rows):
    print(f"{'runtime':<10}{'construct':<12}{'plain':>11}{'recorded':>12}{'ratio':>8}{'an event':>12}")
    for row in rows:
        event = f"{row['added_per_event_ns']:+.0f} ns"
        print(f"{row['runtime']:<10}{row['construct']:<12}{row['plain_ns']:>8.0f} ns{row['added_ns']:>+9.0f} ns{row['ratio']:>8.2f}{event:>12}")
    worst = max((row for row in rows if row["events"]), key=lambda row: row["added_per_event_ns"])
    held = worst["added_per_event_ns"] <= BUDGET_NS
    print(f"\n{'held' if held else 'MISSED'}: an event, added: {worst['added_per_event_ns']:.0f} of {BUDGET_NS} ns ({worst['runtime']}, {worst['construct']})")
    return held


def main():
    build = os.path.abspath(sys.argv[1])
    folder = os.path.join(build, "bench", "hybrid")
    os.makedirs(folder, exist_ok=True)
    name, compiler, launcher = library()
    rows = []
    for runtime, real in RUNTIMES.items():
        program = compiled(compiler, real, folder)
        if program:
            rows += rows_of(runtime, program, launcher, build, folder)
        else:
            print(f"{runtime}: not measured, because {real} cannot compile OpenMP here")
    print(f"One rank with a team of two threads, {name}, the fastest of {ROUNDS} pairs of runs:")
    held = show(rows)
    with open(os.path.join(build, "bench", "hybrid.json"), "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
    sys.exit(0 if held else 3)


main()

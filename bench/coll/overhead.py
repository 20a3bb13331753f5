"""Overhead of `tarry coll` per collective call, in nanoseconds, for calls left to MPI and for calls done by an algorithm.

    overhead.py BUILD [--mpi openmpi|mpich] [--rounds 5]

On one node, whose processes share its cores with other load: the minimum of many means counts, and the overhead is the difference of two of them.
Jobs of each kind alternate. The budget is for jobs of one process: the overhead of two processes is within the noise of their messages on a busy
machine."""

import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(HERE, "..")]
import jobs_here
import simulation

# Allowed overhead of a call that MPI does, in nanoseconds.
BUDGET_NS = 50
# Of one process, and of two, which on a busy machine seldom run at the same time for long.
CALLS, REPETITIONS, SECONDS = {1: 2000, 2: 100}, {1: 50, 2: 300}, 300
# Operation, bytes, an algorithm of ours that serves one node.
CASES = [("barrier", 0, "leaders"), ("bcast", 8, "pipeline"), ("allgather", 8, "ring")]


def compile_program(mpi, build):
    program = os.path.join(build, "bench-coll", f"measure-{mpi.name}")
    os.makedirs(os.path.dirname(program), exist_ok=True)
    jobs_here.compile_one([mpi.compiler, "-O2", "-w", "-D_GNU_SOURCE", "-I", os.path.join(simulation.SOURCE, "src"), *simulation.sources(),
                           "-o", program, "-lm"])
    return program


def least(mpi, program, ranks, case, tarry, algorithm):
    """Nanoseconds of the fastest mean."""
    operation, size, _ = case
    words = [jobs_here.ON_ONE_MACHINE, *tarry, mpi.launcher, "-n", str(ranks), program, f"--calls={CALLS[ranks]}", str(REPETITIONS[ranks]),
             operation, str(size), algorithm]
    result = subprocess.run(words, env={**os.environ, "OMPI_MCA_mpi_yield_when_idle": "1"}, capture_output=True, text=True, check=False,
                            timeout=SECONDS)
    lines = [line.split("\t") for line in result.stdout.splitlines() if line.startswith(f"{operation}\t")]
    times = [min(map(float, line[3].split())) for line in lines if line[2] == algorithm]
    if result.returncode or not times:
        sys.exit(f"{' '.join(words)} failed:\n{result.stdout}{result.stderr}")
    return 1000 * times[0]


def kinds(case, tarry, ranks):
    """Name: prefix of the launcher, measured algorithm."""
    operation, _, algorithm = case
    found = {"mpi": ([], "library"), "left": ([tarry, "coll", "--algorithm", f"{operation}=mpi", "--"], "library")}
    if ranks > 1:
        found["direct"] = ([], algorithm)
        found["served"] = ([tarry, "coll", "--algorithm", f"{operation}={algorithm}", "--"], "library")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("--mpi", action="append")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    tarry = os.path.join(build, "bin", "tarry")
    print(f"{'nanoseconds':24}{'MPI':>8}{'left to it':>12}{'added':>8}{'algorithm':>11}{'served':>8}{'added':>8}")
    most = 0
    for mpi in jobs_here.find_mpis(build):
        if options.mpi and mpi.name not in options.mpi:
            continue
        program = compile_program(mpi, build)
        for ranks in (1, 2):
            for case in CASES:
                wanted = kinds(case, tarry, ranks)
                found = {name: [] for name in wanted}
                for _ in range(options.rounds):
                    for name, (before, algorithm) in wanted.items():
                        found[name].append(least(mpi, program, ranks, case, before, algorithm))
                best = {name: min(times) for name, times in found.items()}
                line = f"{mpi.name + ', ' + str(ranks) + ', ' + case[0]:24}{best['mpi']:8.0f}{best['left']:12.0f}{best['left'] - best['mpi']:8.0f}"
                if ranks == 1:
                    most = max(most, best["left"] - best["mpi"])
                else:
                    line += f"{best['direct']:11.0f}{best['served']:8.0f}{best['served'] - best['direct']:8.0f}"
                print(line, flush=True)
    print(f"{'kept' if most <= BUDGET_NS else 'MISSED'}: a call that is left to MPI takes at most {BUDGET_NS} ns longer")
    return 0 if most <= BUDGET_NS else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""How long a job that analyses itself (`tarry run --analyze=in-job --no-trace`) takes after its last rank has called MPI_Finalize.

    in_job.py BUILD [--ranks 8] [--rounds 333333] [--repeat 3]

A round is three calls of each rank. Prints, for each MPI library, the medians of the program by itself, of the job that analyses itself, and their difference."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from jobs_here import ON_ONE_MACHINE, compile_one, find_mpis

BUDGET_S = 1.0
NOT_IN_JOB = "did not analyse its run"


def seconds_after(line, folder):
    """From the last call of MPI_Finalize to the end of the command."""
    result = subprocess.run([ON_ONE_MACHINE, *line], cwd=folder, capture_output=True, text=True, check=True,
                            env=dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1"))
    end = time.time()
    if NOT_IN_JOB in result.stderr:
        sys.exit(f"the job did not analyse its run:\n{result.stderr}")
    return end - max(float(line) for line in result.stdout.split())


def measure(mpi, options, folder):
    program = os.path.join(folder, f"ring-{mpi.name}")
    compile_one([mpi.compiler, "-O2", "-g", "-w", "-o", program, os.path.join(HERE, "in_job.c")])
    job = [mpi.launcher, "-n", str(options.ranks), program, str(options.rounds)]
    tarry = [os.path.join(options.build, "bin", "tarry"), "run", "--analyze=in-job", "--no-trace", "--"]
    plain, analysed = [], []
    for _ in range(options.repeat):
        plain.append(seconds_after(job, folder))
        analysed.append(seconds_after([*tarry, *job], folder))
    return median(plain), median(analysed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build", type=os.path.abspath)
    for name, number in (("ranks", 8), ("rounds", 333333), ("repeat", 3)):
        parser.add_argument(f"--{name}", type=int, default=number)
    options = parser.parse_args()
    print("%-8s %6s %10s %9s %9s %9s" % ("MPI", "ranks", "calls", "plain", "analysed", "added"))
    with tempfile.TemporaryDirectory() as folder:
        for mpi in find_mpis(options.build):
            plain, analysed = measure(mpi, options, folder)
            print("%-8s %6d %10d %7.2f s %7.2f s %7.2f s%s" % (mpi.name, options.ranks, 3 * options.rounds * options.ranks, plain, analysed, analysed - plain,
                                                              "" if analysed - plain <= BUDGET_S else "  over budget"), flush=True)


if __name__ == "__main__":
    main()

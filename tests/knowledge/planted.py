"""A pattern's two programs, examples/patterns/ID/bad.* and good.*, under one MPI library: the bad one gives the findings that
are planted in it, on their lines, and no others; the good one gives none.

    planted.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR examples/patterns/ID

A program says in its first lines how it is run:

    tarry-example: ranks=2 mpi=openmpi args=1,2

and behind a call what is to be found there: see plan.py. A machine that is busy with other things may come late with a rank that slept, so
that a job has eight tries. Exit code 77: skipped."""

import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys

from plan import faults, plan_of, settings_of, told

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
ON_ONE_MACHINE = os.path.join(ROOT, "scripts", "mpirun-here")
COMPILERS = {".c": "mpicc", ".f90": "fc"}
TRIES = 8
SECONDS = 120
CALL = re.compile(r"\bMPI_\w+\s*\(", re.IGNORECASE)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpi", "mpicc", "launcher", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--fc", default="")
    parser.add_argument("folder")
    options = parser.parse_args()
    options.work, options.bin = os.path.abspath(options.work), os.path.abspath(options.bin)
    return options


def source_in(folder, name):
    found = glob.glob(os.path.join(folder, name + ".*"))
    if len(found) != 1:
        sys.exit(f"FAILED: '{folder}' needs one {name}.c or {name}.f90")
    return found[0]


def build(options, source):
    compiler = getattr(options, COMPILERS[os.path.splitext(source)[1]])
    if not compiler:
        print("skipped: no Fortran compiler of this MPI library")
        sys.exit(77)
    program = os.path.join(options.work, os.path.splitext(os.path.basename(source))[0])
    warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-stringop-overflow"] if source.endswith(".c") else []
    subprocess.run([*compiler.split(), "-g", "-O1", *warnings, "-o", program, source], check=True)
    return program


def found_in(options, program, settings):
    """What a run shows, and how many seconds of it are not certain: clocks may be apart, a busy machine may let ranks wait."""
    trace = program + ".tarry"
    tarry = os.path.join(options.bin, "tarry")
    arguments = settings["args"].split(",") if settings.get("args") else []
    environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_osc="^ucx")
    subprocess.run([ON_ONE_MACHINE, tarry, "run", "--no-analyze", "-o", trace, "--", options.launcher, "-n",
                    settings["ranks"], program, *arguments], check=True, timeout=SECONDS, env=environment,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    done = subprocess.run([tarry, "analyze", "--all", "--json", "-", trace], check=True, capture_output=True)
    run = json.loads(done.stdout)
    return run["findings"], run["run"]["uncertainty_s"] + run["run"]["without_processor_s"]


def try_program(options, source, plan, least):
    settings = settings_of(source)
    if settings.get("mpi", options.mpi) != options.mpi:
        print(f"skipped: only for {settings['mpi']}")
        sys.exit(77)
    program = build(options, source)
    for number in range(1, TRIES + 1):
        findings, doubt = found_in(options, program, settings)
        wrong = list(faults(findings, plan, doubt, least))
        if not wrong:
            print(f"{os.path.basename(source)}: as planted in run {number}")
            return []
    return [f"{source}: {fault}" for fault in wrong] + [f"  found: {told(finding)}" for finding in findings]


def main():
    options = read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    bad, good = source_in(options.folder, "bad"), source_in(options.folder, "good")
    plan = plan_of(bad, CALL)
    if not plan:
        sys.exit(f"FAILED: nothing is planted in '{bad}'")
    least = min((planted.total for planted in plan if planted.total), default=0.4)
    wrong = try_program(options, bad, plan, least) + try_program(options, good, [], least)
    if wrong:
        sys.exit("FAILED:\n" + "\n".join(wrong))
    print(f"{len(plan)} findings in the one, none in the other")


main()

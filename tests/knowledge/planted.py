"""A pattern's two programs, examples/patterns/ID/bad.* and good.*, under one MPI library: the bad one gives the findings that
are planted in it, on their lines, and no others; the good one gives none.

    planted.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR examples/patterns/ID

A program says in its first lines how it is run:

    tarry-example: ranks=2 mpi=openmpi args=1,2 slow=MPI_Recv

and behind a call what is to be found there: see plan.py. `slow`: these functions take a millisecond longer (slow.c), where not a
wait is planted but calls that cost something; `besides`: what else is true of a program that is slow in this way; `critical`: the rank that more than half of the
critical path leads through. How often a job is run, and how long what is planted in it takes on a busy
machine: see tries.py. Exit code 77: skipped."""

import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys

from plan import faults, found_in_trace, least_of, plan_of, settings_of, stretched, told
from tries import judge

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
ON_ONE_MACHINE = os.path.join(ROOT, "scripts", "mpirun-here")
COMPILERS = {".c": "mpicc", ".f90": "fc"}
SLOW_US = 1000
SECONDS = 200
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


def build(options, source, settings, stretch):
    compiler = getattr(options, COMPILERS[os.path.splitext(source)[1]])
    if not compiler:
        print("skipped: no Fortran compiler of this MPI library")
        sys.exit(77)
    program = os.path.join(options.work, os.path.splitext(os.path.basename(source))[0])
    slow = settings["slow"].split(",") if "slow" in settings else []
    words = []
    if source.endswith(".c"):
        words += ["-Wall", "-Wextra", "-Werror", "-Wno-stringop-overflow", "-include", os.path.join(HERE, "stretch.h"),
                  f"-DSTRETCH={stretch}"]
    if slow:
        words += [*(f"-DSLOW_{name}" for name in slow), f"-DSLOW_US={SLOW_US}", os.path.join(HERE, "slow.c"), "-rdynamic"]
    subprocess.run([*compiler.split(), "-g", "-O1", *words, "-o", program, source, "-ldl"], check=True)
    return program


def found_in(options, program, settings):
    trace = program + ".tarry"
    tarry = os.path.join(options.bin, "tarry")
    arguments = settings["args"].split(",") if settings.get("args") else []
    environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_osc="^ucx")
    subprocess.run([ON_ONE_MACHINE, tarry, "run", "--no-analyze", "--replace", "-o", trace, "--", options.launcher, "-n",
                    settings["ranks"], program, *arguments], check=True, timeout=SECONDS, env=environment,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return found_in_trace(tarry, trace)


def path_faults(options, program, settings):
    """`critical`: the rank whose work is more than half of the critical path."""
    if "critical" not in settings:
        return
    done = subprocess.run([os.path.join(options.bin, "tarry"), "analyze", "--json", "-", program + ".tarry"], check=True, capture_output=True)
    path = json.loads(done.stdout)["critical_path"]
    first = path and path["ranks"][0]
    if not first or first["rank"] != int(settings["critical"]) or first["share"] < 0.5:
        yield f"the critical path leads through {path and path['ranks']}, not rank {settings['critical']}"


def try_program(options, source, plan, least):
    settings = settings_of(source)
    if settings.get("mpi", options.mpi) != options.mpi:
        print(f"skipped: only for {settings['mpi']}")
        sys.exit(77)
    besides = settings.get("besides", "").split(",")

    def attempt(stretch):
        program = build(options, source, settings, stretch)
        findings, doubt = found_in(options, program, settings)
        findings = [finding for finding in findings if finding["pattern"] not in besides]
        wrong = list(faults(findings, stretched(plan, stretch), doubt, least * stretch)) + list(path_faults(options, program, settings))
        return [f"{source}: {fault}" for fault in wrong] + [f"  found: {told(finding)}" for finding in findings if wrong]

    return judge(os.path.basename(source), attempt)


def main():
    options = read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    bad, good = source_in(options.folder, "bad"), source_in(options.folder, "good")
    plan = plan_of(bad, CALL)
    if not plan:
        sys.exit(f"FAILED: nothing is planted in '{bad}'")
    least = least_of(plan)
    wrong = try_program(options, bad, plan, least) + try_program(options, good, [], least)
    if wrong:
        sys.exit("FAILED:\n" + "\n".join(wrong))
    print(f"{len(plan)} findings in the one, none in the other")


if __name__ == "__main__":
    main()

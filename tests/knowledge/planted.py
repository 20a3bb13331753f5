"""A pattern's two programs, examples/patterns/ID/bad.* and good.*, under one MPI library: the bad one gives the findings that are planted in it, on
their lines, and no others; the good one gives none.

    planted.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR examples/patterns/ID

A program says in its first lines how it is run:

    tarry-example: ranks=2 mpi=openmpi args=1,2 slow=MPI_Recv openmp=yes env=NAME=VALUE;NAME=VALUE

and after a call the expected findings: see plan.py. `slow`: these functions take a millisecond longer (slow.c), if expensive calls are planted
instead of a wait; `besides`: other findings of such a program; `critical`: the rank with more than half of the critical path. For the number of
runs and the length of planted delays on a busy machine see tries.py. Exit code 77: skipped."""

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
sys.path.append(os.path.join(HERE, "..", "report"))

from path_walker import Unknown, fault_of  # noqa: E402

ON_ONE_MACHINE = os.path.join(ROOT, "scripts", "mpirun-here")
COMPILERS = {".c": "mpicc", ".f90": "fc"}
SLOW_US = 1000
SECONDS = 200
CALL = re.compile(r"\b(?:MPI|shmem)_\w+\s*\(|^\s*(#\s*pragma|!\$)\s*omp\b|\bomp_set_lock\b", re.IGNORECASE)


def read_options(has_folder=True):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpi", "mpicc", "launcher", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--fc", default="")
    if has_folder:
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
    if "openmp" in settings:
        words.append("-fopenmp")
    if slow:
        words += [*(f"-DSLOW_{name}" for name in slow), f"-DSLOW_US={SLOW_US}", os.path.join(HERE, "slow.c"), "-rdynamic"]
    subprocess.run([*compiler.split(), "-g", "-O1", *words, "-o", program, source, "-ldl"], check=True)
    return program


def found_in(options, program, settings):
    trace = program + ".tarry"
    tarry = os.path.join(options.bin, "tarry")
    arguments = settings["args"].split(",") if settings.get("args") else []
    environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_osc="^ucx")
    environment.update(setting.split("=", 1) for setting in settings.get("env", "").split(";") if setting)
    subprocess.run([ON_ONE_MACHINE, tarry, "run", "--no-analyze", "--replace", "-o", trace, "--", options.launcher, "-n",
                    settings["ranks"], program, *arguments], check=True, timeout=SECONDS, env=environment,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return found_in_trace(tarry, trace)


def path_faults(options, program, settings):
    """The critical path is the one that a second evaluation finds. `critical`: the rank whose work is more than half of it."""
    tarry, trace = os.path.join(options.bin, "tarry"), program + ".tarry"
    try:
        wrong = fault_of(tarry, trace)
        if wrong:
            yield f"critical path: {wrong}"
    except Unknown as reason:
        print(f"{os.path.basename(program)}: the critical path is not walked a second time ({reason})")
    if "critical" not in settings:
        return
    done = subprocess.run([tarry, "analyze", "--json", "-", trace], check=True, capture_output=True)
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

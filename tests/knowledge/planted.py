"""A pattern's two programs, examples/patterns/ID/bad.* and good.*, under one MPI library: the bad one gives the findings that
are planted in it, on their lines, and no others; the good one gives none.

    planted.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR examples/patterns/ID

A program says in its first lines how it is run:

    tarry-example: ranks=2 mpi=openmpi args=1,2

and behind a call, on the same line or the next ones, what is to be found there:

    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    /* @mpi.late-standard-send rank=1 total=0.2 count=1 partner=0 */

rank     that are charged, separated by commas
total    seconds, of all of them together: right within 5 %, or what clocks may be wrong by, and what ranks had no
         processor for, but never by more than half of what is planted
count    occurrences
partner  ranks at the other end

All but `rank` may be left out. What costs less than a twentieth of what is planted is noise; on a busy machine, less than half of
it: the good program must not pass for the bad one. A machine that is busy with other things may come late with a rank that slept, so
that a job has five tries. Exit code 77: skipped."""

import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
ON_ONE_MACHINE = os.path.join(ROOT, "scripts", "mpirun-here")
COMPILERS = {".c": "mpicc", ".f90": "fc"}
TRIES = 5
TOLERANCE = 0.05
BUSY_TOLERANCE = 0.5
SECONDS = 60
CALL = re.compile(r"\bMPI_\w+\s*\(", re.IGNORECASE)


class Planted:
    def __init__(self, pattern, words, line):
        self.pattern, self.line = pattern, line
        values = dict(word.split("=", 1) for word in words)
        self.ranks = numbers(values.pop("rank"))
        self.partners = numbers(values.pop("partner")) if "partner" in values else None
        self.total = float(values.pop("total", 0))
        self.count = int(values.pop("count", 0))
        if values:
            raise ValueError(f"line {line}: what is {' '.join(values)}?")


def numbers(text):
    return sorted(int(number) for number in text.split(","))


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpi", "mpicc", "launcher", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--fc", default="")
    parser.add_argument("folder")
    options = parser.parse_args()
    options.work, options.bin = os.path.abspath(options.work), os.path.abspath(options.bin)
    return options


def settings_of(source):
    with open(source, encoding="utf-8") as file:
        for line in file.readlines()[:20]:
            if "tarry-example:" in line:
                words = line.partition("tarry-example:")[2].replace("*/", "").split()
                return dict(word.split("=", 1) for word in words)
    sys.exit(f"FAILED: '{source}' does not say how it is run")


def plan_of(source):
    found, call = [], 0
    with open(source, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            call = number if CALL.search(line.partition("/*")[0]) else call
            for pattern, words in re.findall(r"@([a-z]+\.[-a-z0-9]+)([^@*]*)", line):
                found.append(Planted(pattern, words.split(), call))
    return found


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
    told = json.loads(done.stdout)
    return told["findings"], told["run"]["uncertainty_s"] + told["run"]["without_processor_s"]


def is_it(finding, planted, doubt):
    margin = max(TOLERANCE * planted.total, min(doubt, BUSY_TOLERANCE * planted.total))
    partner = finding["partner"] or {"ranks": []}
    return (finding["pattern"] == planted.pattern and finding["line"] == planted.line
            and finding["processes"] == planted.ranks
            and (not planted.total or abs(finding["total_s"] - planted.total) <= margin)
            and planted.count in (0, finding["occurrences"])
            and planted.partners in (None, partner["ranks"]))


def told(finding):
    partner = finding["partner"] or {"ranks": "nobody"}
    return (f"{finding['pattern']} on {finding['processes']} line {finding['line']}: {finding['occurrences']} times, "
            f"{finding['total_s']} s, partner {partner['ranks']}")


def faults(findings, plan, doubt, least):
    left = list(findings)
    for planted in plan:
        match = next((finding for finding in left if is_it(finding, planted, doubt)), None)
        if match:
            left.remove(match)
        else:
            yield f"not found: {planted.pattern} on {planted.ranks} line {planted.line}: {planted.total} s"
    for finding in left:
        if finding["total_s"] >= max(TOLERANCE * least, min(doubt, BUSY_TOLERANCE * least)):
            yield f"not planted: {told(finding)}"


def try_program(options, source, plan, least):
    settings = settings_of(source)
    if settings.get("mpi", options.mpi) != options.mpi:
        print(f"skipped: only for {settings['mpi']}")
        sys.exit(77)
    program = build(options, source)
    for _ in range(TRIES):
        findings, doubt = found_in(options, program, settings)
        wrong = list(faults(findings, plan, doubt, least))
        if not wrong:
            return []
    return [f"{source}: {fault}" for fault in wrong] + [f"  found: {told(finding)}" for finding in findings]


def main():
    options = read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    bad, good = source_in(options.folder, "bad"), source_in(options.folder, "good")
    plan = plan_of(bad)
    if not plan:
        sys.exit(f"FAILED: nothing is planted in '{bad}'")
    least = min((planted.total for planted in plan if planted.total), default=0.4)
    wrong = try_program(options, bad, plan, least) + try_program(options, good, [], least)
    if wrong:
        sys.exit("FAILED:\n" + "\n".join(wrong))
    print(f"{len(plan)} findings in the one, none in the other")


main()

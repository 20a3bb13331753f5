"""Problems with files in twins: the bad version of a case gives the finding that is planted in it, on its line and with its cost within 5 %, the good one none
about files; in C (examples/io) and Fortran (files).

    files.py --mpi mpich --mpicc mpicc.mpich --fc mpif90.mpich --launcher mpiexec.mpich --bin build/bin --work DIR [--all]

slow_files.c makes calls on files slow and measures them, so that the planted cost is known: `time` names its part, on each of the ranks."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys

import omp
from plan import TOLERANCE
from planted import HERE, ON_ONE_MACHINE, ROOT, SECONDS

sys.path.append(os.path.join(HERE, ".."))

import turns  # noqa: E402

RANKS = 2
CASES = ("serial-writer", "small-writes", "metadata-storm", "same-file")
EVERY = 4
INPUT_BYTES = 16 << 20


def sources_of(case):
    """By version."""
    folder, fortran = os.path.join(ROOT, "examples", "io", case), os.path.join(HERE, "files", case + ".F90")
    return {"c": {"bad": os.path.join(folder, "bad.c"), "good": os.path.join(folder, "good.c")}, "fortran": {"bad": fortran, "good": fortran}}


def plan_of(source):
    """Line, problem, ranks and the measured time. It stands behind the call that opens the file, or on the next line."""
    with open(source, encoding="utf-8") as file:
        opened = 0
        for number, line in enumerate(file, 1):
            opened = number if "open" in line else opened
            found = re.search(r"@(io\.[\w-]+) rank=([\d,]+) time=(\w+)", line)
            if found:
                return opened, found[1], found[2].split(","), found[3]
    sys.exit(f"FAILED: nothing is planted in {source}")


def build(options, source, version):
    program = os.path.join(options.work, f"{os.path.basename(source).partition('.')[0]}-{version}")
    line = [*options.fc.split(), f"-J{options.work}"] if source.endswith(".F90") else [*options.mpicc.split(), "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*line, "-g", "-O1", *(["-DGOOD"] if version == "good" else []), "-o", program, source], check=True, cwd=options.work)
    return program


def run(options, program, slow):
    """Findings about files, and the measured times by rank."""
    work, times = program + ".run", program + ".times"
    for folder in (work, times):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    with open(os.path.join(work, "input.dat"), "wb") as file:
        file.truncate(INPUT_BYTES)
    trace, tarry = program + ".tarry", os.path.join(options.bin, "tarry")
    subprocess.run([ON_ONE_MACHINE, tarry, "run", "--io", "--no-analyze", "--replace", "-o", trace, "--", options.launcher, "-n", str(RANKS),
                    "env", f"SLOW_FILES={times}", program], check=True, timeout=SECONDS, cwd=work, capture_output=True,
                   env={**os.environ, "LD_PRELOAD": slow, "OMPI_MCA_mpi_yield_when_idle": "1"})
    report = json.loads(subprocess.run([tarry, "report", "--all", "--json", "-", trace], check=True, capture_output=True).stdout)
    measured = {}
    for path in glob.glob(os.path.join(times, "*")):
        with open(path, encoding="ascii") as file:
            measured[os.path.basename(path)] = {name: float(value) for name, value in map(str.split, file)}
    return [finding for finding in report["findings"] if finding["pattern"].startswith("io.")], measured


def faults(findings, plan, measured):
    line, pattern, ranks, kind = plan
    if [finding["pattern"] for finding in findings] != [pattern]:
        yield f"{[finding['pattern'] for finding in findings]} were found, not {pattern}"
        return
    found, planted = findings[0], sum(measured[rank][kind] for rank in ranks)
    if abs(found["total_s"] - planted) > TOLERANCE * planted:
        yield f"{found['total_s']} s were found, not {planted}"
    if (found["line"], [str(rank) for rank in found["processes"]]) != (line, ranks):
        yield f"found at line {found['line']} of {found['processes']}, not {line} of {ranks}"
    print(f"{pattern}: {found['total_s']:.4f} s found, {planted:.4f} s planted")


def main():
    options = omp.read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    slow = os.path.join(options.work, "slow_files.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", slow, os.path.join(HERE, "slow_files.c"), "-ldl"], check=True)
    pairs = [(case, language) for case in CASES for language in ("c", "fortran") if language == "c" or options.fc]
    wrong = []
    for case, language in pairs if options.all else turns.sample(pairs, EVERY):
        versions = sources_of(case)[language]
        findings, measured = run(options, build(options, versions["bad"], "bad"), slow)
        wrong += [f"{case} in {language}: {fault}" for fault in faults(findings, plan_of(versions["bad"]), measured)]
        findings, _ = run(options, build(options, versions["good"], "good"), slow)
        wrong += [f"{case} in {language}: the good version has {finding['pattern']}" for finding in findings]
    if wrong:
        sys.exit("FAILED:\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()

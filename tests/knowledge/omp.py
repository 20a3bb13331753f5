"""OpenMP problems in twins: the bad version of a case gives the findings that are planted in it, the good one none; with GCC's and LLVM's runtime, in C
and Fortran.

    omp.py --mpi mpich --mpicc mpicc.mpich --fc mpif90.mpich --launcher mpiexec.mpich --bin build/bin --work DIR [--all] CASE:COMPILERS...

CASE is a source in the folder omp: CASE.c and CASE.F90, with planted findings as in plan.py. Its first lines say how it runs:

    omp-case: ranks=2 saves=0.4

late     the cause of this finding is a thread that is late at the place of omp.barrier-wait
saves    seconds that the run is shorter if all of its findings are fixed, one after the other: as much as the good version
inlined  compilers that execute a static loop without the runtime: instead of omp.loop-imbalance, omp.barrier-wait is found at its place

COMPILERS, separated by commas: gcc, clang, gfortran. `--all`: each of them, not a sample. No compiler of Debian 12 makes LLVM's OpenMP from
Fortran: its flang-16 is experimental, and MPI modules are gfortran's."""

import argparse
import os
import re
import shutil
import subprocess
import sys

from plan import BUSY_TOLERANCE, TOLERANCE, faults, least_of, plan_of, stretched, told
from planted import CALL, HERE, found_in
from tries import judge

sys.path.append(os.path.join(HERE, ".."))

import turns  # noqa: E402

FOLDER = os.path.join(HERE, "omp")
EVERY = 4


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpi", "mpicc", "launcher", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--fc", default="")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    options.work, options.bin = os.path.abspath(options.work), os.path.abspath(options.bin)
    return options


def source_of(case, compiler):
    return os.path.join(FOLDER, case + (".F90" if compiler == "gfortran" else ".c"))


def settings_of(source):
    with open(source, encoding="utf-8") as file:
        words = re.search(r"omp-case: (.*?)(?: \*/)?$", file.read(), re.MULTILINE).group(1).split()
    return dict(word.split("=", 1) for word in words)


def plan_for(source, settings, compiler):
    plan = plan_of(source, CALL)
    for planted in plan:
        if planted.pattern == "omp.loop-imbalance" and compiler in settings.get("inlined", "").split(","):
            planted.pattern = "omp.barrier-wait"
    return plan


def settle_lines(plan, findings):
    """A loop is at its directive or, depending on the compiler, at the line before or after it."""
    lines = [finding["line"] for finding in findings if finding["pattern"] == "omp.loop-imbalance"]
    for planted in plan:
        near = [line for line in lines if abs(line - planted.line) == 1]
        if planted.pattern == "omp.loop-imbalance" and planted.line not in lines and near:
            planted.line = near[0]


def build(options, source, compiler, is_good, stretch):
    """None: this compiler cannot be used here."""
    program = os.path.join(options.work, f"{os.path.basename(source).partition('.')[0]}-{compiler}-{'good' if is_good else 'bad'}")
    words = ["-g", "-O1", "-fopenmp", f"-I{FOLDER}", f"-DSTRETCH={stretch}", *(["-DGOOD"] if is_good else [])]
    if compiler == "gfortran":
        line = [*options.fc.split(), *words, f"-J{options.work}"]
    else:
        line = [*options.mpicc.split(), *words, "-Wall", "-Wextra", "-Werror", "-include", os.path.join(HERE, "stretch.h")]
    done = subprocess.run([*line, "-o", program, source], check=compiler == "gcc", capture_output=compiler == "clang", cwd=options.work,
                          env={**os.environ, "OMPI_CC": compiler, "MPICH_CC": compiler} if compiler != "gfortran" else None)
    return None if done.returncode else program


def savings_faults(findings, plan, settings, stretch, doubt):
    """What the findings save together is known: they do not overlap."""
    planted = float(settings["saves"]) * stretch
    names = {planted.pattern for planted in plan}
    asked = [finding for finding in findings if finding["pattern"] in names]
    saved = sum(finding["saves_s"] or 0 for finding in asked if finding["predictable"])
    if abs(saved - planted) > max(TOLERANCE * planted, min(doubt, BUSY_TOLERANCE * planted)):
        yield f"saves {saved} s, not {planted}: {[(finding['line'], finding['saves_s'], finding['doubt']) for finding in asked]}"


def cause_faults(findings, pattern):
    """The cause of a wait leads to the thread of the late rank."""
    thread = next((cause["late_thread"] for finding in findings if finding["pattern"] == pattern for cause in finding["causes"][:1]), None)
    late = next((finding for finding in findings if finding["pattern"] == "omp.barrier-wait"), None)
    if not thread or not late or (thread["line"], thread["rank"]) != (late["line"], late["processes"][0]) or not thread["thread"]:
        yield f"not the late thread: {thread}"


def try_version(options, case, compiler, is_good):
    source = source_of(case, compiler)
    settings = settings_of(source)
    plan = plan_for(source, settings, compiler)
    name = f"{case} {compiler} {'good' if is_good else 'bad'}"
    least = least_of(plan)

    def attempt(stretch):
        program = build(options, source, compiler, is_good, stretch)
        if not program:
            print(f"{name}: {compiler} has no OpenMP here")
            return []
        findings, doubt = found_in(options, program, settings)
        settle_lines(plan, findings)
        wrong = list(faults(findings, [] if is_good else stretched(plan, stretch), doubt, least * stretch))
        if not is_good and "late" in settings:
            wrong += cause_faults(findings, settings["late"])
        if not is_good and "saves" in settings:
            wrong += savings_faults(findings, plan, settings, stretch, doubt)
        return [f"{name}: {fault}" for fault in wrong] + [f"  found: {told(finding)}" for finding in findings if wrong]

    return judge(name, attempt)


def main():
    options = read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    pairs = [(case, compiler) for case, _, compilers in (item.partition(":") for item in options.cases) for compiler in compilers.split(",")
             if compiler != "gfortran" or options.fc]
    wrong = []
    for case, compiler in pairs if options.all else turns.sample(pairs, EVERY):
        for is_good in (False, True):
            wrong += try_version(options, case, compiler, is_good)
    if wrong:
        sys.exit("FAILED:\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()

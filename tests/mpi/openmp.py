"""OpenMP of GCC's runtime and of LLVM's: a recorded program has the results and the exit code of one that is not recorded, with all kinds of regions; the
events of the trace belong together; with one thread there are none; the line of a Fortran region is known. `tarry check --record` records the same, and
follows the order of threads.

    openmp.py --mpi mpich --mpicc mpicc.mpich --fc mpif90.mpich --launcher mpiexec.mpich --bin build/bin --work DIR programs/openmp.c"""

import json
import os
import re
import subprocess
import sys
from collections import Counter

import job

# More threads than CPUs: they must not spin.
THREADS = {"OMP_NUM_THREADS": "2", "OMP_CANCELLATION": "true", "OMP_WAIT_POLICY": "passive"}


def compile_program(compiler, source, work, real=None):
    """`real`: the compiler that the one of the MPI library calls. None: it cannot be used here."""
    program = os.path.join(work, re.sub(r"\W", "_", f"{os.path.basename(source)}_{real or ''}"))
    variables = {**os.environ, "OMPI_CC": real, "MPICH_CC": real} if real else os.environ
    done = subprocess.run([*compiler.split(), "-g", "-O1", "-fopenmp", "-o", program, source, "-lpthread"], check=not real, cwd=work,
                          env=variables, capture_output=bool(real))
    return None if done.returncode else program


def run(line, **variables):
    return subprocess.run([job.ON_ONE_MACHINE, *line], env={**os.environ, **job.FOR_OPEN_MPI, **THREADS, **variables}, timeout=job.SECONDS,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def checksum(done):
    found = re.findall(r"^checksum .*$", done.stdout, re.MULTILINE)
    return found, done.returncode


def events_in(dump):
    return Counter(re.findall(r"\b(omp_\w+|MPI_\w+)\b(?= |$)", dump))


def barriers_are_complete(dump):
    """Members of a team pass equal numbers of barriers, but for teams with detached tasks, whose waits are unknown."""
    passed, sizes = Counter(), {}
    process = None
    for line in dump.splitlines():
        process = line if line.startswith("process ") else process
        found = re.search(r"omp_barrier.* tag=(\d+) count=(\d+) thread=(\d+)", line)
        if found:
            tag, count, thread = map(int, found.groups())
            passed[process, tag, thread] += 1
            sizes[process, tag] = count
    teams = [[passed[process, tag, thread] for thread in range(size)] for (process, tag), size in sizes.items()]
    return sum(len(set(counts)) == 1 for counts in teams), len(teams)


SETTINGS = ({}, {"OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1"}, {"OMP_NUM_THREADS": "3", "OMP_SCHEDULE": "dynamic"})


def check_program(program, launch, record, dump, settings=SETTINGS):
    for variables in settings:
        plain, recorded = run([*launch, program], **variables), run([*record, program], **variables)
        assert checksum(recorded) == checksum(plain) and checksum(plain)[0], \
            f"{program} {variables}: {checksum(plain)} became {checksum(recorded)}\n{recorded.stderr}"
        text = dump()
        events = events_in(text)
        assert events["MPI_Allreduce"] == 6, f"{program}: {events}"
        if "OMP_THREAD_LIMIT" in variables:
            assert not any(name.startswith("omp_") for name in events), f"{program}: events of one thread: {events}"
            continue
        assert events["omp_fork"] == events["omp_join"] > 20, f"{program}: {events}"
        # A cancelled loop has no end with LLVM's runtime.
        assert 60 < events["omp_loop_end"] <= events["omp_loop"], f"{program}: {events}"
        # The least number of tasks of three rounds in two ranks: those of the tree.
        assert events["omp_task"] > 6 * 127, f"{program}: {events}"
        complete, teams = barriers_are_complete(text)
        assert complete >= teams - 2 and complete > 10, \
            f"{program}: members of {teams - complete} of {teams} teams pass different numbers of barriers"


def main():
    options = job.read_options()
    tarry, trace = os.path.join(options.bin, "tarry"), os.path.join(options.work, "run.tarry")
    os.makedirs(options.work, exist_ok=True)
    launch = [options.launcher, "-n", "2"]
    record = [tarry, "run", "--no-analyze", "--replace", "-o", trace, "--", *launch]

    def dump():
        return subprocess.run([tarry, "dump", "--no-source", trace], check=True, capture_output=True, text=True).stdout

    for real in (None, "clang"):
        program = compile_program(options.mpicc, options.source, options.work, real)
        if program:
            check_program(program, launch, record, dump)
        else:
            print("LLVM's OpenMP is missing, and not tried")
    checked = compile_program(f"{tarry} cc -- {options.mpicc}", options.source, options.work)
    check = [tarry, "check", "--record", "--replace", "-o", trace.removesuffix(".tarry"), "--", *launch]
    check_program(checked, launch, check, dump, SETTINGS[2:])
    if not options.fc:
        job.skip("no Fortran compiler of this MPI library")
    fortran = os.path.join(os.path.dirname(options.source), "openmp_f90.f90")
    done = run([*record, compile_program(options.fc, fortran, options.work)])
    assert done.returncode == 0, done.stderr
    report = json.loads(subprocess.run([tarry, "report", "--all", "--json", "-", trace], check=True, capture_output=True).stdout)
    with open(fortran, encoding="utf-8") as file:
        line = next(number for number, text in enumerate(file, 1) if "!$omp parallel" in text)
    found = [(finding["pattern"], finding["line"]) for finding in report["findings"]]
    assert ("omp.barrier-wait", line) in found, f"line {line}: {found}"


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(f"FAILED: {error}")

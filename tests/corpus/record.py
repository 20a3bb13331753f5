"""One test of the corpus: builds a program with the wrappers of an MPI library, records it together with an independent
count (count/) of the same run, and compares the two. The program itself prints `ok` if its result is right.

    record.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --counter corpus-count-mpich.so \\
              --bin build/bin --work DIR programs/halo2d.c

A program's first line says what it needs: `corpus: ranks=4 openmp`, `mpi=` if it is for one MPI library only, `needs=`
a module of Python, `unrecorded=` functions that compare.py must not find in the trace. Exit code 77: skipped."""

import argparse
import os
import re
import shutil
import subprocess
import sys

import compare  # and with it the folder of job.py
import counts
import findings

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "knowledge"))

import dumped  # noqa: E402
import job  # noqa: E402
import properties  # noqa: E402
import tries  # noqa: E402

SECONDS = 200
OLDEST_GLIBC = (2, 35)  # that audits everything which is bound at once
FLAGS = {
    ".c": ["-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-stringop-overflow", "-Wno-stringop-overread"],
    ".cc": ["-std=c++17", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX"],
    ".f90": ["-O2", "-g", "-Wall", "-Wno-unused-dummy-argument"],
}


def read_options(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpi", "mpicc", "launcher", "counter", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("mpicxx", "fc", "library"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("source")
    options = parser.parse_args(arguments)
    options.source, options.work = os.path.abspath(options.source), os.path.abspath(options.work)
    return options


def read_settings(source):
    with open(source, encoding="utf-8") as file:
        words = file.readline().partition("corpus:")[2].replace("*/", "").split()
    settings = dict(word.partition("=")[::2] for word in words)
    if "ranks" not in settings:
        sys.exit(f"'{source}': its first line does not say `corpus: ranks=N`")
    return settings


def check_glibc():
    found = tuple(map(int, re.findall(r"\d+", os.confstr("CS_GNU_LIBC_VERSION") or "0")))
    if found < OLDEST_GLIBC:
        job.skip(f"the count needs a GNU C library from {OLDEST_GLIBC} on to watch all calls, not {found}")


class Recording:
    def __init__(self, options):
        self.options, self.settings = options, read_settings(options.source)
        self.trace, self.counted = (os.path.join(options.work, name) for name in ("trace.tarry", "counts"))
        self.tarry = os.path.join(options.bin, "tarry")
        shutil.rmtree(options.work, ignore_errors=True)
        os.makedirs(options.work)
        self.program = self.build()

    def build(self):
        """The command that starts the program."""
        source, suffix = self.options.source, os.path.splitext(self.options.source)[1]
        if suffix == ".py":
            return [job.python_with(self.settings.get("needs")), source]
        compiler = {".c": self.options.mpicc, ".cc": self.options.mpicxx, ".f90": self.options.fc}[suffix]
        if not compiler:
            job.skip(f"{self.options.mpi} has no compiler for '{source}'")
        program = os.path.join(self.options.work, os.path.splitext(os.path.basename(source))[0])
        more = ["-fopenmp"] if "openmp" in self.settings else []
        line = [compiler, *FLAGS[suffix], *more, "-o", program, source, "-lm", "-lpthread"]
        result = subprocess.run(line, cwd=self.options.work, capture_output=True, text=True, check=False)
        if result.returncode:
            sys.exit(f"'{source}' does not compile:\n{result.stderr}")
        return [program]

    def run(self, recorded=True):
        """Leaves the trace and the counts. The auditor is loaded only into the program, not into its launcher."""
        shutil.rmtree(self.counted, ignore_errors=True)
        os.mkdir(self.counted)
        line = [self.tarry, "run", "-o", self.trace, "--"] if recorded else []
        line += [self.options.launcher, "-n", self.settings["ranks"], "env", f"LD_AUDIT={self.options.counter}",
                 f"CORPUS_COUNTS={self.counted}", *self.program]
        environment = dict(os.environ, MPI_LIBRARY=self.options.library, MPI_NAME=self.options.mpi,
                           OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive", **job.FOR_OPEN_MPI)
        result = subprocess.run([job.ON_ONE_MACHINE, *line], cwd=self.options.work, env=environment, text=True,
                                timeout=SECONDS, capture_output=True, stdin=subprocess.DEVNULL, check=False)
        if result.returncode or "ok" not in result.stdout.split():
            sys.exit(f"the program failed with {result.returncode}:\n{result.stdout}{result.stderr}")

    def dump(self):
        line = [self.tarry, "dump", "--no-source", self.trace]
        return subprocess.run(line, capture_output=True, text=True, check=True).stdout

    def counts(self):
        found = counts.read_folder(self.counted)
        if len(found) != int(self.settings["ranks"]):
            sys.exit(f"{len(found)} processes were counted, not {self.settings['ranks']}")
        return found

    def test(self):
        self.run()
        text = self.dump()
        unrecorded = [name for name in self.settings.get("unrecorded", "").split(",") if name]
        return (compare.compare(text, self.counts(), unrecorded) + properties.check(dumped.read_dump(text), complete=True)
                + findings.differences(self.tarry, self.trace, self.options.work)
                + findings.impossible_statements(self.tarry, self.trace) + self.blamed())

    def blamed(self):
        """False findings about the program. With few CPUs the scheduler decides by chance."""
        for number in range(1, tries.TRIES + 1):
            wrong = findings.unjustified(self.tarry, self.trace, self.options.source)
            print(f"run {number}: {wrong[0] if wrong else 'blamed for nothing'}", flush=True)
            if not wrong or number == tries.TRIES:
                return wrong
            self.run()


def main():
    check_glibc()
    problems = Recording(read_options()).test()
    for problem in problems[:40]:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

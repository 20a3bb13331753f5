"""Programs with a limit of file sizes (RLIMIT_FSIZE), set before or after MPI_Init, under one MPI library: the program's output and exit code
are the same as without Tarry, and a message says what is missing.

    limits.py MPI MPICC LAUNCHER BIN WORK"""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ON_ONE_MACHINE = os.path.join(HERE, "..", "..", "scripts", "mpirun-here")
SECONDS = 200
# Room for nothing, and for notes alone. MPI itself needs files of some megabytes in MPI_Init.
AFTER = (0, 4096)
BEFORE = (1 << 20, 1 << 24, 1 << 26)


class Bench:
    def __init__(self, mpicc, launcher, folder, work):
        self.launcher, self.work, self.tarry = launcher, work, os.path.join(folder, "tarry")
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        self.program = os.path.join(work, "limits")
        subprocess.run([mpicc, "-O1", "-g", "-Wall", "-o", self.program, os.path.join(HERE, "limits.c")], check=True)

    def run(self, tarry, *words, inner=()):
        """The job under a command of ours, with `inner` before the program."""
        environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1")
        return subprocess.run([ON_ONE_MACHINE, *tarry, self.launcher, "-n", "2", *inner, self.program, *words], cwd=self.work, env=environment,
                              capture_output=True, text=True, timeout=SECONDS, check=False)


def lines(result):
    return result.returncode, sorted(line for line in result.stdout.splitlines() if line.startswith("rank "))


def differs(what, plain, result):
    if lines(plain) == lines(result):
        return []
    return [f"{what}: {lines(plain)} becomes {lines(result)}\n{result.stdout[-1000:]}{result.stderr[-1000:]}"]


def test_recorded(bench, when, size):
    """With `tarry run`, and with `tarry exec`, where the processes merge the trace."""
    words, name = (when, str(size)), f"{when}-{size}"
    plain = bench.run([], *words)
    if plain.returncode != 7:
        return None  # MPI itself needs more
    problems = []
    for command, tarry, inner in (("run", [bench.tarry, "run", "-o", f"run-{name}", "--"], ()),
                                  ("exec", [], (bench.tarry, "exec", "-o", f"exec-{name}"))):
        result = bench.run(tarry, *words, inner=inner)
        problems += differs(f"{command} {name}", plain, result)
        trace = os.path.join(bench.work, f"{command}-{name}.tarry")
        told = result.stderr + subprocess.run([bench.tarry, "info", trace], capture_output=True, text=True, check=False).stdout
        if command == "run" and "File too large" not in told and size:
            problems.append(f"{command} {name}: nobody says that events are missing:\n{told}")
    return problems


def test_recorded_before(bench):
    for size in BEFORE:
        problems = test_recorded(bench, "before", size)
        if problems is not None:
            return [problem for problem in problems if "nobody says" not in problem]  # the limit may be above the trace
    return ["MPI_Init needs more than any limit that was tried"]


def test_others(bench):
    """The agent of the checker, and collectives that are chosen."""
    problems = []
    plain = bench.run([], "after", "0")
    for number, words in enumerate((["check", "-o"], ["run", "--coll", "-o"])):
        result = bench.run([bench.tarry, *words, f"other-{number}", "--"], "after", "0")
        problems += differs(" ".join(words), plain, result)
    return problems


def main(_mpi, mpicc, launcher, folder, work):
    bench = Bench(mpicc, launcher, folder, work)
    problems = [problem for size in AFTER for problem in test_recorded(bench, "after", size) or []]
    problems += test_recorded_before(bench) + test_others(bench)
    print("\n".join(problems) or "no program noticed its limit")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Difficult programs for a checker, and jobs that end early: the program's output and exit code are the same as without it, nothing is found,
and nothing is left: no process, no file but the findings.

    safety.py --tarry build/bin/tarry --work DIR --library NAME,MPICC,MPICXX,FC,LAUNCHER,LIBRARY … [--each]

Without --each, a quarter of the programs runs, each under one of the libraries, with less thread traffic: others with each commit (tests/turns.py)."""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import faults
from pairs import turns

HERE = os.path.dirname(os.path.abspath(__file__))
ON_ONE_MACHINE = os.path.join(HERE, "..", "..", "scripts", "mpirun-here")
# Small messages between processes that share a core with many others take long.
SECONDS = 300
# Until analysers are gone.
PATIENCE = 20
# Of `tarry check`: nothing, or not everything, could be checked; there are errors.
UNJUDGED, WRONG = 5, 4

# Exit code of `tarry check`, None: that of the job; and checks that report something.
EXPECTED = {"never": (UNJUDGED, None), "small_memory": (UNJUDGED, ()), "close_in_the_middle": (UNJUDGED, ()), "jumps": (WRONG, ("argument.rank-outside",))}


# Programs of other tests.
APART = ("wait", "long_after", "cancel_while_full", "late")
# Without Tarry, too, a child of fork may hang in an exit handler of the MPI library that needs a lock of another thread, and Open MPI may abort
# in MPI_Init when a signal interrupts a system call.
UNCERTAIN = ("fork_storm", "alarms")
TRIES = 3
OPTIONS = {"sleeps": ("--hang-timeout", "1")}


class Library:
    def __init__(self, text, work, rounds):
        self.name, mpicc, _, _, self.launcher, *_ = text.split(",")
        self.work = os.path.join(work, self.name)
        self.program, self.clock = os.path.join(self.work, "hostile"), os.path.join(self.work, "clock")
        os.makedirs(self.work)
        for program, source in ((self.program, "hostile.c"), (self.clock, "clock.c")):
            subprocess.run([mpicc, "-O1", "-g", "-w", "-rdynamic", f"-DROUNDS={rounds}", "-o", program, os.path.join(HERE, "safety", source), "-lpthread"],
                           check=True)


def kinds():
    with open(os.path.join(HERE, "safety", "hostile.c"), encoding="utf-8") as source:
        return re.findall(r'^\t\{"(\w+)", \w+\},$', source.read(), re.MULTILINE)


def words(library, kind):
    return [library.launcher, "-n", "2", library.program, kind]


def checked(tarry, folder, *options):
    return [tarry, "check", "-o", os.path.join(folder, "run"), "--json", os.path.join(folder, "json"), *options, "--"]


def run(command, folder):
    environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1")
    result = subprocess.run([ON_ONE_MACHINE, *command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, check=False, timeout=SECONDS)
    lines = sorted(line for line in result.stdout.splitlines() if line.startswith("rank "))
    return lines, result.returncode, result.stdout + result.stderr


def expect(condition, what, output=""):
    if not condition:
        raise AssertionError(f"{what}\n{output}")


def expect_nothing_left(folder, output):
    run_folder = os.path.join(folder, "run.check")
    until = time.monotonic() + PATIENCE
    while (left := faults.analysers(run_folder)) and time.monotonic() < until:
        time.sleep(0.05)
    expect(not left, f"analysers {left} are still there", output)
    names = os.listdir(run_folder) if os.path.isdir(run_folder) else []
    others = [name for name in names if name not in ("notes", "interrupted") and not re.fullmatch(r"analyser-.*\.log", name)]
    expect(not others, f"these files are left: {others}", output)


def hostile(tarry, library, kind):
    folder = os.path.join(library.work, kind)
    os.makedirs(folder)
    command = words(library, kind)
    for again in reversed(range(TRIES if kind in UNCERTAIN else 1)):
        alone, alone_code, alone_output = run(command, folder)
        lines, code, output = run([*checked(tarry, folder, *OPTIONS.get(kind, ())), *command], folder)
        if lines == alone or not again:
            break
        print(f"{library.name}: {kind}: tried again: alone it printed {alone}, checked {lines}", flush=True)
        shutil.rmtree(os.path.join(folder, "run.check"), ignore_errors=True)
    expected_code, expected = EXPECTED.get(kind, (None, ()))
    expect(alone, "it says nothing", alone_output)
    expect(lines == alone, f"{alone}\nis now\n{lines}", output)
    expect(code == (alone_code if expected_code is None else expected_code), f"exit code {code}, alone {alone_code}", output)
    expect_nothing_left(folder, output)
    if expected is None:
        return
    with open(os.path.join(folder, "json"), encoding="utf-8") as file:
        found = {finding["id"] for finding in json.load(file)["findings"]}
    expect(found == set(expected), f"found {found}", output)


def processes(program):
    """Process ids of the ranks."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                if file.read().split(b"\0")[0] == os.fsencode(program):
                    found.append(int(name))
        except OSError:
            continue
    return found


def start(tarry, library, folder):
    """A job that waits forever."""
    job = subprocess.Popen([ON_ONE_MACHINE, *checked(tarry, folder), *words(library, "wait")], cwd=folder,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for _ in range(2):
        line = job.stdout.readline()
        expect("waits" in line, line)
    return job


def end_early(tarry, library, name):
    """Any process may be killed, in any way: the processes of the job end, and then the analysers."""
    number, whom = {"interrupt": (signal.SIGINT, "tarry"), "terminate": (signal.SIGTERM, "tarry"),
                    "terminate_ranks": (signal.SIGTERM, "ranks"),
                    "kill_tarry": (signal.SIGKILL, "tarry"), "kill_ranks": (signal.SIGKILL, "ranks")}[name]
    folder = os.path.join(library.work, name)
    os.makedirs(folder)
    job = start(tarry, library, folder)
    for pid in [job.pid] if whom == "tarry" else processes(library.program):
        kill(pid, number)
    if name == "kill_tarry":  # the launcher does not notice; its processes are ended some time later
        job.wait(SECONDS)
        for pid in processes(library.program):
            kill(pid, signal.SIGKILL)
    output = job.communicate(timeout=SECONDS)[0]
    run_folder = os.path.join(folder, "run.check")
    until = time.monotonic() + PATIENCE
    while (faults.analysers(run_folder) or processes(library.program)) and time.monotonic() < until:
        time.sleep(0.05)
    expect(not faults.analysers(run_folder), "analysers are still there", output)
    expect(not processes(library.program), "processes of the job are still there", output)
    if name != "kill_tarry":
        expect_nothing_left(folder, output)
        expect(job.returncode, "exit code 0", output)
        expect_reason(tarry, run_folder, is_known=name != "kill_ranks")


def expect_reason(tarry, run_folder, is_known):
    """Later, too, the findings do not report a crash if the user ended the job."""
    shown = subprocess.run([tarry, "check", "--show", run_folder], capture_output=True, text=True, check=False).stdout
    expect(("ended from outside" in shown) == is_known and ("end.crash" in shown) != is_known, "the reason is wrong", shown)


def kill(pid, number):
    """The launcher may have been faster."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def two_jobs(tarry, library, name):
    """Another job of the same name does not use the folder of a running one."""
    folder = os.path.join(library.work, name)
    os.makedirs(folder)
    with subprocess.Popen([ON_ONE_MACHINE, *checked(tarry, folder), *words(library, "long_after")], cwd=folder,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as first:
        line = first.stdout.readline()
        until = time.monotonic() + PATIENCE
        while faults.analysers(os.path.join(folder, "run.check")) and time.monotonic() < until:
            time.sleep(0.05)
        _, code, second = run([*checked(tarry, folder), *words(library, "quick")], folder)
        output = line + first.communicate("\n", timeout=SECONDS)[0]
    expect(code and "another job is being checked" in second, f"the second job ended with {code}", second)
    expect(first.returncode == 0 and "2 processes" in output, "the first job was disturbed", output)
    expect_nothing_left(folder, output)


def cancelled(tarry, library, name):
    folder = os.path.join(library.work, name)
    os.makedirs(folder)
    with subprocess.Popen([ON_ONE_MACHINE, *checked(tarry, folder), *words(library, name)], cwd=folder, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as job:
        expect("waits" in job.stdout.readline(), "it does not start")
        analyser, = faults.analysers(os.path.join(folder, "run.check"))
        os.kill(analyser, signal.SIGSTOP)
        job.stdin.write("\n")
        job.stdin.flush()
        time.sleep(5)  # it fills the ring, and cancels the thread
        os.kill(analyser, signal.SIGCONT)
        try:
            output = job.communicate(timeout=SECONDS)[0]
        except subprocess.TimeoutExpired:
            for pid in processes(library.program):
                os.kill(pid, signal.SIGKILL)
            raise
    expect(job.returncode == 0 and output.count("sum") == 2, f"exit code {job.returncode}", output)
    expect_nothing_left(folder, output)


def late(tarry, library, name):
    """A sleeping rank is shown where it sleeps, and does not wake up before the run is ended."""
    folder = os.path.join(library.work, name)
    os.makedirs(folder)
    lines, code, output = run([*checked(tarry, folder, "--hang-timeout", "1"), *words(library, name)], folder)
    expect(not lines, f"it said {lines}", output)
    expect(code == WRONG, f"exit code {code}", output)
    expect_nothing_left(folder, output)
    with open(os.path.join(folder, "json"), encoding="utf-8") as file:
        finding, = json.load(file)["findings"]
    shown, = [call for call in finding["calls"] if call["role"] == "late"]
    expect(finding["id"] == "deadlock.hang" and shown["rank"] == 1, f"found {finding['id']}", output)
    with open(os.path.join(HERE, "safety", "hostile.c"), encoding="utf-8") as source:
        line = source.read().splitlines()[shown["line"] - 1]
    expect("sleep(100)" in line, f"shown at '{line}'", output)


def clock(tarry, library, name):
    """Setting the wall clock back does not delay findings."""
    folder = os.path.join(library.work, name)
    os.makedirs(folder)
    try:
        _, code, output = run([*checked(tarry, folder), library.launcher, "-n", "2", library.clock], folder)
    except subprocess.TimeoutExpired:
        for pid in processes(library.clock):
            kill(pid, signal.SIGKILL)
        raise
    expect(code == WRONG and "deadlock.cycle" in output, f"exit code {code}", output)
    expect_nothing_left(folder, output)


QUARTER = 4
ENDS = ("interrupt", "terminate", "kill_tarry", "kill_ranks", "terminate_ranks")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tarry", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--library", action="append", required=True)
    parser.add_argument("--each", action="store_true", help="under each library")
    parser.add_argument("--only", help="this one")
    options = parser.parse_args()
    work, tarry = os.path.abspath(options.work), os.path.abspath(options.tarry)
    shutil.rmtree(work, ignore_errors=True)
    libraries = [Library(text, work, 2000 if options.each else 200) for text in options.library]
    tests = [(hostile, kind) for kind in kinds() if kind not in APART] + [(end_early, name) for name in ENDS] + [(two_jobs, "two_jobs"), (cancelled, "cancel_while_full"), (late, "late"), (clock, "clock_set_back")]
    wrong, every = 0, 1 if options.each or options.only else QUARTER
    for i, (test, name) in enumerate(turns.sample(tests, every)):
        if options.only not in (None, name):
            continue
        for library in libraries if options.each else [turns.alternate(i, every, libraries)]:
            started = time.monotonic()
            try:
                test(tarry, library, name)
                print(f"{library.name}: {name}: ok, {time.monotonic() - started:.0f} s", flush=True)
            except (AssertionError, OSError, subprocess.TimeoutExpired) as failure:
                print(f"{library.name}: {name}: WRONG: {failure}", flush=True)
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

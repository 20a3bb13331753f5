"""All ways in which processes end, and processes that they start, under one MPI library: the recorded data is there, and the
program's output and exit code are the same as without recording.

    ends.py MPI MPICC LAUNCHER BIN WORK"""

import concurrent.futures
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "mpi"))

import watched  # noqa: E402

ON_ONE_MACHINE = os.path.join(HERE, "..", "..", "scripts", "mpirun-here")
SECONDS = 200
ATTEMPTS = 20
# Which of them reach the calls of tag 4: process 0, process 1. None: it depends on which one is killed first.
ENDS = ("segv", "fpe", "abort", "mpi_abort", "kill", "kill_all", "exit", "exit_all", "_exit_all", "exec")
GOES_ON = ("return", "fork", "vfork", "spawn", "run_mpi", "shells", "close_all", "cancel")


class Bench:
    def __init__(self, mpi, mpicc, launcher, folder, work):
        self.mpi, self.launcher, self.work = mpi, launcher, work
        self.tarry = os.path.join(folder, "tarry")
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        self.program = os.path.join(work, "ends")
        subprocess.run([mpicc, "-O1", "-g", "-Wall", "-o", self.program, os.path.join(HERE, "ends.c"), "-lpthread"],
                       check=True, capture_output=True)

    def words(self, kind, folder, traced):
        job = [self.launcher, "-n", "2", self.program, kind]
        return [ON_ONE_MACHINE, *([self.tarry, "run", "-o", os.path.join(folder, "x"), "--"] if traced else []), *job]

    def run(self, kind, folder, traced, **settings):
        os.makedirs(folder, exist_ok=True)
        environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_odls_base_sigkill_timeout="0", **settings)
        return watched.run(self.words(kind, folder, traced), both_are_ready, SECONDS, folder, env=environment)

    def read(self, trace):
        """By each command that reads a trace: text of the dump, or what went wrong."""
        for words in (["info", trace], ["info", "--json", trace]):
            result = subprocess.run([self.tarry, *words], capture_output=True, text=True, check=False)
            if result.returncode:
                return None, f"tarry {words}: {result.stderr}"
        result = subprocess.run([self.tarry, "dump", "--no-source", trace], capture_output=True, text=True, check=False)
        return result.stdout, result.stderr


def both_are_ready(text):
    return text.count("ready") == 2


def sends(text, tag):
    """So many sends each process made, by rank; of the world of two."""
    counts, rank = {}, None
    for line in text.splitlines():
        match = re.match(r"process world=\w+ rank=(\w+)(?: size=(\d+))?", line)
        if match:
            rank = match[1] if match[2] == "2" else None
            counts.setdefault(rank, 0)
        elif re.match(rf"\d+ \d+ MPI_Send .*\btag={tag}\b", line):
            polls = re.search(r" polls=(\d+)", line)
            counts[rank] += int(polls[1]) if polls else 1
    return [counts.get("0", 0), counts.get("1", 0)]


def same(text):
    """Numbers of processes and nodes in a launcher's messages differ from run to run."""
    return sorted(line for line in text.splitlines() if line.startswith("rank "))


def check_calls(text, errors, goes_on):
    if text is None or not text.startswith("tarry trace") or errors:
        return [f"it cannot be read: {errors}"]
    problems = []
    if sends(text, 3) != [100, 100]:
        problems.append(f"of the 100 calls that were planted there are {sends(text, 3)}")
    if goes_on and sends(text, 4) != [10, 10]:
        problems.append(f"of the 10 calls behind it there are {sends(text, 4)}")
    return problems


def compare_codes(bench, kind, folder, plain, traced):
    """When one rank ends early, MPICH's launcher reports its exit code or that of the other, whichever it saw: so there
    are several, and recorded runs have one that the program alone has, too."""
    plain, traced = {plain}, {traced}
    for i in range(ATTEMPTS):
        if plain & traced:
            return []
        plain.add(bench.run(kind, folder, False).returncode)
        traced.add(bench.run(kind, f"{folder}_again{i}", True).returncode)
    return [f"the exit codes {plain} become {traced} when recorded"]


def test_kind(bench, kind):
    folder = os.path.join(bench.work, kind)
    plain = bench.run(kind, folder, False)
    traced = bench.run(kind, folder, True)
    problems = compare_codes(bench, kind, folder, plain.returncode, traced.returncode)
    if same(plain.stdout) != same(traced.stdout):
        problems.append(f"the output is\n{plain.stdout}but when recorded\n{traced.stdout}")
    text, errors = bench.read(os.path.join(folder, "x.tarry"))
    problems += check_calls(text, errors, kind in GOES_ON and kind != "close_all")
    if kind == "run_mpi" and text and text.count(" size=1 run=") != 2:
        problems.append(f"the two programs that it ran are not there, but {re.findall('^process.*', text, re.M)}")
    if kind == "close_all" and "stopped recording" not in traced.stderr:
        problems.append(f"nobody says that the file was closed:\n{traced.stderr}")
    return [f"{kind}: {problem}" for problem in problems]


def children_of(pid):
    return [int(child) for child in subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True,
                                                   check=False).stdout.split()]


def family_of(pid):
    family = [pid]
    for member in family:
        family += children_of(member)
    return family


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until(condition):
    for _ in range(int(SECONDS / 0.05)):
        if condition():
            return
        time.sleep(0.05)
    raise TimeoutError


def start_waiting_job(bench, folder):
    """The job, and all its processes, when both ranks are ready."""
    os.makedirs(folder)
    watched.prepare(folder)
    output = os.path.join(folder, "output")
    with open(output, "w", encoding="utf-8") as file:
        job = subprocess.Popen(bench.words("wait", folder, True), cwd=folder, stdout=file, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL)

    def ready():
        with open(output, encoding="utf-8") as file:
            return both_are_ready(file.read())

    wait_until(ready)
    watched.give_sign(folder, "seen")
    return job, family_of(job.pid)


def name_of(pid):
    """Empty for one that has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/comm", encoding="utf-8") as comm:
        return comm.read().strip()
    return ""


def kill(pid):
    """Unless a launcher was quicker."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def test_killed_from_outside(bench, who):
    """kill -9 of the launcher, or of `tarry run` and everything else: then `tarry recover` makes the trace."""
    folder = os.path.join(bench.work, "kill_" + who)
    job, family = start_waiting_job(bench, folder)
    # mpirun-here becomes tarry, whose child is the launcher.
    tarry = next(pid for pid in family if name_of(pid) == "tarry")
    victims = {"launcher": [children_of(tarry)[0]], "tarry": [tarry], "ranks": [p for p in family if name_of(p) == "ends"],
               "everything": family[::-1]}[who]
    for pid in victims:
        kill(pid)
    if who == "tarry":
        watched.give_sign(folder, "enough")  # its job continues without it
    job.wait(SECONDS)
    # A launcher that was killed may leave its processes behind.
    for pid in family:
        if who == "launcher" and name_of(pid) == "ends":
            kill(pid)
    wait_until(lambda: not any(map(is_alive, family)))
    trace = os.path.join(folder, "x.tarry")
    problems = []
    if who in ("tarry", "everything"):
        problems = check_calls(*bench.read(trace), False)
        subprocess.run([bench.tarry, "recover", trace], check=False, capture_output=True)
    problems += check_calls(*bench.read(trace), False)
    if os.path.exists(trace + ".parts"):
        problems.append(f"there is still {os.listdir(trace + '.parts')}")
    return [f"kill -9 of {who}: {problem}" for problem in problems]


def main(mpi, mpicc, launcher, folder, work):
    bench = Bench(mpi, mpicc, launcher, os.path.abspath(folder), os.path.abspath(work))
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda kind: test_kind(bench, kind), ENDS + GOES_ON))
        results += pool.map(lambda who: test_killed_from_outside(bench, who), ("launcher", "tarry", "ranks", "everything"))
    problems = [problem for result in results for problem in result]
    print("\n".join(problems[:40]))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Jobs under Slurm on three nodes: every way to start them, and traces of jobs that Slurm ends, repeats or multiplies. The program prints the same
and ends with the same code as without Tarry, no process is left, and the folder has the expected files and no other.

    slurm_jobs.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR [--sample] [--only CASE] slurm_jobs.c

Each function with @case is one case, with its own folder."""

import json
import os
import re
import shutil
import subprocess
import sys
import traceback

from cluster import HERE, Cluster
from slurm import PROCESS_MANAGERS, TEMPORARY, Slurm

sys.path.insert(0, os.path.join(HERE, "..", "mpi"))
import job

NODES, RANKS_PER_NODE = 3, 2
RANKS = NODES * RANKS_PER_NODE
# Two jobs at the same time.
CPUS = 2 * RANKS_PER_NODE
FAILED, EXIT_ERRORS, EXIT_UNTRUSTED, EXIT_REFUSED = 3, 4, 5, 1
KILLED = ("137", "143")
# A time limit is at least a minute, and Slurm checks it every 30 s.
LIMIT_SECONDS = 200
DAEMONS = ("room.py", "munged", "slurmd ", "slurmctld", "ps -e")
CASES, SAMPLE = [], []


def case(function):
    CASES.append(function)
    return function


def sample(function):
    """Part of `make test`, too."""
    SAMPLE.append(function)
    return case(function)


class Rig:
    """Jobs of one MPI library in the folder of a case."""

    def __init__(self, options, cluster, slurm, program):
        self.options, self.cluster, self.slurm, self.mpi = options, cluster, slurm, options.mpi
        self.tarry, self.program = os.path.join(options.bin, "tarry"), program
        self.srun = f"srun --mpi={PROCESS_MANAGERS[self.mpi]}"
        self.folder = self.printed = None

    def enter(self, name):
        self.folder = os.path.join(self.options.work, name)
        os.makedirs(self.folder)
        shutil.copy2(self.program, os.path.join(self.folder, "app"))

    def line(self, words):
        """T: Tarry; S: srun with its options."""
        names = {"T": self.tarry, "S": self.srun}
        return " ".join(names.get(word, word) for word in words.split())

    def run(self, words):
        """From a shell on the first node, with an allocation for this command."""
        line = self.line(words).replace(self.srun, f"{self.srun} -N {NODES} --ntasks-per-node={RANKS_PER_NODE}")
        return self.slurm.run(["sh", "-c", line], env=self.slurm.settings(self.mpi), cwd=self.folder)

    def submit(self, words, *options):
        return self.slurm.submit(self.line(words), self.mpi, RANKS_PER_NODE, options, self.folder)

    def wait_for_start(self, name="go"):
        self.slurm.wait(lambda: self.has(f"{name}.started"), "the program begins")

    def let_go(self, name="go"):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8"):
            pass

    def has(self, name):
        return os.path.exists(os.path.join(self.folder, name))

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def end(self, number, state, code, is_alone=True, **how):
        """Waits until the job is over, and all of its nodes are idle if no other job runs; what it wrote to its error stream."""
        shown = self.slurm.wait_for(number, **how)
        if is_alone:
            self.slurm.wait_until_idle()
        told = f"{self.read(number + '.out')}{self.read(number + '.err')}"
        codes = code if isinstance(code, tuple) else (code,)
        assert shown["JobState"] == state and shown["ExitCode"].split(":")[0] in codes, f"{shown['JobState']} {shown['ExitCode']}:\n{told}"
        return self.read(f"{number}.err")

    def expect_printed(self, text):
        lines = sorted(line for line in text.splitlines() if line.startswith("rank "))
        assert lines == self.printed, f"printed {lines} instead of {self.printed}"

    def expect_files(self, *names):
        """Besides the program and its own files. A name that ends with / is a folder; PID is a number, but not that of an earlier run."""
        found = {re.sub(r"(?<!\.old)-\d+(\.coll|\.tarry\.parts)$", r"-PID\1", entry.name) + "/" * entry.is_dir() for entry in os.scandir(self.folder) if not re.fullmatch(r"[\d_]+\.(out|err)", entry.name)}
        wanted = {"app", *names}
        assert found - {"go", "go.started"} == wanted, f"the folder has {sorted(found)}, wanted are {sorted(wanted)}"

    def expect_nothing_left(self):
        """No processes, and no files where nodes keep temporary ones."""
        for node, name in enumerate(self.cluster.names):
            def left(node=node):
                shown = self.cluster.run_on(node, ["ps", "-eo", "args="]).stdout
                return [line for line in shown.splitlines() if not any(word in line for word in DAEMONS)]
            self.slurm.wait(lambda: not left(), f"no process is left on {name}")
            files = self.cluster.run_on(node, ["find", TEMPORARY, "-name", "*tarry*"]).stdout
            assert not files, f"{name} has {files}"

    def ask(self, *words, codes=(0,)):
        done = self.slurm.run([self.tarry, *words], cwd=self.folder)
        assert done.returncode in codes, f"{words} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        return done.stdout

    def info(self, trace):
        return json.loads(self.ask("info", "--json", trace))

    def expect_complete(self, trace, ranks=RANKS):
        about, report = self.info(trace), json.loads(self.ask("report", "--json", "-", trace))
        assert (about["processes"], len(about["hosts"])) == (ranks, NODES), about
        assert report["complete"] and report["run"]["nodes"] == NODES, report["trust"]
        return report

    def expect_recovered(self, trace, first=None):
        """All ranks are in it up to their end. `first`: the rank that died before the others."""
        about, report = self.info(trace), json.loads(self.ask("report", "--json", "-", trace))
        assert (about["processes"], len(about["hosts"])) == (RANKS, NODES), about
        assert about["deadlock"] is None, about["deadlock"]
        why = [reason["text"] for reason in report["trust"]["reasons"] if reason["id"] == "incomplete"]
        assert not report["complete"] and why, report["trust"]
        assert first is None or f"the first was rank {first}," in why[0], why
        assert "ended without MPI_Finalize" in " ".join(self.ask("analyze", "--all", trace).split())

    def expect_checked(self, folder, ranks=RANKS):
        assert f"Check complete: {ranks} processes." in self.ask("check", "--show", folder), folder
        self.expect_tidy(folder)

    def expect_tidy(self, folder):
        """`interrupted` stays if a signal to `tarry check` ended the job."""
        left = [name for name in os.listdir(os.path.join(self.folder, folder)) if not name.startswith("analyser-") and name not in ("notes", "interrupted")]
        assert not left, f"{folder} has {left}"

    def expect_check_cut(self, folder, is_tidy=True):
        """Whether a crash is among its findings depends on whether the analyser lived to see it."""
        assert "Check incomplete" in self.ask("check", "--show", folder, codes=(EXIT_ERRORS, EXIT_UNTRUSTED))
        if is_tidy:
            self.expect_tidy(folder)


# Jobs that end well

@sample
def run_before_srun(rig):
    done = rig.run("T run -o t -- S ./app")
    assert done.returncode == 0, done.stderr
    rig.expect_printed(done.stdout)
    rig.expect_complete("t.tarry")
    rig.expect_files("t.tarry")


@sample
def batch_with_report(rig):
    number = rig.submit("T run -o t -- S ./app && T report --json found.json t.tarry && T analyze t.tarry > found.txt && "
                        "srun -N 1 -n 1 T analyze t.tarry > step.txt")
    rig.end(number, "COMPLETED", "0")
    rig.expect_printed(rig.read(f"{number}.out"))
    assert rig.expect_complete("t.tarry")["findings"] == json.loads(rig.read("found.json"))["findings"]
    assert rig.read("found.txt") == rig.read("step.txt") == rig.ask("analyze", "t.tarry")
    rig.expect_files("t.tarry", "found.json", "found.txt", "step.txt")


@sample
def exec_after_srun(rig):
    number = rig.submit("S T exec -o t ./app")
    said = rig.end(number, "COMPLETED", "0")
    assert said.count("tarry: trace: ") == 1, said
    rig.expect_printed(rig.read(f"{number}.out"))
    rig.expect_complete("t.tarry")
    done = rig.run("S T exec -o s ./app")
    assert done.returncode == 0 and done.stderr.count("tarry: trace: ") == 1, done.stderr
    rig.expect_printed(done.stdout)
    rig.expect_complete("s.tarry")
    rig.expect_files("t.tarry", "s.tarry")


@case
def launcher_of_the_library(rig):
    """mpirun and mpiexec take the nodes from the allocation, and start their daemons with srun."""
    number = rig.submit(f"T run -o t -- {rig.options.launcher} ./app")
    rig.end(number, "COMPLETED", "0")
    rig.expect_printed(rig.read(f"{number}.out"))
    rig.expect_complete("t.tarry")
    rig.expect_files("t.tarry")


@case
def wrong_process_manager(rig):
    """That of the other library. Open MPI fails; under MPICH each process is alone."""
    other = next(name for name in PROCESS_MANAGERS.values() if name != PROCESS_MANAGERS[rig.mpi])
    line = f"srun -N {NODES} --ntasks-per-node={RANKS_PER_NODE} --mpi={other} ./app"
    plain, done = rig.run(line), rig.run(f"T run -o t -- {line}")
    assert done.stdout == plain.stdout, done
    if rig.mpi == "mpich":
        assert plain.returncode == 0 and plain.stdout.count("rank 0 of 1") == RANKS, plain
        assert done.returncode == EXIT_REFUSED and "each is alone in MPI_COMM_WORLD" in done.stderr, done
    else:
        assert done.returncode == plain.returncode != 0, done


@case
def check(rig):
    done = rig.run("T check -o t -- S ./app")
    assert done.returncode == 0 and f"Check complete: {RANKS} processes." in done.stderr, done.stderr
    rig.expect_printed(done.stdout)
    number = rig.submit("S T exec --check -o e ./app")
    rig.end(number, "COMPLETED", "0")
    rig.expect_printed(rig.read(f"{number}.out"))
    rig.expect_checked("t.check")
    rig.expect_checked("e.check")
    rig.expect_files("t.check/", "e.check/")


@case
def coll(rig):
    done = rig.run("T coll -- S ./app")
    assert done.returncode == 0 and f"of {RANKS} processes on {NODES} nodes" in done.stderr, done.stderr
    rig.expect_printed(done.stdout)
    number = rig.submit("S T exec --coll ./app && T coll --report app.coll")
    said = rig.end(number, "COMPLETED", "0")
    assert f"of {RANKS} processes on {NODES} nodes" in said, said
    rig.expect_printed(rig.read(f"{number}.out"))
    rig.expect_files("app.coll/")


@case
def top(rig):
    number = rig.submit("T top -o t -- S ./app")
    rig.end(number, "COMPLETED", "0")
    rig.expect_printed(rig.read(f"{number}.out"))
    rig.expect_complete("t.tarry")
    done = rig.run("T top --no-trace -- S ./app")
    assert done.returncode == 0, done.stderr
    rig.expect_printed(done.stdout)
    rig.expect_files("t.tarry")


@case
def analyze(rig):
    """By all nodes together, as by one process."""
    rig.run("T run -o t --no-analyze -- S ./app")
    alone = rig.ask("analyze", "--no-causes", "t.tarry")
    words = f"S {rig.tarry}-analyze-{rig.mpi} --no-causes t.tarry"
    done = rig.run(words)
    assert done.returncode == 0 and done.stdout == alone, f"{done.stdout}{done.stderr}instead of\n{alone}"
    number = rig.submit(words)
    rig.end(number, "COMPLETED", "0")
    assert rig.read(f"{number}.out") == alone
    rig.expect_files("t.tarry")


# Jobs that fail

@case
def exit_codes(rig):
    for words in ("S ./app fail", "T run -o r -- S ./app fail", "S T exec -o e ./app fail", "T check -o c -- S ./app fail", "T coll -- S ./app fail",
                  "T top --no-trace -- S ./app fail"):
        number = rig.submit(words)
        rig.end(number, "FAILED", str(FAILED))
        rig.expect_printed(rig.read(f"{number}.out"))
    rig.expect_complete("r.tarry")
    rig.expect_complete("e.tarry")
    rig.expect_files("r.tarry", "e.tarry", "c.check/")


@case
def a_rank_dies(rig):
    """The last one, while the others wait for it. With -K Slurm then ends them."""
    number = rig.submit("S -K ./app die")
    rig.end(number, "FAILED", KILLED)
    number = rig.submit("T run -o r -- S -K ./app die")
    said = rig.end(number, "FAILED", KILLED)
    rig.expect_printed(rig.read(f"{number}.out"))
    assert f"waiting for rank {RANKS - 1} in MPI_Barrier" in said, said
    rig.expect_recovered("r.tarry", RANKS - 1)
    number = rig.submit("S -K T exec -o e ./app die")
    rig.end(number, "FAILED", KILLED)
    rig.expect_files("r.tarry", "e.tarry.parts/")
    rig.ask("recover", "e.tarry")
    rig.expect_recovered("e.tarry", RANKS - 1)
    number = rig.submit("T check -o c -- S -K ./app die")
    said = rig.end(number, "FAILED", str(EXIT_ERRORS))
    assert re.search(rf"\[end\.crash\]\n.*, rank {RANKS - 1},", said), said
    rig.expect_files("r.tarry", "e.tarry", "c.check/")


# Jobs that Slurm ends

def cancel(rig, words):
    number = rig.submit(words + " ./app wait go")
    rig.wait_for_start()
    rig.slurm.run(["scancel", number])
    said = rig.end(number, "CANCELLED", ("0", *KILLED))
    rig.expect_printed(rig.read(f"{number}.out"))
    os.remove(os.path.join(rig.folder, "go.started"))
    return said


@case
def cancelled_shell(rig):
    """The shell of the batch script ends at once, and Slurm kills all its children: the parts of the trace are left."""
    cancel(rig, "S")
    cancel(rig, "T run -o r -- S")
    cancel(rig, "S T exec -o e")
    rig.expect_files("r.tarry.parts/", "e.tarry.parts/")
    for name in ("r.tarry", "e.tarry"):
        rig.ask("recover", name)
        rig.expect_recovered(name)
    cancel(rig, "T check -o c -- S")
    cancel(rig, "S T exec --check -o ec")
    rig.expect_check_cut("c.check")
    rig.expect_check_cut("ec.check")
    cancel(rig, "T top --no-trace -- S")
    cancel(rig, "T coll -- S")
    rig.expect_files("r.tarry", "e.tarry", "c.check/", "ec.check/", "app.top-PID.tarry.parts/", "app-PID.coll/")


@case
def cancelled_tarry(rig):
    """Without the shell, Tarry has the time that Slurm gives to the script (KillWait)."""
    said = cancel(rig, "exec T run -o r -- S")
    assert "the trace contains everything recorded so far" in said, said
    rig.expect_recovered("r.tarry")
    cancel(rig, "exec T top -o t -- S")
    rig.expect_recovered("t.tarry")
    cancel(rig, "exec T top --no-trace -- S")
    said = cancel(rig, "exec T check -o c -- S")
    assert "the job was ended from outside" in said, said
    cancel(rig, "exec T coll -- S")
    rig.expect_files("r.tarry", "t.tarry", "c.check/")


@case
def time_limit(rig):
    """All at the same time: they take a minute or two."""
    jobs = [rig.submit(words, "--time=1") for words in ("exec T run -o r -- S ./app wait r", "S T exec -o e ./app wait e")]
    for name in ("r", "e"):
        rig.wait_for_start(name)
    said = [rig.end(number, "TIMEOUT", ("0", *KILLED), seconds=LIMIT_SECONDS) for number in jobs]
    assert "DUE TO TIME LIMIT" in said[0] and "the trace contains everything recorded so far" in said[0], said[0]
    rig.ask("recover", "e.tarry")
    for name in ("r", "e"):
        rig.expect_recovered(f"{name}.tarry")
    rig.expect_files("r.tarry", "r.started", "e.tarry", "e.started")


@case
def killed_slurmd(rig):
    """Steps continue without it. Only MPI_Finalize of MPICH needs it, for a barrier of PMI 2: without it srun gives up after a minute, also
    without Tarry."""
    is_needed = PROCESS_MANAGERS[rig.mpi] == "pmi2"
    for words, name, result in (("T run -o r -- S", "r", "r.tarry"), ("S T exec -o e", "e", "e.tarry"), ("T check -o c -- S", "c", "c.check")):
        number = rig.submit(f"{words} ./app wait {name}")
        rig.wait_for_start(name)
        rig.slurm.kill_daemon(NODES - 1)
        if is_needed:
            rig.slurm.start_daemon(NODES - 1)
        rig.let_go(name)
        rig.slurm.wait(lambda result=result: rig.has(result), "the result is there")
        if not is_needed:
            rig.slurm.start_daemon(NODES - 1)
        rig.end(number, "COMPLETED", "0")
        rig.expect_printed(rig.read(f"{number}.out"))
        os.remove(os.path.join(rig.folder, name))
        os.remove(os.path.join(rig.folder, f"{name}.started"))
    rig.expect_complete("r.tarry")
    rig.expect_complete("e.tarry")
    rig.expect_checked("c.check")
    rig.expect_files("r.tarry", "e.tarry", "c.check/")


@case
def failed_node(rig):
    jobs = {"r": "exec T run -o r -- S", "e": "S T exec -o e", "c": "exec T check -o c -- S", "ec": "S T exec --check -o ec"}
    for name, words in jobs.items():
        number = rig.submit(f"{words} ./app wait {name}", "--no-requeue")
        rig.wait_for_start(name)
        rig.slurm.kill_node(NODES - 1)
        rig.slurm.wait_for(number, "NODE_FAIL")
        rig.slurm.start_node(NODES - 1)
    rig.slurm.wait(lambda: rig.has("r.tarry"), "the trace is made")
    rig.expect_recovered("r.tarry")
    rig.ask("recover", "e.tarry")
    rig.expect_recovered("e.tarry")
    rig.expect_check_cut("c.check")
    # The loss of a node, and of its analyser, cannot be detected.
    rig.expect_check_cut("ec.check", is_tidy=False)
    rig.expect_files("r.tarry", "e.tarry", "c.check/", "ec.check/", *(f"{name}.started" for name in jobs))


# Jobs that Slurm repeats or multiplies

@case
def requeued(rig):
    """It has the same number as before, but is another job."""
    words = {"r": "T run -o r -- S ./app wait r", "e": "S T exec -o e ./app wait e"}
    jobs = {name: rig.submit(line) for name, line in words.items()}
    for name, number in jobs.items():
        rig.wait_for_start(name)
        rig.slurm.control("requeue", number)
        rig.let_go(name)
    for name, number in jobs.items():
        rig.end(number, "COMPLETED", "0")
        assert rig.slurm.show(number)["Restarts"] == "1"
        rig.expect_printed(rig.read(f"{number}.out"))
        rig.expect_complete(f"{name}.tarry")
    own = [name + end for name in words for end in ("", ".started")]
    rig.expect_files("r.tarry", "r.old-1.tarry.parts/", "e.tarry", "e.tarry.parts/", *own)
    rig.ask("recover", "r.old-1.tarry")
    rig.ask("recover", "-o", "e.old-1", "e.tarry")
    for name in ("r", "e"):
        rig.expect_recovered(f"{name}.old-1.tarry")
        rig.expect_complete(f"{name}.tarry")


@case
def requeued_check(rig):
    words = {"c": "T check -o c -- S ./app wait c", "e": "S T exec --check -o e ./app wait e"}
    jobs = {name: rig.submit(line) for name, line in words.items()}
    for name, number in jobs.items():
        rig.wait_for_start(name)
        rig.slurm.control("requeue", number)
        rig.let_go(name)
    for name, number in jobs.items():
        rig.end(number, "COMPLETED", "0")
        rig.expect_checked(f"{name}.check")
        rig.expect_check_cut(f"{name}.old-1.check")
    own = [name + end for name in words for end in ("", ".started")]
    rig.expect_files("c.check/", "c.old-1.check/", "e.check/", "e.old-1.check/", *own)


@case
def array(rig):
    """Each member has its own trace, although all of them run the same command."""
    members = range(3)
    for words in ("T run -- S ./app", "S T exec -o e-$SLURM_ARRAY_TASK_ID ./app", "S T exec --check ./app", "T coll -- S ./app"):
        number = rig.submit(words, f"--array=0-{members[-1]}")
        for index in members:
            rig.end(f"{number}_{index}", "COMPLETED", "0")
            rig.expect_printed(rig.read(f"{number}_{index}.out"))
    for index in members:
        rig.expect_complete(f"app-{index}.tarry")
        rig.expect_complete(f"e-{index}.tarry")
        rig.expect_checked(f"app-{index}.check")
    rig.expect_files(*(name.format(index) for index in members for name in ("app-{}.tarry", "e-{}.tarry", "app-{}.check/")))


@case
def two_jobs_in_one_folder(rig):
    """At the same time, with one name."""
    for words, refused in (("T run", "another job is being recorded to"), ("T check", "another job is being checked in")):
        first = rig.submit(f"{words} -- S ./app wait go")
        rig.wait_for_start()
        second = rig.submit(f"{words} -- S ./app")
        said = rig.end(second, "FAILED", str(EXIT_REFUSED), is_alone=False)
        assert refused in said and "choose another name" in said, said
        rig.let_go()
        rig.end(first, "COMPLETED", "0")
        rig.expect_printed(rig.read(f"{first}.out"))
        os.remove(os.path.join(rig.folder, "go"))
        os.remove(os.path.join(rig.folder, "go.started"))
    rig.expect_complete("app.tarry")
    rig.expect_checked("app.check")
    rig.expect_files("app.tarry", "app.check/")


@case
def two_steps_in_one_folder(rig):
    """Processes that start at the same time cannot all be rejected, so each job gets its own trace, and its own folder of findings."""
    for words in ("S T exec ./app wait", "S T exec --check ./app wait"):
        jobs = {name: rig.submit(f"{words} {name}") for name in ("a", "b")}
        for name in jobs:
            rig.wait_for_start(name)
        for name in jobs:
            rig.let_go(name)
        for name, number in jobs.items():
            rig.end(number, "COMPLETED", "0")
            rig.expect_printed(rig.read(f"{number}.out"))
            os.remove(os.path.join(rig.folder, name))
            os.remove(os.path.join(rig.folder, f"{name}.started"))
    for name in ("app", "app.old-1"):
        rig.expect_complete(f"{name}.tarry")
    for name in ("app", "app-2"):
        rig.expect_checked(f"{name}.check")
    rig.expect_files("app.tarry", "app.old-1.tarry", "app.check/", "app-2.check/")


def read_options():
    parser = job.argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpi", "mpicc", "launcher", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--only", help="one case, by its name")
    parser.add_argument("source")
    options = parser.parse_args()
    options.source, options.work, options.bin = map(os.path.abspath, (options.source, options.work, options.bin))
    return options


def try_case(rig, function):
    """A problem, or None."""
    rig.enter(function.__name__)
    try:
        function(rig)
        rig.expect_nothing_left()
    except (AssertionError, OSError, subprocess.SubprocessError, KeyError, ValueError):
        rig.slurm.run(["scancel", "--user", "root"])
        return f"{function.__name__}: {traceback.format_exc()}"
    print(function.__name__, "is right", flush=True)
    return None


def main():
    options = read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    program = os.path.join(options.work, "program")
    subprocess.run([options.mpicc, *job.FLAGS[".c"], "-o", program, options.source], check=True)
    wanted = [function for function in (SAMPLE if options.sample else CASES) if options.only in (None, function.__name__)]
    with Cluster(nodes=NODES) as cluster, Slurm(cluster, CPUS) as slurm:
        rig = Rig(options, cluster, slurm, program)
        rig.enter("plain")
        plain = rig.run("S ./app")
        rig.printed = sorted(plain.stdout.splitlines())
        assert plain.returncode == 0 and len(rig.printed) == RANKS, plain
        problems = list(filter(None, (try_case(rig, function) for function in wanted)))
    assert not problems, "\n\n".join(problems)


if __name__ == "__main__":
    main()

"""Which process of a job merges the trace, without `tarry run`: the last one, in any order of ends, and only that one lists the
folder of parts. If one is killed, none does.

    last.py TARRY FAULT_LIBRARY PRELOAD_LIBRARY FAKE_RECORDER VICTIM WORK"""

import concurrent.futures
import glob
import os
import random
import subprocess
import sys

import cuts
import inject

CODE = 7
SIZES = (1, 2, 3, 5, 8, 13)
# A process lists the folder to see that all are there, again under the lock, and to remove what helped to get there.
LISTINGS = 3
# At most per process: its part, its claim of a rank, its mark; besides ".", "..", the lock, the draft and the end.
FILES, OTHERS = 3, 6


class Job:
    def __init__(self, bench, size, name):
        self.bench, self.size, self.preload = bench, size, bench.preload
        self.folder = os.path.join(bench.work, f"{name}-{size}")
        self.trace = os.path.join(self.folder, "x.tarry")
        os.makedirs(self.folder)

    def log(self, rank):
        return os.path.join(self.folder, f"log-{rank}")

    def run(self, rank, *end, namespace=None):
        environment = {"LD_PRELOAD": f"{self.bench.fault}:{self.preload}", "TARRY_OUTPUT": self.trace,
                       "TARRY_BUFFER": "1048576", "PMIX_NAMESPACE": namespace or self.folder, "FAULT_LOG": self.log(rank),
                       "FAULT_HASTE": "1"}
        return subprocess.run([self.bench.victim, str(rank), str(self.size), *end], env=environment, cwd=self.folder,
                              capture_output=True, text=True, check=False, timeout=inject.SECONDS).returncode

    def entries_read(self, ranks):
        """Of each process that listed the folder, how many entries it read. Each process lists its own threads first."""
        counts = []
        for rank in ranks:
            with open(self.log(rank), encoding="ascii") as log:
                places = [line.split()[2] for line in log if line.split()[1] == "readdir"]
            counts.append(sum(place != places[0] for place in places))
        return [count for count in counts if count]

    def processes(self):
        dump = subprocess.run([self.bench.tarry, "dump", "--no-source", self.trace], capture_output=True, text=True, check=False)
        return dump.stdout.count("\nprocess world="), dump.stderr


def check_end(job, counts):
    problems = []
    if job.processes() != (job.size, "") or not os.path.exists(job.trace):
        problems.append(f"the trace has {job.processes()} processes")
    if os.path.exists(job.trace + ".parts"):
        problems.append(f"there are left {os.listdir(job.trace + '.parts')}")
    if len(counts) > 1 or sum(counts) > LISTINGS * (FILES * job.size + OTHERS):
        problems.append(f"entries that were read: {counts}")
    return problems


def test_order(bench, size):
    """One after the other, in an order that differs from that of the ranks."""
    job = Job(bench, size, "order")
    ranks = list(range(size))
    random.Random(size).shuffle(ranks)
    problems = [f"rank {rank} fails" for rank in ranks if job.run(rank) != CODE]
    return problems + check_end(job, job.entries_read(ranks))


def test_at_once(bench, size, helped):
    """If `tarry` is installed with the recorder, it merges. Otherwise the last process copies the chunks."""
    job = Job(bench, size, "helped" if helped else "at-once")
    if helped:
        job.preload = bench.helped
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        problems = ["one fails" for code in pool.map(job.run, range(size)) if code != CODE]
    return problems + check_end(job, job.entries_read(range(size)))


def test_killed(bench, size):
    job = Job(bench, size, "killed")
    job.run(size - 1, "die")
    problems = [f"rank {rank} fails" for rank in range(size - 1) if job.run(rank) != CODE]
    if job.entries_read(range(size)):
        problems.append(f"somebody lists the folder: {job.entries_read(range(size))}")
    if os.path.exists(job.trace) or not glob.glob(job.trace + ".parts/*.part"):
        problems.append("the parts are not left for `tarry recover`")
    subprocess.run([bench.tarry, "recover", job.trace], capture_output=True, check=False)
    return problems + check_end(job, [])


def test_again(bench, size):
    """A second job with the same name: nothing is left besides the traces, and its notes are in the new one."""
    job = Job(bench, size, "again")
    problems = [f"rank {rank} fails" for rank in range(size) if job.run(rank) != CODE]
    os.mkdir(job.trace + ".parts", 0o700)
    with open(job.trace + ".parts/notes", "w", encoding="utf-8") as notes:
        notes.write("something to know\n\nand more of it\n" + "x" * 600 + "\n")
    environment = f"{job.folder}-2"
    problems += [f"rank {rank} fails again" for rank in range(size) if job.run(rank, namespace=environment) != CODE]
    dump = subprocess.run([bench.tarry, "dump", "--no-source", job.trace], capture_output=True, text=True, check=False)
    if [line for line in dump.stdout.splitlines() if line.startswith("property note")] != [
            'property note "something to know"', 'property note "and more of it"', f'property note "{"x" * 512}"']:
        problems.append(f"the notes are not in the trace: {dump.stderr}")
    if not os.path.exists(os.path.join(job.folder, "x.old-1.tarry")):
        problems.append("the earlier trace is gone")
    return problems + check_end(job, [])


class Bench:
    def __init__(self, tarry, fault, preload, recorder, victim, work):
        self.tarry, self.fault, self.victim, self.work = tarry, fault, victim, work
        self.preload = cuts.install(preload, recorder, work)
        self.helped = cuts.install(preload, recorder, os.path.join(work, "with-tarry"))
        os.mkdir(os.path.join(work, "with-tarry", "bin"))
        os.symlink(tarry, os.path.join(work, "with-tarry", "bin", "tarry"))


def main(*arguments):
    bench = Bench(*map(os.path.abspath, arguments))
    problems = []
    for size in SIZES:
        problems += [f"{size} in some order: {problem}" for problem in test_order(bench, size)]
        for helped in False, True:
            problems += [f"{size} at once{', with tarry' * helped}: {problem}" for problem in test_at_once(bench, size, helped)]
    problems += [f"one of 5 is killed: {problem}" for problem in test_killed(bench, 5)]
    problems += [f"3 again: {problem}" for problem in test_again(bench, 3)]
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Several jobs in one folder, and folders without space, with a program on the fake MPI library: nothing is mixed or lost,
and the program does not notice.

    places.py TARRY PRELOAD_LIBRARY FAKE_RECORDER VICTIM WORK"""

import concurrent.futures
import glob
import os
import shutil
import subprocess
import sys

import cuts
import inject

CODE = 7
JOBS = 6
UNSHARE = ["unshare", "--mount", "--map-root-user"]
SMALL_SIZES_KIB = (4, 8, 64, 72, 128, 136, 192, 256, 320, 512, 1024)


class Bench:
    def __init__(self, tarry, preload, recorder, victim, work):
        self.tarry, self.victim, self.work = tarry, victim, work
        self.preload = cuts.install(preload, recorder, work)
        # An installation with these libraries.
        os.mkdir(os.path.join(work, "bin"))
        self.installed = os.path.join(work, "bin", "tarry")
        shutil.copy(tarry, self.installed)
        self.plain = subprocess.run([victim], capture_output=True, text=True, check=False).stdout
        self.whole = None

    def record(self, folder, namespace, *words, **more):
        """The program by itself, as `tarry exec` starts it."""
        os.makedirs(folder, exist_ok=True)
        environment = {"LD_PRELOAD": self.preload, "TARRY_OUTPUT": os.path.join(folder, "x.tarry"),
                       "TARRY_BUFFER": "1048576", "PMIX_NAMESPACE": namespace, "XDG_CACHE_HOME": folder, **more}
        return subprocess.run([self.victim, *words], env=environment, capture_output=True, text=True, check=False)

    def calls(self, trace):
        """Of each process, the calls of each of its threads."""
        dump = subprocess.run([self.tarry, "dump", "--no-source", trace], capture_output=True, text=True, check=False)
        texts = dump.stdout.split("\nprocess world=")[1:]
        return [[inject.names(calls) for calls in inject.essence(text)[0].values()] for text in texts], dump.stderr


def test_jobs_at_once(bench):
    """Each of them finds the trace of a faster one, and keeps it."""
    folder = os.path.join(bench.work, "at-once")
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        results = list(pool.map(lambda n: bench.record(folder, f"job-{n}"), range(JOBS)))
    problems = [f"one ends with {r.returncode}: {r.stdout}{r.stderr}" for r in results
                if (r.returncode, r.stdout) != (CODE, bench.plain)]
    traces = sorted(glob.glob(os.path.join(folder, "*.tarry")))
    read = [bench.calls(trace) for trace in traces]
    if [processes for processes, _ in read] != [[bench.whole]] * JOBS or any(errors for _, errors in read):
        problems.append(f"{len(traces)} traces, some with others' calls or without their own: {[e for _, e in read]}")
    return problems


def test_restarted_job(bench):
    """A job that is restarted under its old number, next to its files from when it was killed."""
    folder = os.path.join(bench.work, "again")
    for words in (("0", "1", "die"), ("0", "1", "die"), ("0", "1")):
        bench.record(folder, "the same", *words, TARRY_RUN="00000000000000ab")
    processes, errors = bench.calls(os.path.join(folder, "x.tarry"))
    killed = [bench.whole[0][:-1], *bench.whole[1:]]
    if sorted(processes) != sorted([killed, killed, bench.whole]) or errors:
        return [f"three starts of a job leave {[list(map(len, calls)) for calls in processes]} calls: {errors}"]
    return []


def test_full_disk(bench, kib):
    """The smallest has space for nothing, the largest for everything; it can be full at every stage."""
    folder = os.path.join(bench.work, f"full-{kib}")
    os.mkdir(folder)
    script = ('mount -t tmpfs -o size="$1"k none "$2" && shift 2 && "$@"; code=$?; '
              '"$0" dump --no-source -o "$DUMP" "$TRACE" 2>&1; exit $code')
    trace, dump = os.path.join(folder, "x.tarry"), os.path.join(bench.work, f"full-{kib}.txt")
    result = subprocess.run([*UNSHARE, "sh", "-c", script, bench.tarry, str(kib), folder, bench.installed, "run", "-o",
                             trace, "--buffer", "1M", bench.victim], capture_output=True, text=True, check=False,
                            env=dict(os.environ, TRACE=trace, DUMP=dump, PMIX_NAMESPACE="full"))
    problems = []
    refused = result.returncode == 1 and "no space left" in result.stderr.lower()
    if not refused and (result.returncode != CODE or bench.plain not in result.stdout):
        problems.append(f"it ends with {result.returncode}: {result.stdout}{result.stderr}")
    text = ""
    if os.path.exists(dump):
        with open(dump, encoding="utf-8") as file:
            text = file.read()
    calls = [inject.names(calls) for calls in inject.essence(text)[0].values()]
    if calls != bench.whole and "tarry: " not in result.stderr:
        problems.append("not everything is there, and nobody says so")
    for number, names in enumerate(calls):
        if not any(names == whole[:len(names)] for whole in bench.whole):
            problems.append(f"thread {number} has calls that were not made")
    return [f"a disk of {kib} KiB: {problem}" for problem in problems], calls == bench.whole


def test_full_disks(bench):
    if subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode:
        return []
    results = [test_full_disk(bench, kib) for kib in SMALL_SIZES_KIB]
    problems = [problem for found, _ in results for problem in found]
    if [complete for _, complete in results][:1] + [complete for _, complete in results][-1:] != [False, True]:
        problems.append(f"the disks were not too small, or never large enough: {[c for _, c in results]}")
    return problems


def exec_beside(bench, folder, prepare):
    """Runs the program under `tarry exec` where another user has prepared the folder of parts; returns problems and
    tarry's messages."""
    os.mkdir(folder)
    target = os.path.join(folder, "target")
    with open(target, "w", encoding="ascii") as file:
        file.write("precious")
    prepare(os.path.join(folder, "x.tarry.parts"), target)
    result = subprocess.run([bench.installed, "exec", "-o", os.path.join(folder, "x.tarry"), bench.victim],
                            env=dict(os.environ, PMIX_NAMESPACE="prepared"), capture_output=True, text=True, check=False)
    problems = []
    if (result.returncode, result.stdout) != (CODE, bench.plain):
        problems.append(f"the program ends with {result.returncode}: {result.stdout}{result.stderr}")
    with open(target, encoding="ascii") as file:
        if file.read() != "precious":
            problems.append("the target of a link was written to")
    return problems, result.stderr


def names_of_recorder(bench):
    """Names of the recorder's draft and notes."""
    folder = os.path.join(bench.work, "names")
    bench.record(folder, "prepared", "0", "1", "die")
    [claim] = glob.glob(os.path.join(folder, "x.tarry.parts", "*claim-*"))
    world = claim.split("-")[-2]
    return [f"draft-{world}-", "notes"]


def prepare_links(parts, target, names, mode):
    os.mkdir(parts, mode)
    os.chmod(parts, mode)
    for name in names:
        os.symlink(target, os.path.join(parts, name))


def give_away(parts, target):
    prepare_links(parts, target, ["notes"], 0o777)
    os.chown(parts, 12345, 12345)


def test_prepared_folders(bench):
    """Folders and links that another user may have left where everybody can write: nothing of ours goes through them."""
    names = names_of_recorder(bench)
    refused = {"open to all": lambda parts, target: prepare_links(parts, target, names, 0o777),
               "a link": lambda parts, target: os.symlink(os.path.dirname(target), parts)}
    if os.geteuid() == 0:
        refused["another's"] = give_away
    problems = []
    for number, (what, prepare) in enumerate(refused.items()):
        folder = os.path.join(bench.work, f"prepared-{number}")
        found, said = exec_beside(bench, folder, prepare)
        if said.count("\n") != 1 or "nothing is recorded: " not in said:
            found.append(f"instead of one sentence it says: {said!r}")
        if os.path.exists(os.path.join(folder, "x.tarry")) or glob.glob(os.path.join(folder, "**", "*.part")):
            found.append("something was recorded all the same")
        problems += [f"a folder of parts that is {what}: {problem}" for problem in found]
    found, said = exec_beside(bench, os.path.join(bench.work, "linked"),
                              lambda parts, target: prepare_links(parts, target, names, 0o700))
    if bench.calls(os.path.join(bench.work, "linked", "x.tarry")) != ([bench.whole], ""):
        found.append(f"no whole trace: {said}")
    return problems + [f"links in our own folder: {problem}" for problem in found]


def main(*arguments):
    bench = Bench(*map(os.path.abspath, arguments))
    bench.record(os.path.join(bench.work, "whole"), "whole")
    [bench.whole], errors = bench.calls(os.path.join(bench.work, "whole", "x.tarry"))
    assert len(bench.whole) == 2 and not errors, errors
    problems = test_jobs_at_once(bench) + test_restarted_job(bench) + test_prepared_folders(bench) + test_full_disks(bench)
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])

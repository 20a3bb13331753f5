"""Every allocation and every system call of the recorder fails once, at each place in turn, and for each reason that
it may have; then each function fails from some time on. The program's output and exit code must not change. The
recorded data must be readable, and losses must be reported.

    inject.py EVERY TARRY FAULT_LIBRARY PRELOAD_LIBRARY RECORDER VICTIM WORK

The recorder is that of the fake MPI library or of UPC. One of EVERY faults is tried, others with each commit
(tests/turns.py): 1 is all of them."""

import collections
import concurrent.futures
import errno
import os
import re
import shutil
import subprocess
import sys

import cuts

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import turns  # noqa: E402

SECONDS = 200
SHORT = 0
# Reasons for failures; the first is also used for permanent failures.
DISK = [errno.ENOSPC, errno.EIO, errno.EINTR]
NAMES = [errno.EACCES, errno.ENOSPC, errno.EMFILE]
REASONS = {
    "mmap_file": [errno.ENODEV, errno.ENOMEM, errno.EACCES], "posix_fallocate": [*DISK, errno.EOPNOTSUPP],
    "write": [*DISK, SHORT], "pwrite": [*DISK, SHORT], "read": [errno.EIO, errno.EINTR, SHORT],
    "pread": [errno.EIO, errno.EINTR, SHORT, errno.ESTALE], "ftruncate": [errno.EIO, errno.EINTR], "close": [errno.EIO],
    "open": [*NAMES, errno.EINTR], "openat": [*NAMES, errno.EINTR], "mkdir": NAMES, "opendir": NAMES,
    "rename": [errno.ENOSPC, errno.ESTALE], "renameat": [errno.ENOSPC, errno.ESTALE], "nanosleep": [errno.EINTR],
}
# Of the calls from one place, these; and the last.
FIRST_CALLS = 3


class Scenario:
    def __init__(self, words=(), environment=(), whole=True):
        self.words, self.environment = words, dict(environment)
        self.whole = whole  # the process puts its trace together


SCENARIOS = {
    "alone": Scenario(),
    # `tarry run` merges the trace, and spawned processes are searched for.
    "run": Scenario(environment={"TARRY_RUN": "00000000000000ab"}, whole=False),
    # One of two, the other of which never arrives.
    "first": Scenario(words=("0", "2"), whole=False),
    "exit": Scenario(words=("0", "1", "exit")),
}
# Of a program in UPC: threads that are processes, and threads that share one.
UPC_SCENARIOS = {
    "alone": Scenario(),
    "run": Scenario(environment={"TARRY_RUN": "00000000000000ab"}, whole=False),
    "shared": Scenario(words=("3",), environment={"TARRY_BUFFER": "8388608"}),
    "exit": Scenario(words=("1", "exit")),
}


class Bench:
    def __init__(self, tarry, fault, preload, recorder, victim, work):
        self.tarry, self.fault, self.victim, self.work = tarry, fault, victim, work
        self.scenario = None
        self.seen = set()  # places that had their faults in an earlier scenario
        self.preload = cuts.install(preload, recorder, work)
        self.scenarios = UPC_SCENARIOS if recorder.endswith("-upc.so") else SCENARIOS
        # Most of it is the same as under MPI, where each place fails in all ways.
        self.ways = 1 if self.scenarios is UPC_SCENARIOS else FIRST_CALLS

    def run(self, folder, **fault):
        """Runs the program in a separate folder, with a fault or without."""
        os.makedirs(folder)
        environment = {
            "LD_PRELOAD": f"{self.fault}:{self.preload}", "TARRY_OUTPUT": os.path.join(folder, "x.tarry"),
            "TARRY_BUFFER": "1048576", "PMIX_NAMESPACE": "faults", "XDG_CACHE_HOME": os.path.join(folder, "cache"),
            "FAULT_LOG": os.path.join(folder, "log"), "FAULT_HASTE": "1", **self.scenario.environment,
            **{"FAULT_" + key.upper(): str(value) for key, value in fault.items()}}
        return subprocess.run([self.victim, *self.scenario.words], env=environment, cwd=folder, capture_output=True,
                              text=True, check=False, timeout=SECONDS)

    def read(self, folder):
        """The readable content afterwards: the text, or None; and all messages."""
        dump = subprocess.run([self.tarry, "dump", "--no-source", os.path.join(folder, "x.tarry")], cwd=folder,
                              capture_output=True, text=True, check=False, timeout=SECONDS)
        text = dump.stdout if dump.stdout.startswith("tarry trace") else None
        told = re.findall(r'^(?:loss \d+|property note) "(.*)"$', text or "", re.MULTILINE)
        notes = os.path.join(folder, "x.tarry.parts", "notes")
        if os.path.exists(notes):
            with open(notes, encoding="utf-8") as file:
                told += file.read().splitlines()
        return text, told, dump.stderr


def essence(text):
    """Calls, communicators, objects and modules: what an analysis needs. Without what differs from run to run."""
    threads, definitions = collections.defaultdict(list), []
    thread = None
    for line in (text or "").splitlines():
        word = line.split(" ", 1)[0]
        if word in ("comm", "object"):
            definitions.append(line)
        elif word == "module":
            definitions.append(re.sub(r'base=0x[0-9a-f]+ | ".*"$', "", line))
        elif word == "thread":
            thread = line.split()[1]
        elif word.isdigit():
            threads[thread].append(re.sub(r" busy=\d+| site=\S+| (?:delay|blocked)_(?:before|inside)=\d+", "", line.split(" ", 2)[2]))
    return dict(threads), sorted(definitions)


def names(calls):
    return [call.split()[0] for call in calls]


def begins(calls, made):
    """True if these are the first of those. The last may be a UPC barrier of which only the first half was
    recorded."""
    found, wanted = names(calls), names(made)[:len(calls)]
    if found[-1:] == ["upc_notify"] and wanted[-1:] == ["upc_barrier"]:
        found[-1] = "upc_barrier"
    return found == wanted


def check(whole, text, told, errors):
    """Errors in the files left after a fault."""
    if text is None:
        return [] if told else [f"nothing can be read, and no note tells why: {errors}"]
    problems = []
    threads, definitions = essence(text)
    for number, calls in threads.items():
        # A thread that could not be recorded has no number.
        if not any(begins(calls, made) for made in whole[0].values()):
            problems.append(f"the calls of thread {number} are others than those that were made")
    if (threads, definitions) != whole and not told:
        problems.append(f"{describe_loss(whole, threads, definitions)} lost, and nothing tells it")
    return problems + ([f"damaged: {errors}"] if errors else [])


def describe_loss(whole, threads, definitions):
    calls = sum(map(len, whole[0].values())) - sum(map(len, threads.values()))
    changed = [pair for number in threads for pair in zip(whole[0].get(number, []), threads[number]) if pair[0] != pair[1]]
    missing = [line for line in whole[1] if line not in definitions]
    return f"{calls} calls, {len(changed)} changed {changed[:1]}, definitions {missing[:2]}"


def read_log(folder):
    with open(os.path.join(folder, "log"), encoding="ascii") as log:
        return [line.split() for line in log]


def choose(calls, seen, ways):
    """The calls that fail, and why: for each new place, the first ones and the last."""
    places = collections.defaultdict(list)
    for number, function, place in calls:
        if (function, place) not in seen:
            places[function, place].append(int(number))
    seen.update(places)
    for (function, _), numbers in places.items():
        for number in sorted(set(numbers[:ways] + numbers[-1:])):
            for reason in REASONS.get(function, [errno.ENOMEM])[:None if ways == FIRST_CALLS else ways]:
                yield {"at": number, "errno": reason}
    counts = collections.Counter(function for _, function, _ in calls)
    for function in sorted({function for function, _ in places} | {"mmap_file"}):
        for first in sorted({1, 2, 1 + counts[function] // 2}):
            yield {"at": first, "on": function, "errno": REASONS.get(function, [errno.ENOMEM])[0]}


def test_one(bench, number, fault, plain, whole):
    folder = os.path.join(bench.work, str(number))
    result = bench.run(folder, **fault)
    log = read_log(folder) if os.path.exists(os.path.join(folder, "log")) else []
    problems = []
    if (result.returncode, result.stdout, result.stderr) != plain:
        problems = [f"the program ended with {result.returncode}: {result.stdout}{result.stderr}"]
    text, told, errors = bench.read(folder)
    forever = "on" in fault
    if fault.get("on") == "mmap_file" and fault["at"] == 1 and essence(text) != whole:
        problems.append(f"a file system without mapping loses {describe_loss(whole, *essence(text))}")
    # If nothing can be written any more, nothing can be reported there: `tarry run` does that.
    if text is not None or not forever:
        problems += check(whole, text, told, errors)
    shutil.rmtree(folder)
    where = log[0][1:] if log else "nothing"
    return [f"{fault} ({where}): {problem}" for problem in problems]


def test_scenario(bench, name):
    bench.scenario = bench.scenarios[name]
    folder = os.path.join(bench.work, name)
    result = bench.run(folder)
    plain = (7, subprocess.run([bench.victim, *bench.scenario.words], capture_output=True, text=True,
                               check=False).stdout, "")
    assert (result.returncode, result.stdout, result.stderr) == plain, f"without a fault: {result}"
    text, told, errors = bench.read(folder)
    assert text and not told and not errors, f"without a fault: {told} {errors}"
    assert bench.scenario.whole == os.path.exists(os.path.join(folder, "x.tarry"))
    whole = essence(text)
    faults = turns.sample(choose(read_log(folder), bench.seen, bench.ways), bench.every)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda item: test_one(bench, *item, plain, whole), enumerate(faults)))
    problems = [f"{name}: {problem}" for result in results for problem in result]
    print(f"{name}: {len(faults)} faults, {len(problems)} problems")
    return problems


def main(every, *arguments):
    bench = Bench(*map(os.path.abspath, arguments))
    bench.every = int(every)
    problems = [problem for name in bench.scenarios for problem in test_scenario(bench, name)]
    print("\n".join(problems[:60]))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])

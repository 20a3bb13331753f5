"""`tarry recover` and `tarry run` when any call of the C library fails: they print a message and return an exit code, and no
recorded data is lost, as the next `tarry recover` shows. The exit code of `tarry run` is still that of the job.

    tools.py EVERY TARRY FAULT_LIBRARY PRELOAD_LIBRARY FAKE_RECORDER VICTIM WORK

Every EVERY-th fault is tried: 1 is all of them."""

import collections
import concurrent.futures
import errno
import glob
import os
import shutil
import subprocess
import sys

import cuts
import inject
from inject import turns

JOB_CODE = 9
# Of calls from one place.
FIRST_CALLS = 2


class Bench:
    def __init__(self, tarry, fault, part, work):
        self.tarry, self.fault, self.part, self.work = tarry, fault, part, work
        self.job = os.path.join(work, "job")
        with open(self.job, "w", encoding="ascii") as script:
            script.write('#!/bin/sh\n: >started\ncp "$1" "$TARRY_OUTPUT.parts/1.part"\nexit %d\n' % JOB_CODE)
        os.chmod(self.job, 0o700)

    def prepare(self, folder, command):
        os.makedirs(folder)
        if command == "recover":
            os.mkdir(os.path.join(folder, "x.tarry.parts"))
            shutil.copy(self.part, os.path.join(folder, "x.tarry.parts"))
            return [self.tarry, "recover", "x.tarry"]
        return [self.tarry, "run", "-o", "x", self.job, self.part]

    def run(self, words, folder, **fault):
        settings = {"FAULT_" + key.upper(): str(value) for key, value in fault.items()}
        environment = {"PATH": os.environ["PATH"]}
        if fault:
            environment.update(LD_PRELOAD=self.fault, FAULT_IN="@tarry", FAULT_LOG=os.path.join(folder, "log"), **settings)
        return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=200)

    def events(self, folder):
        """Of the trace, after the remaining parts have been merged."""
        left = glob.glob(os.path.join(folder, "x.tarry.parts", "*.part"))
        if left:
            self.run([self.tarry, "recover", "x.tarry"], folder)
        dump = self.run([self.tarry, "dump", "--no-source", "x.tarry"], folder)
        return inject.essence(dump.stdout)[0]


def choose(log):
    places = collections.defaultdict(list)
    for number, function, place in log:
        places[function, place].append(int(number))
    for (function, _), numbers in places.items():
        for number in sorted(set(numbers[:FIRST_CALLS] + numbers[-1:])):
            yield {"at": number, "errno": inject.REASONS.get(function, [errno.ENOMEM])[0]}


def test_one(bench, command, number, fault, whole):
    folder = os.path.join(bench.work, f"{command}-{number}")
    words = bench.prepare(folder, command)
    try:
        result = bench.run(words, folder, **fault)
    except subprocess.TimeoutExpired:
        return [f"{command}, {fault} ({inject.read_log(folder)}): it hangs"]
    started = command == "recover" or os.path.exists(os.path.join(folder, "started"))
    allowed = (0, 1) if command == "recover" else (JOB_CODE,) if started else (1, 126)
    problems = []
    if result.returncode not in allowed:
        problems.append(f"the exit code is {result.returncode}: {result.stderr}")
    if result.returncode == 1 and not result.stderr.startswith("tarry: "):
        problems.append("it fails without a message")
    if started and bench.events(folder) != whole:
        problems.append(f"not everything is there afterwards: {result.stderr}")
    log = inject.read_log(folder) if os.path.exists(os.path.join(folder, "log")) else []
    shutil.rmtree(folder)
    where = next((line[1:] for line in log if line[0] == "fault"), "nothing")
    return [f"{command}, {fault} ({where}): {problem}" for problem in problems]


def test_command(bench, command):
    folder = os.path.join(bench.work, command)
    words = bench.prepare(folder, command)
    result = bench.run(words, folder, at=0)
    assert result.returncode == (0 if command == "recover" else JOB_CODE), result
    whole = bench.events(folder)
    assert sum(map(len, whole.values())) > 1000
    faults = list(choose(inject.read_log(folder)))
    assert len(faults) > 20, faults
    faults = turns.sample(faults, bench.every)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda item: test_one(bench, command, *item, whole), enumerate(faults))
        problems = [problem for result in results for problem in result]
    print(f"{command}: {len(faults)} faults, {len(problems)} problems")
    return problems


def main(every, *arguments):
    tarry, fault, preload, recorder, victim, work = map(os.path.abspath, arguments)
    part = cuts.prepare_and_record(preload, recorder, victim, work)
    bench = Bench(tarry, fault, part, work)
    bench.every = int(every)
    problems = [problem for command in ("recover", "run") for problem in test_command(bench, command)]
    print("\n".join(problems[:40]))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Faults around a checked program: the program's result and its exit code do not change.

    faults.py --tarry build/bin/tarry --work DIR --library NAME,MPICC,MPICXX,FC,LAUNCHER,LIBRARY …

* calls: more distinct calls than an agent keeps: it forgets them and continues
* forgets: a process is killed just after its agent has forgotten its calls: its last call is still known
* forks: a child ends while its parent continues
* full: the analyser is stopped while the ring fills: the program waits, and continues when the analyser does
* killed: the analyser is killed in the middle: the agents step aside, and a note says so
* stays: the launcher does not return after a crash: it is ended, after half a minute (only with --slow)"""

import argparse
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ON_ONE_MACHINE = os.path.join(HERE, "..", "..", "scripts", "mpirun-here")
SECONDS = 120


def analysers(folder):
    """Process ids of the analysers of a run."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"tarry-analyser") and os.fsencode(folder) in words:
            found.append(int(path.split("/")[2]))
    return found


class Job:
    def __init__(self, tarry, launcher, program, work, arguments, stays=False):
        self.folder = os.path.join(work, "run.check")
        self.json = os.path.join(work, "findings.json")
        self.process = subprocess.Popen(
            [ON_ONE_MACHINE, tarry, "check", "--replace", "-o", os.path.join(work, "run"), "--json", self.json, "--buffers=all", "--",
             *(["sh", "-c", '"$0" "$@"; exec sleep 1000'] if stays else []), launcher, "-n", "2", program, *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def wait_until_ready(self):
        for line in self.process.stdout:
            if "ready" in line:
                break
        pids = analysers(self.folder)
        assert len(pids) == 1, f"{len(pids)} analysers"
        return pids[0]

    def end(self, go=""):
        output = self.process.communicate(go, timeout=SECONDS)[0]
        with open(self.json) as file:
            return output, self.process.returncode, json.load(file)


def result(rounds):
    return f"sum {rounds * (rounds - 1)}\n"


def expect(condition, what, output):
    if not condition:
        raise AssertionError(f"{what}\n{output}")


def calls(start):
    rounds = 30000
    output, code, found = start([str(rounds), "20000"]).end()
    expect(result(rounds) in output and code == 0, f"exit code {code}", output)
    expect(not found["findings"], "there is nothing to find", output)


def forgets(start):
    """An agent forgets its calls after 8,192 of them, and their numbers restart at 1."""
    rounds = 8194
    output, _, found = start([str(rounds), "20000", "last"]).end()
    expect([finding["id"] for finding in found["findings"]] == ["end.crash"], "one crash, and nothing else", output)
    arguments = found["findings"][0]["calls"][0]["arguments"]
    expect(f"tag = {rounds - 1}," in arguments, f"the last call has other arguments: {arguments}", output)


def forks(start):
    rounds = 3000
    output, code, found = start([str(rounds), "3", "fork"]).end()
    expect(result(rounds) in output and code == 0, f"exit code {code}", output)
    expect(not found["findings"], "there is nothing to find", output)


def full(start):
    rounds = 200000
    job = start([str(rounds), "3", "wait"])
    analyser = job.wait_until_ready()
    os.kill(analyser, signal.SIGSTOP)
    job.process.stdin.write("\n")
    job.process.stdin.flush()
    time.sleep(2)  # long enough to fill ring and sockets; it is not tested whether the program waits
    os.kill(analyser, signal.SIGCONT)
    output, code, found = job.end()
    expect(result(rounds) in output and code == 0, f"exit code {code}", output)
    expect(not found["findings"], "there is nothing to find", output)


def killed(start):
    rounds = 200000
    job = start([str(rounds), "3", "wait"])
    os.kill(job.wait_until_ready(), signal.SIGKILL)
    output, code, found = job.end("\n")
    expect(result(rounds) in output, "the program's result is missing", output)
    expect(not found["findings"], "there is nothing to find", output)
    with open(os.path.join(job.folder, "notes")) as file:
        expect("its analyser is gone" in file.read(), "no note says that the analyser is gone", output)


def stays(start):
    output, code, found = start(["10", "3", "crash"], stays=True).end()
    expect([finding["id"] for finding in found["findings"]] == ["end.crash"] and code == 4, f"exit code {code}", output)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tarry", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--library", action="append", required=True)
    parser.add_argument("--slow", action="store_true")
    options = parser.parse_args()
    for text in options.library:
        name, mpicc, _, _, launcher, *_ = text.split(",")
        work = os.path.join(os.path.abspath(options.work), name)
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        program = os.path.join(work, "chatter")
        subprocess.run([mpicc, "-g", "-O1", os.path.join(HERE, "faults", "chatter.c"), "-o", program], check=True)
        for test in (calls, forgets, forks, full, killed, *[stays] * options.slow):
            test(lambda arguments, **how: Job(os.path.abspath(options.tarry), launcher, program, work, arguments, **how))
            print(f"{name}: {test.__name__}: ok", flush=True)


if __name__ == "__main__":
    sys.exit(main())

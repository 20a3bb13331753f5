"""A job that hangs: 'tarry info' shows the deadlock while it hangs, and however it is ended, the trace and the last message of
'tarry run' have the calls of the ranks.

    hanging.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR programs/hanging.c"""

import glob
import json
import os
import re
import signal
import subprocess
import sys
import time

import job

PATIENCE = 90


class Hanging(job.Job):
    def start(self, line):
        environment = dict(os.environ, **job.FOR_OPEN_MPI)
        return subprocess.Popen([job.ON_ONE_MACHINE, *line], cwd=self.options.work, env=environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)

    def info(self, trace):
        """The current information about it; nothing, if it is too early or the job has ended."""
        result = subprocess.run([self.tarry, "info", "--json", trace], capture_output=True, text=True, check=False)
        return json.loads(result.stdout) if result.returncode == 0 else {"open_calls": []}

    def wait_until_it_hangs(self, process):
        for _ in range(PATIENCE * 5):
            found = self.info(self.trace + ".parts")
            if [call["call"] for call in found["open_calls"]] == ["MPI_Ssend", "MPI_Ssend"]:
                parts = glob.glob(self.trace + ".parts/*.part")
                if len(parts) != 1:
                    sys.exit("the ranks of a node share one part, not %s" % parts)
                return found
            if process.poll() is not None:
                break
            time.sleep(0.2)
        process.kill()
        sys.exit("the job did not hang: %s" % process.communicate()[1])

    def place(self):
        with open(self.options.source, encoding="utf-8") as source:
            line = next(number for number, text in enumerate(source, 1) if "here" in text)
        return "%s:%d" % (os.path.basename(self.options.source), line)

    def check_calls(self, found, has_end):
        if found["deadlock"] != [0, 1]:
            yield "it is a deadlock of 0 and 1, not %s" % found["deadlock"]
        for call in found["open_calls"]:
            if call["waits_for"] != [1 - call["rank"]] or "%s:%d" % (os.path.basename(call["file"]), call["line"]) != self.place():
                yield "each waits for the other at %s: %s" % (self.place(), call)
            if has_end and call["seconds"] <= 0:
                yield "it took no time: %s" % call

    def check_interrupted(self, number):
        """By Ctrl-C, or by a time limit."""
        process = self.start([self.tarry, "run", "-o", self.trace, "--no-analyze", "--", *self.launch_line()])
        yield from self.check_calls(self.wait_until_it_hangs(process), True)
        os.kill(process.pid, number)
        last = process.communicate(timeout=PATIENCE)[1].splitlines()[-2:]
        words = r"tarry: rank 0 has been in MPI_Ssend to rank 1 at %s for [0-9.]+ (us|ms|s|min), rank 1 likewise" % re.escape(self.place())
        if not re.fullmatch(words, last[0]) or last[1] != "tarry: deadlock: ranks 0 -> 1 -> 0 wait for each other":
            yield "the last words are %s" % last
        yield from self.check_calls(self.info(self.trace), True)
        shown = [line for line in self.must([self.tarry, "dump", self.trace]).splitlines() if line.startswith("open ")]
        if len(shown) != 2 or not all("tag=7" in line and "sent=16" in line and self.place() in line for line in shown):
            yield "the dump has %s" % shown
        os.unlink(self.trace)

    def check_killed(self):
        """No process could report anything, and none saw the end."""
        process = self.start(self.launch_line([self.tarry, "exec", "-o", self.trace]))
        self.wait_until_it_hangs(process)
        pids = re.findall(r'property pid "(\d+)"', self.must([self.tarry, "dump", self.trace + ".parts"]))
        for pid in pids:
            os.kill(int(pid), signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
        until = time.monotonic() + PATIENCE
        while any(os.path.exists("/proc/" + pid) for pid in pids) and time.monotonic() < until:
            time.sleep(0.05)  # the launcher may be gone before a process is that it started
        self.must([self.tarry, "recover", self.trace])
        yield from self.check_calls(self.info(self.trace), False)
        if "MPI_Ssend to rank 1 at %s since " % self.place() not in self.must([self.tarry, "info", self.trace]):
            yield "'tarry info' does not say since when"


def main():
    test = Hanging(job.read_options())
    if test.options.source.endswith(".c"):
        problems = list(test.check_interrupted(signal.SIGINT)) + list(test.check_killed())
    else:
        problems = list(test.check_interrupted(signal.SIGTERM))
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

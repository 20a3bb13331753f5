"""Reports of random programs say nothing impossible (tests/report/possible.py): the programs of the other random tests, which
start and end at any time, wait for processors, pause the recording and mark phases.

Usage: random_reports.py TARRY [COUNT [FIRST_SEED]]
"""

import json
import os
import random
import subprocess
import sys
import tempfile

import random_movement
import random_noise
import random_upc
import random_windows
from programs import Program
from random_habits import Habits
from replayed import assemble
from seeds import try_all

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "report"))

from possible import impossible, impossible_text  # noqa: E402

PROGRAMS = (
    lambda seed, pick: Program(seed, pick.randrange(2, 9), pick.choice((5, 20, 80)), shifted=seed % 3 == 0),
    lambda seed, pick: Habits(2 * seed + 1, pick.randrange(2, 9), pick.choice((1, 3, 6))),
    lambda seed, pick: random_noise.Run(seed, True),
    lambda seed, pick: random_windows.program(seed)[0],
    lambda seed, pick: random_upc.made(seed),
    lambda seed, pick: random_movement.Program(seed))


def is_event(line):
    return line[:1].isdigit()


class Disturbed:
    """Lines of a trace; what is added lies between the events or before and behind them all."""

    def __init__(self, lines, pick):
        self.pick, self.lines = pick, []
        starts = [int(line.split()[0]) for line in lines if is_event(line)]
        ends = [int(line.split()[1]) for line in lines if is_event(line)]
        self.first, self.last = min(starts, default=0), max(ends, default=0)
        self.length = max(1, self.last - self.first)
        self.has_ends = any("MPI_Init" in line or "upc_" in line for line in lines)
        self.starts_late, self.noise = pick.random() < 0.7, pick.choice((0, 0.4, 1))
        self.pauses, self.marks, self.cut = pick.random() < 0.4, pick.random() < 0.3, pick.random() < 0.2
        self.shift = 2 * self.length
        self.latest = self.last + self.shift + pick.choice((1, 1000, self.length, 20 * self.length))
        for group in self.threads(lines):
            self.add_thread(group)

    @staticmethod
    def threads(lines):
        """Groups: the lines before a thread, or a thread's events."""
        group = []
        for line in lines:
            if group and is_event(line) != is_event(group[-1]):
                yield group
                group = []
            group.append(line)
        yield group

    def add_thread(self, group):
        if not is_event(group[0]):
            if self.pauses and group[0].startswith("process"):
                group.insert(1, 'property selection "--from step:1"')
            self.lines += group
            return
        events = []
        for line in group:
            start, end, rest = line.split(" ", 2)
            events.append((int(start) + self.shift, int(end) + self.shift, rest))
        if self.cut:
            events = events[self.pick.randrange(len(events)):] if self.pick.random() < 0.5 else events
        if not self.has_ends:
            self.add_start(events[0][0])
        self.add_events(events)
        if not self.has_ends:
            self.add_end(events[-1][1])

    def add_start(self, before):
        start = self.pick.randrange(0, before) if self.starts_late else 0
        self.lines.append("%d %d MPI_Init" % (start, self.pick.randrange(start, before) if self.starts_late else before - 1))

    def add_end(self, behind):
        start = self.pick.choice((behind, self.pick.randrange(behind, self.latest + 1)))
        end = self.pick.choice((self.latest, start, self.pick.randrange(start, self.latest + 1)))
        self.lines.append("%d %d MPI_Finalize" % (start, end))

    def add_events(self, events):
        before = None
        for start, end, rest in events:
            if before is not None and start - before > 4:
                self.add_between(before, start)
            if "delay_" not in rest and self.pick.random() < self.noise:
                rest += " delay_before=%d delay_inside=%d" % tuple(self.pick.choice((1, 10**9, 10**9)) for _ in range(2))
            self.lines.append("%d %d %s" % (start, end, rest))
            before = end

    def add_between(self, before, start):
        at = self.pick.randrange(before + 1, start)
        if self.pauses and self.pick.random() < 0.7:
            self.lines += ["pause %d" % (before + 1), "resume %d" % self.pick.choice((at, start - 1))]
        elif self.marks and self.pick.random() < 0.3:
            name = self.pick.choice(("one", "two"))
            self.lines.append('%d %d %s region="%s"' % (at, at, self.pick.choice(("tarry_phase", "tarry_region_begin",
                                                                                 "tarry_region_end")), name))


def written(tarry, path, *options):
    done = subprocess.run([tarry, "report", "--all", *options, path], capture_output=True, timeout=200)
    assert not done.returncode, "tarry report ended with %d: %s" % (done.returncode, done.stderr.decode())
    return done.stdout.decode()


def check(tools, seed):
    pick = random.Random(seed)
    made = PROGRAMS[seed % len(PROGRAMS)](seed, pick)
    lines = list(getattr(made, "trace", made).lines())
    if pick.random() < 0.8:
        lines = Disturbed(lines, pick).lines
    with tempfile.TemporaryDirectory() as folder:
        path, text = os.path.join(folder, "t.tarry"), "\n".join(lines) + "\n"
        assemble(tools[0], text, path)
        report = os.path.join(folder, "report.json")
        wrong = impossible_text(written(tools[0], path, "--json", report))
        with open(report, encoding="utf-8") as file:
            told = json.load(file)
        wrong += impossible(told)
    assert not wrong, "%s\n%s" % ("\n".join(wrong), text)
    return {row["pattern"] for row in told["findings"]}


# A consequence that was not predictable had a higher severity than its cause.
FAILED_BEFORE = (1080,)


if __name__ == "__main__":
    for seed in FAILED_BEFORE:
        check(sys.argv[1:2], seed)
    try_all(check, 1, ("mpi.finalize-wait", "mpi.barrier-wait", "upc.barrier-wait"))

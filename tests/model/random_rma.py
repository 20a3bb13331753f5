"""Random one-sided communication: print-relations must agree with an exhaustive search.

Usage: random_rma.py TARRY PRINT_RELATIONS [TIMES [SEED]]
"""

import os
import random
import re
import subprocess
import sys
import tempfile

from lock_order import ALL, befores
from replayed import Trace, WORLD, assemble

WIN = "win=0xa"
SHARED, EXCLUSIVE = 1, 2


class Process:
    """Calls one after the other, at times that no other process has; each is (function, start, end)."""

    def __init__(self, trace, rank, clock):
        self.trace, self.rank, self.clock = trace, rank, clock
        self.now = 1 + rank
        self.calls = []  # (function, target, as the model reports it)

    def call(self, name, fields="", target=None):
        # Times differ over all processes: each has its own remainder.
        start = self.now + self.clock.randrange(1, 20) * self.trace.size
        end = start + self.clock.randrange(0, 30) * self.trace.size
        told = "MPI_%s@%d.0:%d-%d" % (name, self.rank, start, end)
        self.now = end
        self.trace.add(self.rank, start, end, "MPI_%s %s %s" % (name, WIN, fields))
        self.calls.append((name, target, told))
        return told, start, end

    def accesses(self):
        """Each with the first call behind it that ends it, if there is one."""
        for i, (name, target, told) in enumerate(self.calls):
            ends = [call for call in self.calls[i:] if call[0] == "Win_unlock_all" or call[:2] == ("Win_unlock", target)]
            if name == "Put" and ends:
                yield "access win=a %d->%d %s %s" % (self.rank, target, told, ends[0][2])


class Hold:
    def __init__(self, rank, target, kind, take, first, give):
        self.rank, self.target, self.kind, self.take, self.first, self.give = rank, target, kind, take, first, give

    def times(self):
        return (self.rank, self.target, self.kind == EXCLUSIVE, self.take[1:], self.first[1:], self.give[1:])

    def line(self, before):
        return "lock win=a target=%d%s %s %s %s%s" % (
            self.target, " exclusive" * (self.kind == EXCLUSIVE), self.take[0], self.first[0], self.give[0],
            " before " + before.give[0] if before else "")


def hold_lines(holds):
    by_times = {hold.times(): hold for hold in holds}
    found = befores(list(by_times))
    return [hold.line(by_times.get(found[times])) for times, hold in by_times.items()]


def new_trace(size):
    trace = Trace(size)
    for rank in range(size):
        trace.head(rank, 'object win 0xa comm=0x%x size=8 unit=1 ""' % WORLD)
        trace.add(rank, 0, 0, "MPI_Comm_rank comm=0x%x" % WORLD)
    return trace


def locks(chance, size):
    trace, holds, accesses = new_trace(size), [], []
    for rank in range(size):
        process = Process(trace, rank, chance)
        for _ in range(chance.randrange(12)):
            target = chance.choice([ALL, *range(size)])
            kind = SHARED if target == ALL else chance.choice([SHARED, EXCLUSIVE])
            where = "" if target == ALL else "target=%d" % target
            take = process.call("Win_lock_all") if target == ALL else process.call("Win_lock", "%s lock=%d" % (where, kind))
            puts = []
            for _ in range(chance.randrange(3)):
                to = chance.randrange(size) if target == ALL else target
                puts.append(process.call("Put", "target=%d epoch=3" % to, to))
            if chance.random() < 0.1:
                continue  # never given back: the next lock of the same target takes its place
            give = process.call("Win_unlock_all" if target == ALL else "Win_unlock", where, target)
            holds.append(Hold(rank, target, kind, take, puts[0] if puts else give, give))
        accesses += process.accesses()
    return trace, hold_lines(holds), accesses


def epochs(chance, size):
    """Rounds in which every process is either a target or an origin, of some of the others: exposure epochs, and access
    epochs."""
    trace, lines, accessing = new_trace(size), [], []
    processes = [Process(trace, rank, chance) for rank in range(size)]
    for _ in range(chance.randrange(6)):
        targets = [rank for rank in range(size) if chance.random() < 0.5]
        pairs = {(o, t): [] for t in targets for o in range(size) if o not in targets and chance.random() < 0.7}
        starts, completes, posts = {}, {}, {}
        for target in targets:
            members = " ".join("member=%d" % o for o, t in pairs if t == target)
            posts[target] = processes[target].call("Win_post", members)
        for origin in {o for o, _ in pairs}:
            named = [t for o, t in pairs if o == origin]
            starts[origin] = processes[origin].call("Win_start", " ".join("member=%d" % t for t in named))
            for _ in range(chance.randrange(4)):
                to = chance.choice(named)
                pairs[origin, to].append(processes[origin].call("Put", "target=%d epoch=2" % to))
            completes[origin] = processes[origin].call("Win_complete")
        for target in targets:
            wait = processes[target].call("Win_wait")
            origins = sorted(o for o, t in pairs if t == target)
            members = []
            for o in origins:
                puts = pairs[o, target] or [starts[o]]
                members.append("%d %s %s %s %s accesses=%d" % (
                    o, starts[o][0], completes[o][0], puts[0][0], puts[-1][0], len(pairs[o, target])))
            if members:
                lines.append("exposures win=a %s %s: %s" % (posts[target][0], wait[0], "; ".join(members)))
        for origin in starts:
            members = ["%d %s %s accesses=%d" % (t, posts[t][0], (puts or [starts[origin]])[0][0], len(puts))
                       for (o, t), puts in sorted(pairs.items()) if o == origin]
            accessing.append("epoch win=a %s %s: %s" % (starts[origin][0], completes[origin][0], "; ".join(members)))
    return trace, lines + accessing


def fences(chance, size):
    """Fences with accesses between them; one may end before others."""
    trace, lines, rounds = new_trace(size), [], []
    processes = [Process(trace, rank, chance) for rank in range(size)]
    for _ in range(chance.randrange(6)):
        accesses, calls = [], []
        for process in processes:
            for _ in range(chance.randrange(4)):
                to = chance.randrange(size)
                accesses.append((process.rank, to, process.call("Put", "target=%d epoch=1" % to)))
            calls.append(process.call("Win_fence"))
        rounds.append((accesses, calls))
    for accesses, calls in rounds:
        parts = []
        for rank, call in enumerate(calls):
            mine = [(origin, put) for origin, to, put in accesses if to == rank and origin != rank]
            last = max((put for _, put in mine), key=lambda put: put[2], default=call)
            parts.append("%d %s %s accesses=%d origins=%d" % (rank, call[0], last[0], len(mine), len({o for o, _ in mine})))
        lines.append("fence win=a size=%d: %s" % (size, "; ".join(parts)))
    return trace, lines


def tell(tarry, printer, trace, kinds):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.tarry")
        assemble(tarry, trace.text(), path)
        done = subprocess.run([printer, path], capture_output=True, text=True, timeout=200)
    if done.returncode:
        sys.exit("print-relations died (%d): %s\n%s" % (done.returncode, done.stderr, trace.text()))
    return sorted(re.sub(r"(@\S+)#\d+", r"\1", line) for line in done.stdout.splitlines() if line.startswith(kinds))


def compare(seed, trace, told, expected):
    if told != sorted(expected):
        print("missing\n  " + "\n  ".join(line for line in expected if line not in told))
        print("surplus\n  " + "\n  ".join(line for line in told if line not in expected))
        sys.exit("seed %d:\n%s" % (seed, trace.text()))


def main():
    tarry, printer = sys.argv[1:3]
    times = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    for seed in range(first, first + times):
        chance = random.Random(seed)
        size = chance.randrange(1, 6)
        trace, holds, accesses = locks(chance, size)
        compare(seed, trace, tell(tarry, printer, trace, ("lock", "access")), holds + accesses)
        trace, exposed = epochs(chance, size)
        compare(seed, trace, tell(tarry, printer, trace, ("exposures", "epoch")), exposed)
        trace, fenced = fences(chance, size)
        compare(seed, trace, tell(tarry, printer, trace, "fence"), fenced)


main()

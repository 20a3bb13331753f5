"""Random UPC programs that move data: frequent, large and unbalanced transfers by their formulas, and no second in two findings.

A block is a line. Times are those in accesses to other threads' memory, and of collective operations what lies behind the last start:
`work` until the first end, `own` until the own end (of a root with others: `work`).

    unbalanced    own - mean of the threads that come to the block, if all do but one at the most
    frequent      in accesses up to 1 KiB that repeat an equal one with only accesses in between, less 1 ns for each byte
    large         in transfers from 64 KiB on, less as many times the mean of other blocks, if these move an eighth on average

The latter two in proportion, as far as unbalanced leaves something.

Usage: random_movement.py TARRY PRINT_FINDINGS RULES [COUNT [FIRST_SEED]]
"""

import os
import random
import sys
from collections import defaultdict
from types import SimpleNamespace

from analyzed import analyze
from seeds import try_all

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "model"))

from replayed import Trace  # noqa: E402

TEAM = 0xd0
OFTEN, ROW, SMALL, LARGE, OUTLIER = 5, 4, 4096, 65536, 8
RULES = """import "upc-movement"; import "upc-sync"; import "upc-collective";
override parameter upc_often = %d;
override parameter upc_matters = 0 s;
override parameter upc_large_matters = 0 s;
override parameter upc_uneven_matters = 0 s;
""" % OFTEN
ROOTED = ("upc_all_broadcast", "upc_all_scatter", "upc_all_gather", "upc_all_reduce")
COLLECTIVES = ROOTED + ("upc_all_exchange", "upc_all_gather_all", "upc_all_permute")
NAMES = ("frequent-communication", "large-messages", "unbalanced-communication")


class Program:
    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.size = self.chance.randrange(2, 6)
        self.trace, self.now = Trace(self.size), [1000 + rank for rank in range(self.size)]
        self.transfers, self.spent = defaultdict(list), defaultdict(int)  # by thread and line
        self.repeated = [set() for _ in range(self.size)]
        for rank in range(self.size):
            self.trace.head(rank, 'source 1 "program.upc" "step"')
            self.trace.head(rank, 'comm 0x%x kind=upc rank=%d size=%d remote=0 "team"' % (TEAM, rank, self.size))
        blocks = [self.chance.choice((self.accesses, self.accesses, self.collectives)) for _ in range(self.chance.randrange(1, 6))]
        for line, block in enumerate(blocks, 10):
            block(line)
            self.meet("upc_barrier", 100 + line, lambda rank: "")

    def call(self, rank, name, line, fields, lasts):
        start = self.now[rank] + self.chance.randrange(1, 2000)
        self.trace.add(rank, start, start + lasts, "%s site=1+%d comm=0x%x %s" % (name, line, TEAM, fields))
        self.now[rank] = start + lasts
        self.spent[rank, line] += lasts
        return start

    def accesses(self, line):
        """Threads move something of some others, some of them only their own."""
        name = self.chance.choice(("upc_get", "upc_put", "upc_memget", "upc_memput"))
        sizes = self.chance.choice(((8,), (8, 64), (4096,), (8, 200000), (100000,)))
        lasts = self.chance.choice((100, 5000, 40000))
        most = self.chance.choice((1, 4, 30))
        for rank in range(self.size):
            times = self.chance.choice((most, most, self.chance.randrange(most + 1)))
            slowness = self.chance.choice((1, 1, 1, 3))
            for _ in range(times):
                target, size = self.chance.randrange(self.size), self.chance.choice(sizes)
                self.access(rank, name, line, target, size, slowness * self.chance.randrange(lasts) + 1)

    def access(self, rank, name, line, target, size, lasts):
        field = "received" if name.endswith("get") else "sent"
        self.call(rank, name, line, "target=%d %s=%d" % (target, field, size), lasts)
        key = line, target, size
        is_again = key in self.repeated[rank]
        self.repeated[rank].add(key)
        if target != rank:
            self.transfers[rank, line].append(SimpleNamespace(
                size=size, work=lasts, own=lasts, again=is_again and size <= SMALL, is_small=size <= SMALL, compares=True))

    def collectives(self, line):
        name, size = self.chance.choice(COLLECTIVES), self.chance.choice((8, 8, 4096, 200000))
        root = self.chance.randrange(self.size) if name in ROOTED else None
        sync = self.chance.choice((1, 2, 4)) + self.chance.choice((8, 16, 32))
        for _ in range(self.chance.randrange(1, 8)):
            self.meet(name, line, lambda rank: "sync=%d sent=%d received=%d%s" % (
                sync, size, size, "" if root is None else " root=%d" % root), size, root)

    def meet(self, name, line, fields, size=None, root=None):
        """All wait for the last one."""
        starts = {rank: self.now[rank] + self.chance.randrange(1, 30000) for rank in range(self.size)}
        latest = max(starts.values())
        ends = {rank: latest + self.chance.choice((2000, 2000, 20000)) + self.chance.randrange(5000) for rank in starts}
        for rank, start in starts.items():
            self.trace.add(rank, start, ends[rank], "%s site=1+%d comm=0x%x %s" % (name, line, TEAM, fields(rank)))
            self.now[rank] = ends[rank]
            self.spent[rank, line] += ends[rank] - start
            self.repeated[rank] = set()
            if size is not None:
                self.transfers[rank, line].append(SimpleNamespace(
                    size=size, work=min(ends.values()) - latest, own=ends[rank] - latest, again=False, is_small=False,
                    compares=rank != root))


def mean(values):
    return sum(values) / len(values)


def usual(program, line):
    """Mean size of other blocks, mean time of their transfers, and how many blocks these are."""
    others = defaultdict(list)
    for (_, other), transfers in program.transfers.items():
        if other != line:
            others[other] += transfers
    everything = [transfer for transfers in others.values() for transfer in transfers]
    if not others:
        return 0, 0, 0
    return mean([mean([t.size for t in block]) for block in others.values()]), mean([t.work for t in everything]), len(others)


def own_times(program, line):
    """By thread, of those that can be compared."""
    times = {rank: [t.own for t in transfers if t.compares]
             for (rank, other), transfers in program.transfers.items() if other == line}
    return {rank: sum(own) for rank, own in times.items() if own}


def expected(program):
    """(pattern, thread, line) -> ns"""
    every = [transfer for transfers in program.transfers.values() for transfer in transfers]
    for (rank, line), transfers in program.transfers.items():
        own, block = own_times(program, line), [t for (_, o), ts in program.transfers.items() if o == line for t in ts]
        fair = 1
        if rank in own and len(own) >= 2 and len(own) + 1 >= program.size:
            excess = own[rank] - mean(own.values())
            if excess > mean(own.values()) / 2 and excess > 0:
                fair = mean(own.values()) / own[rank]
                yield ("upc.unbalanced-communication", rank, line), excess
        again = [t for t in transfers if t.again]
        small = sum(t.is_small for t in transfers)
        saved = fair * (sum(t.work for t in again) - sum(t.size for t in again))
        if len(again) >= OFTEN and len(again) * ROW >= small * (ROW - 1) and len(block) * 10 >= len(every) and saved > 0:
            yield ("upc.frequent-communication", rank, line), saved
        size, time, others = usual(program, line)
        large = [t for t in transfers if t.size >= LARGE]
        hidden = fair * (sum(t.work for t in large) - len(large) * time)
        if others and large and mean([t.size for t in block]) >= max(LARGE, OUTLIER * size) and hidden > 0:
            yield ("upc.large-messages", rank, line), hidden


def check(tools, seed):
    tarry, print_findings, rules = tools
    program = Program(seed)
    told = analyze(tarry, print_findings, program.trace.text(), RULES, threads=1 + seed % 2, shipped=rules)
    charged, found = defaultdict(int), {}
    for (name, rank, line, _), (_, total, _) in told.findings.items():
        charged[rank, line] += total
        if name.partition(".")[2] in NAMES:
            found[name, rank, line] = total
    right = dict(expected(program))
    for key in sorted(set(right) | set(found)):
        assert abs(right.get(key, 0) - found.get(key, 0)) <= 1, "%s: should be %s, is %s" % (
            key, right.get(key, "none"), found.get(key, "none"))
    for key, total in charged.items():
        assert total <= program.spent[key], "thread %d spends %d ns in line %d, and is charged with %d" % (
            key[0], program.spent[key], key[1], total)
    return {name for name, *_ in right}


if __name__ == "__main__":
    try_all(check, 3, {"upc." + name for name in NAMES})

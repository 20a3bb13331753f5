"""Random UPC programs, run by a small simulator in which threads wait only as UPC's flags require, compared with the model's
view of the trace: collectives, lone threads in a call, unlocks that a lock waited for, and accesses ended by a fence. With
exact clocks nothing may precede its cause; with wrong clocks, times must be corrected until this holds.

Usage: random_upc.py TARRY PRINT_RELATIONS PROGRAMS
"""

import os
import random
import sys
from collections import defaultdict

from related import in_order, relations
from replayed import Trace

T = "comm=0xa0"
IN, OUT = (1, 2, 4), (8, 16, 32)
ROOTED_FIRST = "upc_all_broadcast", "upc_all_scatter"
ROOTED_LAST = "upc_all_gather", "upc_all_reduce"
COLLECTIVES = ROOTED_FIRST + ROOTED_LAST + ("upc_all_gather_all", "upc_all_exchange", "upc_all_prefix_reduce",
                                            "upc_all_permute")


class Call:
    def __init__(self, thread, start, end, text):
        self.thread, self.start, self.end, self.text = thread, start, end, text
        self.position = 0

    def shown(self, origin):
        return "%s@%d.0:%d-%d#%d" % (self.text.split()[0], self.thread, self.start - origin, self.end - origin,
                                     self.position)


def needed(name, sync, root, rank, size):
    """The threads that must have arrived before this one leaves."""
    if sync & (IN[2] | OUT[2]):
        return []
    if not (sync & IN[1] and sync & OUT[1]):
        return range(size)
    if name in ROOTED_FIRST:
        return [root]
    if name in ROOTED_LAST:
        return range(size) if rank == root else []
    if name == "upc_all_prefix_reduce":
        return range(rank)
    return range(size) if name != "upc_all_permute" else []


class Program:
    def __init__(self, dice):
        self.dice, self.size = dice, dice.randint(2, 5)
        self.now = [dice.randint(1, 20) for _ in range(self.size)]
        self.calls = [[] for _ in range(self.size)]
        self.meetings, self.holds, self.fences = [], [], []
        self.since = [[] for _ in range(self.size)]
        for _ in range(dice.randint(1, 8)):
            dice.choice([self.meet, self.barrier, self.access, self.locks])()

    def call(self, thread, start, end, text):
        call = Call(thread, start, end, text)
        call.position = sum(c.text.split()[0] not in ("upc_all_alloc",) for c in self.calls[thread])
        self.calls[thread].append(call)
        self.now[thread] = end + self.dice.choice([0, 1, 5, 50])
        return call

    def meet(self):
        name = self.dice.choice(COLLECTIVES + ("upc_all_alloc",))
        root, sync = self.dice.randrange(self.size), self.dice.choice(IN) | self.dice.choice(OUT)
        starts, members = list(self.now), []
        for rank in range(self.size):
            if name == "upc_all_alloc":
                who, text = [0], name + " room=8"
            else:
                who = needed(name, sync, root, rank, self.size)
                text = "%s root=%d sync=%d" % (name, root, sync) if name in ROOTED_FIRST + ROOTED_LAST else (
                    "%s sync=%d" % (name, sync))
                self.since[rank] = []
            end = max([starts[rank]] + [starts[i] for i in who]) + self.dice.choice([1, 2, 20])
            members.append([self.call(rank, starts[rank], end, text)] * 2)
        is_rooted = name in ROOTED_FIRST + ROOTED_LAST + ("upc_all_alloc",)
        self.meetings.append((members, root * (name != "upc_all_alloc") if is_rooted else None, name in COLLECTIVES))

    def barrier(self):
        """Each thread has it whole or split, as it likes."""
        is_split = [self.dice.random() < 0.4 for _ in range(self.size)]
        notified = [self.call(i, self.now[i], self.now[i] + 1, "upc_notify") if is_split[i] else None
                    for i in range(self.size)]
        starts = [notified[i].start if is_split[i] else self.now[i] for i in range(self.size)]
        members = []
        for rank in range(self.size):
            end = max(starts + [self.now[rank]]) + self.dice.choice([1, 2, 20])
            last = self.call(rank, self.now[rank], end, "upc_wait" if is_split[rank] else "upc_barrier")
            members.append((notified[rank] or last, last))
            self.since[rank] = []
        self.meetings.append((members, None, False))

    def access(self):
        for rank in range(self.size):
            for _ in range(self.dice.randint(0, 3)):
                target, bytes_ = self.dice.randrange(self.size), self.dice.randint(1, 100)
                text = self.dice.choice(["upc_put target=%d sent=%d", "upc_memget target=%d received=%d"])
                call = self.call(rank, self.now[rank], self.now[rank] + 2, text % (target, bytes_))
                if target != rank:
                    self.since[rank].append((call, bytes_))
            if self.dice.random() < 0.5:
                fence = self.call(rank, self.now[rank], self.now[rank] + 3, "upc_fence")
                self.fences.append((fence, self.since[rank]))
                self.since[rank] = []

    def locks(self):
        """Any waiting thread may be next, and an unlock may end long after its lock is free."""
        waiting, free, before = list(range(self.size)), 0, None
        while waiting:
            arrived = [i for i in waiting if self.now[i] <= free]
            thread = self.dice.choice(arrived) if arrived else min(waiting, key=lambda i: self.now[i])
            waiting.remove(thread)
            end = max(self.now[thread], free) + 1
            take = self.call(thread, self.now[thread], end, "upc_lock mutex=0x55 target=0")
            start = self.now[thread]
            give = self.call(thread, start, start + self.dice.choice([1, 1, 30]), "upc_unlock mutex=0x55 target=0")
            had_to_wait = before and before.thread != thread and before.end > take.start and before.start < take.end
            self.holds.append((take, give, before if had_to_wait else None))
            before, free = give, start + 1
        self.now = [max(self.now) + 1] * self.size

    def trace(self, skews=None):
        t = Trace(self.size)
        for rank in range(self.size):
            skew = skews[rank] if skews else 0
            t.heads[rank] = ['comm 0xa0 kind=upc rank=%d size=%d "threads"' % (rank, self.size)]
            for call in self.calls[rank]:
                t.add(rank, call.start + skew, call.end + skew, "%s %s" % (call.text, T))
        return t

    def alone(self, members, rank):
        """Instant by instant."""
        spans = [(call.start, wait.end) for call, wait in members]
        return sum(all(not a <= at < b for i, (a, b) in enumerate(spans) if i != rank) for at in range(*spans[rank]))

    def expected(self):
        origin = min((call.start for calls in self.calls for call in calls), default=0)
        lanes = defaultdict(int)
        for members, root, counts_alone in self.meetings:
            lane = any(call.text.split()[0] in ("upc_barrier", "upc_notify") for call, _ in members)
            parts = []
            for rank, (call, wait) in enumerate(members):
                alone = self.alone(members, rank) if counts_alone else 0
                parts.append("%s0.%d %s %s%s" % ("root " * (rank == root), rank, call.shown(origin), wait.shown(origin),
                                                 " alone=%d" % alone * (alone > 0)))
            yield in_order("gathering comm=a0 order=* position=%d size=%d: %s" % (lanes[lane], self.size, "; ".join(parts)))
            lanes[lane] += 1
        for take, give, before in self.holds:
            yield "mutex 55 %s %s%s" % (take.shown(origin), give.shown(origin),
                                        " before " + before.shown(origin) if before else "")
        for fence, since in self.fences:
            last = since[-1][0] if since else fence
            yield "thread_fence %s %s accesses=%d bytes=%d" % (fence.shown(origin), last.shown(origin), len(since),
                                                               sum(bytes_ for _, bytes_ in since))


def without_lane(line):
    return " ".join("order=*" if word.startswith("order=") else word for word in line.split(" "))


def main():
    for seed in range(int(sys.argv[3]) * int(os.environ.get("TARRY_MORE_SEEDS", "1"))):
        dice = random.Random(seed)
        program = Program(dice)
        got = sorted(without_lane(line) for line in relations(program.trace().text(), []))
        wanted = sorted(program.expected())
        if got != wanted:
            sys.exit("program %d:\nmissing\n  %s\nsurplus\n  %s" % (
                seed, "\n  ".join(w for w in wanted if w not in got), "\n  ".join(g for g in got if g not in wanted)))
        skewed = program.trace([dice.randint(0, 60) for _ in range(program.size)]).text()
        if any("violations" in line for line in relations(skewed, ["--corrected"])):
            sys.exit("program %d: wrong clocks are not corrected" % seed)


main()

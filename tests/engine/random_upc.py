"""Random UPC programs under the shipped rules: findings of waits by their formulas, and no second of a call in two findings. Each call has
a line of its own. E is when a call is entered, L when it is left.

    entry of a collective    until - E, of one that leaves after `until`: the latest E of those it needs by its flags
    its exit                 min(latest E, L) - max(E, until), if its flags keep all until all are done
    its root                 the time in it without any other thread
    barrier, split barrier   latest E - E of the call that waits; of a barrier, L - max(earliest L, latest E)
    allocation               E of thread 0 - E
    lock                     all of upc_lock, if another thread gave the lock back meanwhile
    fence                    all of it
    atomic operation         what it lasts longer than the fastest that is as far, of the same function
    master and workers       in every fourth program: what these wait for each other is theirs, by the same formulas

Usage: random_upc.py TARRY PRINT_FINDINGS RULES [COUNT [FIRST_SEED]]
"""

import os
import random
import sys
from collections import defaultdict
from types import SimpleNamespace

from analyzed import analyze, compare_findings
from seeds import try_all

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "model"))

from replayed import Trace  # noqa: E402

TEAM = 0xd0
UNIT = 4000
EPS, ALONE_GAP, RAGGED_EXIT, SLOW_ATOMIC = 1000, 100000, 100000, 10000

ALL, MY, NO = "all", "my", "no"
FLAGS = {(way, mode): 1 << bit for bit, (way, mode) in
         enumerate((way, mode) for way in ("in", "out") for mode in (ALL, MY, NO))}
SPREAD, COLLECTED = ("upc_all_broadcast", "upc_all_scatter"), ("upc_all_gather", "upc_all_reduce")
N_TO_N, PREFIX = ("upc_all_gather_all", "upc_all_exchange"), ("upc_all_prefix_reduce",)
COLLECTIVES = SPREAD + COLLECTED + N_TO_N + PREFIX + ("upc_all_permute",)
ATOMICS = ("upc_atomic_strict", "upc_atomic_relaxed", "bupc_atomic")
WAITS = ("in-sync", "out-sync", "late-broadcast", "early-gather", "early-prefix-reduce", "in-sync-n-to-n",
         "out-sync-n-to-n", "wait-inside", "lock-contention", "barrier-wait", "barrier-completion", "alloc-wait", "fence-wait",
         "split-barrier-wait", "atomic-wait", "slow-workers", "overloaded-master")
MEETINGS = ("in-sync", "barrier-wait", "split-barrier-wait")
HANDED_OUT = 150  # pieces of work for each worker: nine tenths of all that is exchanged, whatever else the program does


class Program:
    """Threads that go from call to call, at times that no other thread has."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.has_master = seed % 4 == 0
        self.size = self.chance.randrange(3 if self.has_master else 2, 6)
        self.master = self.chance.randrange(self.size) if self.has_master else None
        self.ranks = range(self.size)
        self.trace = Trace(self.size)
        self.now = [1 + rank for rank in self.ranks]
        self.calls, self.atomics, self.found = [], [], {}
        self.given_back = None  # the call that gave the lock back last
        for rank in self.ranks:
            self.trace.head(rank, 'source 1 "program.upc" "step"')
            self.trace.head(rank, 'comm 0x%x kind=upc rank=%d size=%d remote=0 "team"' % (TEAM, rank, self.size))

    def span(self, most):
        return self.chance.randrange(most) * self.size * UNIT

    def begin(self, rank):
        """When the thread comes to its next call."""
        return self.now[rank] + self.span(30) + self.size * UNIT

    def after(self, rank, moment, most=20):
        """A time of this thread some time after another one's."""
        return moment + (rank - moment) % self.size + self.size + self.span(most)

    def call(self, rank, name, fields, start, end):
        made = SimpleNamespace(rank=rank, name=name, start=start, end=end, line=10 + len(self.calls))
        self.trace.add(rank, start, end, "%s site=1+%d comm=0x%x %s" % (name, made.line, TEAM, fields))
        self.now[rank] = end
        self.calls.append(made)
        return made

    def whose(self, name, at, partner):
        """Name of a wait: some are those of a master and its workers."""
        if name in MEETINGS + ("wait-inside",) and at.rank == self.master:
            return "slow-workers"
        if name in MEETINGS + ("late-broadcast", "early-gather") and partner.rank == self.master:
            return "overloaded-master"
        return name

    def find(self, name, duration, at, partner, least=EPS):
        if duration > least:
            name = self.whose(name, at, partner)
            self.found["upc." + name, at.rank, at.line, partner and partner.line] = 1, duration, duration

    def wait(self, name, at, cause, since=None, until=None):
        """Of a call for another one, unless it left before."""
        until = cause.start if until is None else until
        if at.end >= until - EPS:
            self.find(name, min(until, at.end) - (at.start if since is None else since), at, cause)


# Collective operations

def needed(function, mode, rank, root, ranks):
    """Name of the wait at the entry, and those that this thread needs."""
    others = [other for other in ranks if other != rank]
    if mode == ALL:
        return "in-sync", others
    if mode == NO:
        return None, []
    if function in SPREAD + COLLECTED:
        name = "late-broadcast" if function in SPREAD else "early-gather"
        return (None, []) if rank == root else (name, [root])
    if function in PREFIX:
        return "early-prefix-reduce", [other for other in ranks if other < rank]
    return ("in-sync-n-to-n", others) if function in N_TO_N else (None, [])


def may_end(function, modes, starts, rank, root):
    """No thread leaves before this: libraries may wait for more threads, and with UPC_IN_NOSYNC or UPC_OUT_NOSYNC for none."""
    if NO in modes:
        return starts[rank]
    if ALL in modes:
        return max(starts)
    _, need = needed(function, MY, rank, root, range(len(starts)))
    if function in COLLECTED:
        need = range(len(starts)) if rank == root else []
    return max([starts[rank]] + [starts[other] for other in need])


def alone(call, others):
    """Time in the call without any of the others."""
    left, at = 0, call.start
    for other in sorted(others, key=lambda other: other.start):
        left += max(0, min(other.start, call.end) - at)
        at = max(at, other.end)
    return left + max(0, call.end - at)


def exit_of(function, modes):
    if modes[1] == ALL:
        return "out-sync"
    return "out-sync-n-to-n" if modes[1] == MY and function in N_TO_N else None


def root_waits(program, function, modes, calls, root):
    call, others = calls[root], [call for call in calls if call.rank != root]
    lonely = alone(call, others)
    if modes[0] != MY or function in SPREAD and modes[1] == ALL or lonely == call.end - call.start:
        return
    program.find("wait-inside", lonely, call, max(others, key=lambda other: other.start), ALONE_GAP)


def collective(program):
    function = program.chance.choice(SPREAD + COLLECTED if program.has_master else COLLECTIVES)
    root = program.chance.randrange(program.size)
    modes = [program.chance.choice((ALL, MY, NO)) for _ in range(2)]
    starts = [program.begin(rank) for rank in program.ranks]
    fields = "sync=%d sent=8 received=8" % (FLAGS["in", modes[0]] + FLAGS["out", modes[1]])
    fields += " root=%d" % root if function in SPREAD + COLLECTED else ""
    latest = max(starts)
    ends = []
    for rank in program.ranks:
        least = may_end(function, modes, starts, rank, root)
        ends.append(program.after(rank, latest if program.chance.random() < 0.3 else least))
    calls = [program.call(rank, function, fields, starts[rank], ends[rank]) for rank in program.ranks]
    last = max(calls, key=lambda call: call.start)
    for call in calls:
        name, need = needed(function, modes[0], call.rank, root, program.ranks)
        entry = max((calls[other] for other in need), key=lambda other: other.start, default=call)
        if name:
            program.wait(name, call, entry)
        since = max(call.start, entry.start)
        if function in COLLECTED and modes[0] == MY and call.rank == root:
            since += alone(call, [other for other in calls if other is not call])
        leaving = exit_of(function, modes)
        if leaving:
            program.wait(leaving, call, last, since=since)
    if function in SPREAD + COLLECTED:
        root_waits(program, function, modes, calls, root)


# Synchronisation

def barrier(program):
    """Of some threads it is split."""
    splits = [program.chance.random() < 0.4 for _ in program.ranks]
    starts = [program.begin(rank) for rank in program.ranks]
    latest = max(starts)
    enters, waits = [], []
    for rank, is_split in zip(program.ranks, splits):
        end = program.after(rank, latest, 60)
        if is_split and program.chance.random() < 0.8:
            between = program.after(rank, starts[rank], 40)
            enters.append(program.call(rank, "upc_notify", "", starts[rank], program.after(rank, starts[rank], 1)))
            between = max(between, enters[-1].end + program.size)
            waits.append(program.call(rank, "upc_wait", "", between, max(end, between + program.size)))
        elif is_split:
            enters.append(program.call(rank, "upc_notify", "", starts[rank], end))
            waits.append(program.call(rank, "upc_wait", "", end + program.size, end + 2 * program.size))
        else:
            enters.append(program.call(rank, "upc_barrier", "", starts[rank], end))
            waits.append(enters[-1])
    last = max(enters, key=lambda call: call.start)
    first_out = min(waits, key=lambda call: call.end)
    for enter, wait in zip(enters, waits):
        if enter is wait:
            program.wait("barrier-wait", enter, last)
            program.find("barrier-completion", wait.end - max(first_out.end, latest), wait, None, RAGGED_EXIT)
        else:
            program.wait("split-barrier-wait", enter if enter.end >= latest else wait, last)


def allocation(program):
    starts = [program.begin(rank) for rank in program.ranks]
    name = program.chance.choice(("upc_all_alloc", "upc_all_lock_alloc"))
    calls = [program.call(rank, name, "room=64" if name == "upc_all_alloc" else "mutex=0xb", starts[rank],
                          program.after(rank, max(starts[rank], starts[0]))) for rank in program.ranks]
    for call in calls[1:]:
        program.wait("alloc-wait", call, calls[0])


def locks(program):
    """Each thread holds the lock once."""
    starts = [program.begin(rank) for rank in program.ranks]
    for rank in sorted(program.ranks, key=lambda rank: starts[rank]):
        before = program.given_back
        taken = program.after(rank, max(starts[rank], before.end if before else 0), 2)
        take = program.call(rank, "upc_lock", "mutex=0xa target=0", starts[rank], taken)
        begun = program.after(rank, taken)
        program.given_back = program.call(rank, "upc_unlock", "mutex=0xa target=0", begun, program.after(rank, begun, 2))
        if before and take.start < before.end:
            program.find("lock-contention", take.end - take.start, take, before)


def hand_out(program):
    """The master gives work to all others, and gets their results."""
    for worker in program.ranks:
        for name, moved in (("upc_memput", "sent"), ("upc_memget", "received")) * HANDED_OUT:
            if worker != program.master:
                start = program.begin(program.master)
                program.call(program.master, name, "target=%d %s=64" % (worker, moved), start, start + UNIT)
    start = program.begin(program.master)
    program.call(program.master, "upc_fence", "", start, start + EPS)


def accesses(program):
    """Each thread to the next one: by this, no thread is the master of the others."""
    name, count = program.chance.choice(("upc_memput", "upc_put", "upc_memget")), program.chance.randrange(3)
    moved = "received" if name == "upc_memget" else "sent"
    for rank in program.ranks:
        last = None
        for _ in range(count):
            start = program.begin(rank)
            last = program.call(rank, name, "target=%d %s=8" % ((rank + 1) % program.size, moved), start,
                                program.after(rank, start))
        start = program.begin(rank)
        fence = program.call(rank, "upc_fence", "", start, program.after(rank, start, program.chance.choice((1, 20))))
        program.find("fence-wait", fence.end - fence.start, fence, last)


def atomics(program):
    """No two of them are equally fast."""
    for rank in program.ranks:
        name, target, start = program.chance.choice(ATOMICS), program.chance.randrange(program.size), program.begin(rank)
        call = program.call(rank, name, "target=%d" % target, start, program.after(rank, start, 10) + len(program.calls))
        program.atomics.append((name, target == rank, call))


def atomic_waits(program):
    fastest = {}
    for name, is_own, call in program.atomics:
        key = name, is_own
        fastest[key] = min(fastest.get(key, call), call, key=lambda call: call.end - call.start)
    for name, is_own, call in program.atomics:
        quick = fastest[name, is_own]
        if call.end - call.start > SLOW_ATOMIC:
            program.find("atomic-wait", call.end - call.start - (quick.end - quick.start), call, quick, SLOW_ATOMIC)


def made(seed):
    program = Program(seed)
    if program.has_master:
        hand_out(program)
    for _ in range(program.chance.choice((4, 12) if program.has_master else (4, 12, 30))):
        program.chance.choice((collective, collective, barrier, allocation, locks, accesses, atomics))(program)
    atomic_waits(program)
    return program


def check_time_is_there(program, told):
    """Every call has its own line: all that is charged to it must fit into it."""
    charged = defaultdict(int)
    for (name, rank, line, _), (_, total, _) in told.items():
        charged[rank, line] += total if name.startswith("upc.") else 0
    for call in program.calls:
        assert charged[call.rank, call.line] <= call.end - call.start, \
            "%s of thread %d in line %d lasts %d ns, and is charged with %d ns" % (
                call.name, call.rank, call.line, call.end - call.start, charged[call.rank, call.line])


def check(tools, seed):
    tarry, printer, rules = tools
    program = made(seed)
    told = analyze(tarry, printer, program.trace.text(), threads=1 + seed % 2, shipped=rules).findings
    ours = {"upc." + name for name in WAITS}
    compare_findings(program.found, {key: value for key, value in told.items() if key[0] in ours})
    check_time_is_there(program, told)
    return {name for name, *_ in program.found}


if __name__ == "__main__":
    try_all(check, 3, {"upc." + name for name in WAITS})

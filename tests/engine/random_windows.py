"""Random one-sided and neighbourhood communication under the shipped rules: metrics by the formulas, and findings that charge at most the time in the
call, and no second twice.

    fence wait          latest E - my E
    early fence         end of the last access of others to me - my E
    late post           E of the last post that an access epoch needs - E of the call in which it falls
    early wait          E of the last complete - E of the wait
    unneeded            communicator size - those that accessed me; of an exposure, origins that did not
    late complete       E of the last complete - max(end of the last access, E of the wait)
    lock contention     what of lock, first access and unlock lies before the end of the last conflicting unlock before; of the calls behind the
                        one in which that unlock began, nothing
    wait for progress   of a call under a lock what lies between two calls of its target, the second of which begins meanwhile
    neighbour wait      min(latest E of those from which I get, my L) - my E
    window free         latest E - my E
    init, finalize      min(latest E, my L) - my E; init completion: my L - max(earliest L, latest E)

Usage: random_windows.py TARRY PRINT_FINDINGS RULES [COUNT [FIRST_SEED]]
"""

import os
import random
import sys
from collections import defaultdict

from analyzed import analyze, differences
from seeds import try_all

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "model"))

from lock_order import befores  # noqa: E402
from replayed import Trace, WORLD  # noqa: E402

WIN = "win=0xa"
TOPOLOGY = 0xd0
SHARED, EXCLUSIVE = 1, 2
EPS = 1000
UNIT = 4000
PROGRESS_GAP = 100000


class Call:
    def __init__(self, rank, name, start, end):
        self.rank, self.name, self.start, self.end = rank, name, start, end


class Process:
    """Calls one after the other, at times that no other process has."""

    def __init__(self, trace, rank, chance):
        self.trace, self.rank, self.chance, self.now = trace, rank, chance, 1 + rank
        self.busy = 0
        self.calls = []

    def call(self, name, fields=WIN, end=None):
        start = self.now + self.chance.randrange(1, 20) * self.trace.size * UNIT
        end = end or start + self.chance.randrange(0, 30) * self.trace.size * UNIT
        self.trace.add(self.rank, start, end, "%s site=1+%d %s" % (name, self.rank + 10, fields))
        self.now = end
        self.busy += end - start
        self.calls.append(Call(self.rank, name, start, end))
        return self.calls[-1]


class Book:
    """The expected results: metrics, and findings by problem and rank."""

    def __init__(self):
        self.metrics = defaultdict(lambda: [0, 0])
        self.findings = defaultdict(lambda: [0, 0])

    def count(self, name, number):
        if number > 0:
            self.metrics[name][0] += number

    def metric(self, name, duration):
        if duration > 0:
            self.metrics[name][0] += 1
            self.metrics[name][1] += duration

    def finding(self, name, rank, duration, least=EPS):
        if duration > least:
            self.findings["mpi." + name, rank][0] += 1
            self.findings["mpi." + name, rank][1] += duration


def all_meet(book, name, calls, metric_is_capped, is_finding=True):
    latest = max(call.start for call in calls)
    for call in calls:
        capped = min(latest, call.end) - call.start
        book.metric(name, capped if metric_is_capped else latest - call.start)
        if is_finding:
            book.finding(name, call.rank, capped)


def completion(book, name, calls):
    begun = max(min(call.end for call in calls), max(call.start for call in calls))
    for call in calls:
        book.metric(name, call.end - begun)


def fences(book, chance, processes):
    rounds = []
    for _ in range(chance.randrange(1, 6)):
        accesses, calls = [], []
        for process in processes:
            for _ in range(chance.randrange(3)):
                target = chance.randrange(len(processes))
                accesses.append((target, process.call("MPI_Put", "target=%d epoch=1 %s" % (target, WIN))))
            calls.append(process.call("MPI_Win_fence"))
        rounds.append((accesses, calls))
    for accesses, calls in rounds:
        latest = max(call.start for call in calls)
        for call in calls:
            last = max((put.end for target, put in accesses if target == call.rank != put.rank), default=None)
            begin = call.start if last is None else max(call.start, last)
            origins = {put.rank for target, put in accesses if target == call.rank != put.rank}
            book.count("unneeded-synchronisation", len(calls) - len(origins))
            book.metric("fence-wait", latest - call.start)
            book.finding("fence-wait", call.rank, min(latest, call.end) - begin)
            if last is not None:
                book.metric("early-fence", last - call.start)
                book.finding("early-fence", call.rank, min(last, call.end) - call.start)


def falls(posted, start, first, complete):
    for call in (start, first):
        if call.start < posted < call.end:
            return call
    return complete


def late_post(book, start, complete, targets):
    """targets: (post, first access or None)"""
    post, first = max(targets, key=lambda target: target[0].start)
    blocked = falls(post.start, start, first or start, complete)
    wait = post.start - blocked.start if post.start < blocked.end else 0
    book.metric("late-post", wait)
    book.finding("late-post", start.rank, wait)


def target_waits(book, wait, completes, accesses):
    last = max(call.start for call in completes)
    until = max([wait.start] + [put.end for put in accesses])
    book.metric("early-wait", last - wait.start)
    book.metric("late-complete", last - until)
    book.finding("late-complete", wait.rank, min(last, wait.end) - until)
    if accesses:
        book.finding("early-wait", wait.rank, min(until, wait.end) - wait.start)


def epochs(book, chance, processes):
    size = len(processes)
    for _ in range(chance.randrange(1, 5)):
        targets = [rank for rank in range(size) if chance.random() < 0.5]
        pairs = {(o, t): [] for t in targets for o in range(size) if o not in targets and chance.random() < 0.7}
        posts = {t: processes[t].call("MPI_Win_post", " ".join("member=%d" % o for o, other in pairs if other == t) + " " + WIN)
                 for t in targets}
        completes = {}
        for origin in sorted({o for o, _ in pairs}):
            named = [t for o, t in pairs if o == origin]
            start = processes[origin].call("MPI_Win_start", " ".join("member=%d" % t for t in named) + " " + WIN)
            for _ in range(chance.randrange(4)):
                to = chance.choice(named)
                pairs[origin, to].append(processes[origin].call("MPI_Put", "target=%d epoch=2 %s" % (to, WIN)))
            completes[origin] = processes[origin].call("MPI_Win_complete")
            late_post(book, start, completes[origin], [(posts[t], (pairs[origin, t] or [None])[0]) for t in named])
        for target in targets:
            wait = processes[target].call("MPI_Win_wait")
            origins = [o for o, t in pairs if t == target]
            book.count("unneeded-exposure", sum(not pairs[o, target] for o in origins))
            if origins:
                target_waits(book, wait, [completes[o] for o in origins], [put for o in origins for put in pairs[o, target]])


def locks(book, chance, processes):
    holds = []
    for process in processes:
        for _ in range(chance.randrange(8)):
            target, kind = chance.randrange(len(processes)), chance.choice((SHARED, EXCLUSIVE))
            where = "target=%d %s" % (target, WIN)
            take = process.call("MPI_Win_lock", "lock=%d %s" % (kind, where))
            puts = [process.call("MPI_Put", "epoch=3 " + where) for _ in range(chance.randrange(3))]
            holds.append((target, kind, take, puts, process.call("MPI_Win_unlock", where)))
    return holds


def absent(process, call):
    """How long a process was in no call during a call of another one."""
    return sum(max(0, after.start - max(before.end, call.start))
               for before, after in zip(process.calls, process.calls[1:]) if after.start < call.end)


def span(call):
    return call.start, call.end


def lock_wait(calls, before):
    wait = 0
    for call in calls:
        wait += max(0, min(before[1], call.end) - call.start)
        if call.end > before[0]:
            break
    return wait


def lock_waits(book, holds, processes):
    times = [(give.rank, target, kind == EXCLUSIVE, span(take), span((puts or [give])[0]), span(give))
             for target, kind, take, puts, give in holds]
    found = befores(times)
    for (_, _, take, puts, give), key in zip(holds, times):
        target, before = key[1], found[key]
        wait = lock_wait([take, *puts[:1], give], before[5]) if before else 0
        book.metric("window-lock-contention", wait)
        book.finding("window-lock-contention", give.rank, wait)
        for call in [take, *puts, give]:
            away = absent(processes[target], call) if target != call.rank else 0
            book.metric("wait-for-progress", away)
            if not before:
                book.finding("wait-for-progress", call.rank, away, PROGRESS_GAP)


def neighbours(book, chance, processes):
    """A topology that all make together, so that no process leaves before the last one arrives."""
    size = len(processes)
    sources = [sorted(chance.sample(range(size), chance.randrange(size))) for _ in range(size)]
    base = max(process.now for process in processes)
    for process in processes:
        process.now = base + process.rank
    made = []
    for process, members in zip(processes, sources):
        fields = "comm=0x%x newcomm=0x%x %s" % (WORLD, TOPOLOGY, " ".join("member=%d" % rank for rank in members))
        made.append(process.call("MPI_Dist_graph_create_adjacent", fields, base + 100 * size * UNIT + process.rank))
    all_meet(book, "communicator-create-wait", made, True)
    for _ in range(chance.randrange(1, 6)):
        calls = [process.call("MPI_Neighbor_alltoall", "comm=0x%x sent=8 received=8" % TOPOLOGY) for process in processes]
        for call, members in zip(calls, sources):
            wait = min(max((calls[rank].start for rank in members), default=0), call.end) - call.start
            book.metric("neighbour-wait", wait)
            book.finding("neighbour-wait", call.rank, wait)


def program(seed):
    chance, book = random.Random(seed), Book()
    size = chance.randrange(2, 6)
    trace = Trace(size)
    trace.comm(TOPOLOGY, range(size))
    for rank in range(size):
        trace.head(rank, 'source 1 "program.c" "step"')
        trace.head(rank, 'object win 0xa comm=0x%x size=8 unit=1 ""' % WORLD)
    processes = [Process(trace, rank, chance) for rank in range(size)]
    begun = [process.call("MPI_Init", "") for process in processes]
    all_meet(book, "init-wait", begun, True, is_finding=False)
    completion(book, "init-completion", begun)
    holds = chance.choice((fences, epochs, locks, neighbours))(book, chance, processes) or []
    all_meet(book, "window-free-wait", [process.call("MPI_Win_free") for process in processes], False)
    all_meet(book, "finalize-wait", [process.call("MPI_Finalize", "") for process in processes], True)
    lock_waits(book, holds, processes)
    return trace, book, processes


def check(tools, seed):
    tarry, printer, rules = tools
    trace, book, processes = program(seed)
    told = analyze(tarry, printer, trace.text(), threads=1 + seed % 2, shipped=rules)
    metrics = {name: tuple(value) for name, value in book.metrics.items()}
    wrong = list(differences(metrics, {name: told.metrics[name] for name in told.metrics if told.metrics[name][0]}))
    findings = defaultdict(lambda: (0, 0))
    for (name, rank, _, _), (count, total, _) in told.findings.items():
        findings[name, rank] = findings[name, rank][0] + count, findings[name, rank][1] + total
    wrong += differences({key: tuple(value) for key, value in book.findings.items()}, dict(findings))
    for process in processes:
        charged = sum(total for (_, rank), (_, total) in findings.items() if rank == process.rank)
        if charged > process.busy:
            wrong.append("rank %d is charged %d ns of %d ns in calls" % (process.rank, charged, process.busy))
    assert not wrong, "%s\n%s" % ("\n".join(wrong), trace.text())
    return set(metrics) | {name for name, _ in findings}


WANTED = ("fence-wait", "early-fence", "late-post", "early-wait", "late-complete", "window-lock-contention",
          "wait-for-progress", "neighbour-wait", "window-free-wait", "finalize-wait")

if __name__ == "__main__":
    try_all(check, 3, [paradigm + name for name in WANTED for paradigm in ("", "mpi.")])

"""Savings of findings about teams of OpenMP threads, in traces with known results.

    teams.py TARRY"""

import sys

from traces import head, report_of

TARRY = sys.argv[1]
MS = 1_000_000
NEXT_REGION = None


class Run:
    """Ranks and the calls of their threads in ms: `line` is that of src/main.c."""

    def __init__(self, size):
        self.size = size
        self.calls = [{} for _ in range(size)]

    def call(self, rank, thread, start, end, text, line=1):
        call, _, fields = text.partition(" ")
        self.calls[rank].setdefault(thread, []).append((start, end, f"{call} site=2+0x{line:x} {fields}"))

    def region(self, rank, fork, join, arrivals, line):
        """Its threads arrive at its end. Others than the first leave it when their next region begins: see text()."""
        self.call(rank, 0, fork, fork, f"omp_fork count={len(arrivals)}", line)
        for thread, arrival in enumerate(arrivals):
            barrier = f"omp_barrier tag={line} count={len(arrivals)} thread={thread}"
            self.call(rank, thread, arrival, NEXT_REGION if thread else join, barrier, line)
        self.call(rank, 0, join, join, f"omp_join count={len(arrivals)}", line)

    def text(self, end):
        for rank in range(self.size):
            forks = [start for start, _, text in self.calls[rank].get(0, []) if "omp_fork" in text]
            self.call(rank, 0, 0, 0.001, "MPI_Init")
            self.call(rank, 0, end, end + 0.001, "MPI_Finalize")
            yield from head(rank, self.size)
            for thread, calls in sorted(self.calls[rank].items()):
                yield f"thread {thread}"
                for start, until, text in sorted(calls, key=lambda call: call[0]):
                    until = until or min((fork for fork in forks if fork > start), default=end)
                    yield f"{round(start * MS)} {round(until * MS)} {text}"

    def found(self, end):
        return report_of(TARRY, self.text(end), "--all")["findings"]


def saving(findings, pattern, line):
    found, = [finding for finding in findings if finding["pattern"] == pattern and finding["line"] == line]
    assert found["predictable"], found
    return round(found["saves_s"] * 1000, 3), found["remedy"]


def expect(what, value, wanted):
    assert value == wanted, f"{what}: {value}, not {wanted}"


def meet(run, arrivals, end, line=90):
    for rank, arrival in enumerate(arrivals):
        run.call(rank, 0, arrival, end, "MPI_Barrier comm=0x1", line)


def late_thread():
    """The late thread of rank 0 could arrive at 200, as the mean of all. Rank 1 waits for rank 0, and would do so until 200."""
    run = Run(2)
    run.region(0, 10, 410, (110, 90, 400), 10)
    meet(run, (410, 20), 410)
    expect("late thread", saving(run.found(500), "omp.barrier-wait", 10), (200, "even_team"))


def late_rank():
    """Rank 1 is later than rank 0 by 60 ms: more is not saved by the threads of rank 0."""
    run = Run(2)
    run.region(0, 10, 410, (110, 90, 400), 10)
    meet(run, (410, 350), 410)
    expect("late rank", saving(run.found(500), "omp.barrier-wait", 10), (60, "even_team"))


def uneven_in_turn():
    """Another thread is late at each of three barriers of one region."""
    run = Run(1)
    run.call(0, 0, 10, 10, "omp_fork count=2", 10)
    for i, (first, second) in enumerate(((110, 30), (130, 210), (310, 230))):
        for thread, arrival in enumerate((first, second)):
            run.call(0, thread, arrival, max(first, second), f"omp_barrier tag=1 count=2 thread={thread}", 11 + i)
    run.call(0, 0, 310, 310, "omp_join count=2", 10)
    findings = run.found(400)
    expect("three barriers", [saving(findings, "omp.barrier-wait", 11 + i) for i in range(3)], [(40, "even_team")] * 3)


def alone():
    """Four threads could do in 100 ms what one does in 400, before and after a message; waits in MPI stay."""
    run = Run(2)
    run.region(0, 10, 20, (20,) * 4, 10)
    run.call(0, 0, 220, 220, "MPI_Recv comm=0x1 peer=1 tag=0 received=8", 80)
    run.region(0, 420, 430, (430,) * 4, 20)
    run.call(1, 0, 200, 200.001, "MPI_Send comm=0x1 peer=0 tag=0 sent=8", 81)
    meet(run, (440, 210), 440)
    # The message is sent at 200 in any case: from 70 until then, rank 0 would wait for it.
    expect("alone", saving(run.found(500), "omp.idle-threads", 20), (20 + 150, "share_team"))


def chain_of_regions():
    """After shorter work between regions, threads begin the next region earlier, and are as late as before."""
    run = Run(1)
    run.region(0, 10, 20, (20, 20), 10)
    run.region(0, 220, 420, (240, 420), 20)
    run.region(0, 430, 530, (450, 530), 30)
    findings = run.found(600)
    expect("work between", saving(findings, "omp.idle-threads", 20), (100, "share_team"))
    expect("first loop", saving(findings, "omp.barrier-wait", 20), (90, "even_team"))
    expect("second loop", saving(findings, "omp.barrier-wait", 30), (40, "even_team"))


def slow_forks():
    """The first thread has no CPU while it begins regions: the others begin earlier, and even finish a call, before it is known that there is a region."""
    run = Run(1)
    for fork, line in ((10, 10), (430, 20)):
        run.call(0, 0, fork, fork + 9, "omp_fork count=3", line)
        for thread in (1, 2):
            if thread == 2:
                run.call(0, thread, fork + 2, fork + 3, "omp_lock mutex=7 count=3", line + 1)
                run.call(0, thread, fork + 4, fork + 4, "omp_unlock mutex=7", line + 2)
            run.call(0, thread, fork + 20, 430 + thread if fork == 10 else 600, f"omp_barrier tag={line} count=3 thread={thread}", line)
        run.call(0, 0, fork + 20, fork + 20.5, f"omp_barrier tag={line} count=3 thread=0", line)
        run.call(0, 0, fork + 20.5, fork + 20.5, "omp_join count=3", line)
    # From 30.5 to 430 one thread works: 399.5 ms, of which all would do a third each.
    expect("slow forks", saving(run.found(600), "omp.idle-threads", 20), (round(399.5 * 2 / 3, 3), "share_team"))


def slow_first_fork():
    """New threads have worked, and arrived, before it is known that there is a region. They are as late as it, after shorter work before it."""
    run = Run(1)
    for fork, members, line in ((10, (0, 1), 10), (430, (0, 1, 2), 20)):
        run.call(0, 0, fork, fork + 9, f"omp_fork count={len(members)}", line)
        for thread in members[1:]:
            run.call(0, thread, fork + 2, fork + 3, f"omp_lock mutex=7 count={len(members)}", line + 1)
            run.call(0, thread, fork + 4, fork + 4, "omp_unlock mutex=7", line + 2)
            run.call(0, thread, fork + 20, 431 if fork == 10 else 600, f"omp_barrier tag={line} count={len(members)} thread={thread}", line)
        run.call(0, 0, fork + 20, fork + 20.5, f"omp_barrier tag={line} count={len(members)} thread=0", line)
        run.call(0, 0, fork + 20.5, fork + 20.5, f"omp_join count={len(members)}", line)
    expect("slow first fork", saving(run.found(600), "omp.idle-threads", 20), (round(399.5 * 2 / 3, 3), "share_team"))


def unknown_fork():
    """A thread waits for tasks after its region, and still does so when the next one begins slowly: whether it waits for the region is not known."""
    run = Run(1)
    for fork, line in ((10, 10), (430, 20)):
        run.call(0, 0, fork, fork + 9, "omp_fork count=2", line)
        run.call(0, 1, fork + 20, fork + 20.5 if fork == 10 else 600, f"omp_barrier tag={line} count=2 thread=1", line)
        run.call(0, 0, fork + 20, fork + 20.5, f"omp_barrier tag={line} count=2 thread=0", line)
        run.call(0, 0, fork + 20.5, fork + 20.5, "omp_join count=2", line)
    run.call(0, 1, 100, 435, "omp_taskwait count=2", 30)
    found, = [finding for finding in run.found(600) if finding["pattern"] == "omp.idle-threads"]
    expect("unknown fork", (found["saves_s"], found["doubt"]), (None, "incomplete"))


def locks():
    """Each thread waits once for the other. Without it, each would work for 200 ms."""
    run = Run(1)
    run.call(0, 0, 10, 10, "omp_fork count=2", 10)
    run.call(0, 0, 10, 10, "omp_lock mutex=7 count=2", 11)
    run.call(0, 0, 110, 110, "omp_unlock mutex=7", 12)
    run.call(0, 1, 10, 110.5, "omp_lock mutex=7 count=2", 11)
    run.call(0, 1, 210, 210, "omp_unlock mutex=7", 12)
    run.call(0, 0, 110, 210.5, "omp_lock mutex=7 count=2", 11)
    run.call(0, 0, 310, 310, "omp_unlock mutex=7", 12)
    run.call(0, 0, 310, 310, "omp_barrier tag=1 count=2 thread=0", 10)
    run.call(0, 0, 310, 310, "omp_join count=2", 10)
    run.call(0, 1, 310, 400, "omp_barrier tag=1 count=2 thread=1", 10)
    expect("locks", saving(run.found(400), "omp.lock-wait", 11), (100, "free_lock"))


def tasks():
    """Two threads wait for the task of the third, one of them at the barrier: all three could do its 300 ms."""
    run = Run(1)
    run.call(0, 0, 10, 10, "omp_fork count=3", 10)
    run.call(0, 0, 10, 310, "omp_taskwait count=3", 12)
    run.call(0, 1, 10, 310, "omp_task count=3", 11)
    for thread, since in enumerate((310, 310, 10)):
        run.call(0, thread, since, 310 if not thread else 400, f"omp_barrier tag=1 count=3 thread={thread}", 10)
    run.call(0, 0, 310, 310, "omp_join count=3", 10)
    findings = run.found(400)
    expect("tasks", saving(findings, "omp.task-wait", 12), (100, "share_tasks"))
    expect("at the barrier", saving(findings, "omp.barrier-wait", 10), (100, "even_team"))


def in_vain():
    """The thread that waits for the lock is not the one that the region waits for."""
    run = Run(1)
    run.call(0, 0, 10, 10, "omp_fork count=2", 10)
    run.call(0, 0, 10, 10, "omp_critical mutex=7 count=2", 11)
    run.call(0, 0, 110, 110, "omp_unlock mutex=7", 12)
    run.call(0, 1, 10, 110.5, "omp_critical mutex=7 count=2", 11)
    run.call(0, 1, 210, 400, "omp_barrier tag=1 count=2 thread=1", 10)
    run.call(0, 0, 210, 210, "omp_barrier tag=1 count=2 thread=0", 10)
    run.call(0, 0, 210, 210, "omp_join count=2", 10)
    expect("lock in vain", saving(run.found(400), "omp.critical-wait", 11), (0, "free_lock"))


def in_mpi():
    """Two threads wait 150 ms for the first one, which is in MPI for 100 of them. If they worked meanwhile, the rest would be 100 or 50 ms shorter."""
    run = Run(1)
    run.call(0, 0, 10, 10, "omp_fork count=3", 10)
    run.call(0, 0, 20, 120, "MPI_Reduce_local", 12)
    for thread, first in enumerate((170, 20, 20)):
        run.call(0, thread, first, 170, f"omp_barrier tag=1 count=3 thread={thread}", 13)
        run.call(0, thread, 370, 370 if not thread else 400, f"omp_barrier tag=1 count=3 thread={thread}", 10)
    run.call(0, 0, 370, 370, "omp_join count=3", 10)
    findings = run.found(400)
    expect("in MPI", saving(findings, "omp.mpi-in-region", 12), (66.667, "even_team"))
    expect("after it", saving(findings, "omp.barrier-wait", 13), (33.333, "even_team"))


def short_regions():
    """One thread would need 2 ms for each of 10 regions of 5 ms, then rank 1 waits for 10 instead of 40 ms. The threads of the first region are new."""
    run = Run(2)
    for i in range(11):
        t = 100 + 10 * i
        run.call(0, 0, t, t + 3, "omp_fork count=2", 10)
        for thread in range(2):
            start, end = t + 4, t + 5 if not thread else t + 13
            run.call(0, thread, start, end, f"omp_barrier tag=1 count=2 thread={thread}", 10)
        run.call(0, 0, t + 5, t + 5, "omp_join count=2", 10)
    meet(run, (230, 190), 230)
    expect("short regions", saving(run.found(300), "omp.short-region", 10), (30, "serial_region"))


def archive():
    """In an archive of another tool, waits of threads end with their region."""
    run = Run(1)
    for fork, line in ((10, 10), (320, 20)):
        run.call(0, 0, fork, fork, "omp_fork count=2", line)
        run.call(0, 0, fork + 20, fork + 100, f"omp_barrier tag={line} count=2", line)
        run.call(0, 1, fork + 100, fork + 100, f"omp_barrier tag={line} count=2", line)
        run.call(0, 0, fork + 100, fork + 100, "omp_join count=2", line)
    findings = run.found(500)
    expect("archive, work between", saving(findings, "omp.idle-threads", 20), (105, "share_team"))
    expect("archive, loops", [saving(findings, "omp.barrier-wait", line) for line in (10, 20)], [(40, "even_team")] * 2)


def cause_of(run, end):
    """The cause of the longest wait for another rank."""
    found = next(finding for finding in run.found(end) if finding["pattern"] == "mpi.barrier-wait")
    return found["causes"][0]


def thread_of(run, end):
    thread = cause_of(run, end)["late_thread"]
    return thread and (thread["rank"], thread["thread"], thread["line"], round(thread["late_s"] * 1000, 3))


def late_thread_is_a_cause():
    """Rank 1 waits for rank 0, which waits for its thread 2 at a barrier."""
    run = Run(2)
    run.call(0, 0, 10, 10, "omp_fork count=3", 10)
    for thread, (first, second) in enumerate(((110, 460), (90, 470), (400, 450))):
        run.call(0, thread, first, 400, f"omp_barrier tag=1 count=3 thread={thread}", 11)
        run.call(0, thread, second, 470 if not thread else 600, f"omp_barrier tag=1 count=3 thread={thread}", 10)
    run.call(0, 0, 470, 470, "omp_join count=3", 10)
    run.region(1, 10, 110, (110, 100, 105), 10)
    meet(run, (470, 110), 470)
    assert "thread 2 late at main.c:11" in cause_of(run, 600)["text"], cause_of(run, 600)
    expect("thread", thread_of(run, 600), (0, 2, 11, 300))


def even_threads_are_no_cause():
    run = Run(2)
    run.region(0, 10, 410, (400, 405, 410), 10)
    run.region(1, 10, 110, (100, 105, 110), 10)
    meet(run, (410, 110), 410)
    expect("even threads", thread_of(run, 500), None)


def equally_late_threads_are_no_cause():
    """Both ranks have a late thread, but only rank 0 works on after its region."""
    run = Run(2)
    run.region(0, 10, 210, (60, 210), 10)
    run.region(1, 10, 210, (60, 210), 10)
    meet(run, (410, 210), 410)
    expect("work of one thread", thread_of(run, 500), None)


def threads_in_turn():
    """In each step another thread of rank 0 is late. The other rank calls MPI often, so workers leave their regions much later."""
    run = Run(2)
    for step in range(6):
        t = 1000 * step
        run.region(0, t + 10, t + 310, [t + (310 if thread == step % 3 else 110) for thread in range(3)], 10)
        meet(run, (t + 310, t + 10), t + 310)
        for i in range(100):
            meet(run, (t + 320 + i, t + 320 + i), t + 320 + i, 80)
    # The first step is other computing: after MPI_Init.
    expect("in turn", thread_of(run, 6000), (0, None, 10, 1000))


def main():
    for test in (late_thread, late_rank, uneven_in_turn, alone, chain_of_regions, slow_forks, slow_first_fork, unknown_fork, locks, tasks, in_vain, in_mpi, short_regions, archive, late_thread_is_a_cause, even_threads_are_no_cause,
                 equally_late_threads_are_no_cause, threads_in_turn):
        test()


if __name__ == "__main__":
    main()

"""Relations of small UPC programs: each case is a trace and the lines that print-relations must print for it, in any order.

Usage: upc_cases.py TARRY PRINT_RELATIONS
"""

from related import case, main
from replayed import Trace

TEAM = 0xa0
T = "comm=0x%x" % TEAM
IN_ALL, IN_MY, IN_NO, OUT_ALL, OUT_MY, OUT_NO = (1 << bit for bit in range(6))


class Threads(Trace):
    """Processes that are threads of a UPC program, each of which reports only itself; `ranks` are theirs in the team."""

    def __init__(self, size, missing=(), ranks=None, mpi=False):
        super().__init__(size, missing)
        for rank in range(size):
            self.heads[rank] = self.heads[rank] * mpi
            self.head(rank, 'comm 0x%x kind=upc rank=%d size=%d "threads"' % (TEAM, (ranks or range(size))[rank], size))

    def call(self, rank, start, end, text):
        self.add(rank, start, end, "%s %s" % (text, T))


def broadcast(sync, root_start, root_end, other_start, other_end):
    t = Threads(2)
    t.call(0, root_start, root_end, "upc_all_broadcast root=0 sync=%d sent=8" % sync)
    t.call(1, other_start, other_end, "upc_all_broadcast root=0 sync=%d received=8" % sync)
    return t


def broadcasts(root, other, alone=""):
    """What is reported about them; `alone` is that of the root."""
    calls = ["upc_all_broadcast@0.0:%d-%d#0" % root, "upc_all_broadcast@1.0:%d-%d#0" % other]
    return "gathering comm=a0 order=0 position=0 size=2: root 0.0 %s %s%s; 0.1 %s %s%s" % (
        calls[0], calls[0], alone, calls[1], calls[1], " alone=%d" % (root[0] - other[0]) * (other[0] < root[0]))


@case()
def a_barrier():
    t = Threads(3)
    for rank, (start, end) in enumerate([(1, 9), (5, 9), (8, 10)]):
        t.call(rank, start, end, "upc_barrier")
    b = ["upc_barrier@%d.0:%d-%d#0" % call for call in [(0, 0, 8), (1, 4, 8), (2, 7, 9)]]
    return t, ["gathering comm=a0 order=0 position=0 size=3: " + "; ".join("0.%d %s %s" % (i, b[i], b[i]) for i in range(3))]


@case()
def a_split_barrier_meets_whole_ones():
    t = Threads(2)
    t.call(0, 1, 2, "upc_notify tag=3")
    t.call(0, 7, 20, "upc_wait tag=3")
    t.call(0, 21, 22, "upc_barrier")
    t.call(1, 15, 19, "upc_barrier")
    t.call(1, 23, 24, "upc_notify")
    t.call(1, 25, 26, "upc_wait")
    barriers = ["upc_barrier@0.0:20-21#2", "upc_barrier@1.0:14-18#0"]
    return t, ["gathering comm=a0 order=0 position=0 size=2: "
               "0.0 upc_notify@0.0:0-1#0 upc_wait@0.0:6-19#1; 0.1 %s %s" % (barriers[1], barriers[1]),
               "gathering comm=a0 order=0 position=1 size=2: "
               "0.0 %s %s; 0.1 upc_notify@1.0:22-23#1 upc_wait@1.0:24-25#2" % (barriers[0], barriers[0]),
               "violations 1"]


@case()
def notify_needs_nobody():
    t = Threads(2)
    t.call(0, 1, 2, "upc_notify")
    t.call(0, 3, 12, "upc_wait")
    t.call(1, 10, 11, "upc_notify")
    t.call(1, 11, 12, "upc_wait")
    return t, ["gathering comm=a0 order=0 position=0 size=2: 0.0 upc_notify@0.0:0-1#0 upc_wait@0.0:2-11#1; "
               "0.1 upc_notify@1.0:9-10#0 upc_wait@1.0:10-11#1"]


@case()
def a_thread_is_killed_in_a_split_barrier():
    t = Threads(2)
    t.call(0, 1, 2, "upc_notify")
    t.call(1, 3, 4, "upc_notify")
    t.call(1, 5, 9, "upc_wait")
    t.call(1, 11, 19, "upc_barrier")
    whole = "upc_barrier@1.0:10-18#2"
    return t, ["gathering comm=a0 order=0 position=0 size=2: 0.0 upc_notify@0.0:0-1#0 upc_notify@0.0:0-1#0; "
               "0.1 upc_notify@1.0:2-3#0 upc_wait@1.0:4-8#1",
               "gathering comm=a0 order=0 position=1 size=2 incomplete: 0.1 %s %s" % (whole, whole)]


@case()
def wait_without_notify():
    t = Threads(2)
    t.call(0, 1, 2, "upc_wait")
    t.call(0, 3, 9, "upc_barrier")
    t.call(1, 5, 8, "upc_barrier")
    b = ["upc_barrier@0.0:2-8#1", "upc_barrier@1.0:4-7#0"]
    return t, ["gathering comm=a0 order=0 position=0 size=2: 0.0 %s %s; 0.1 %s %s" % (b[0], b[0], b[1], b[1])]


# The members that a member needs: leaving before they arrive is a violation.

@case()
def my_sync_needs_the_root():
    return broadcast(IN_MY | OUT_MY, 21, 30, 1, 10), [broadcasts((20, 29), (0, 9), " alone=9").replace(
        "alone=20", "alone=9"), "violations 1"]


@case()
def my_sync_lets_the_root_go():
    return broadcast(IN_MY | OUT_MY, 1, 10, 21, 30), [broadcasts((0, 9), (20, 29), " alone=9") + " alone=9"]


@case()
def no_sync_needs_nobody():
    return broadcast(IN_NO | OUT_NO, 21, 30, 1, 10), [
        broadcasts((20, 29), (0, 9), " alone=9").replace("alone=20", "alone=9")]


@case()
def no_sync_at_one_end_needs_nobody():
    return broadcast(IN_ALL | OUT_NO, 1, 10, 21, 30), [broadcasts((0, 9), (20, 29), " alone=9") + " alone=9"]


@case()
def sync_of_all_at_one_end_needs_all():
    return broadcast(IN_MY | OUT_ALL, 1, 10, 21, 30), [
        broadcasts((0, 9), (20, 29), " alone=9") + " alone=9", "violations 1"]


@case()
def what_is_not_said_is_of_all():
    return broadcast(0, 1, 10, 21, 30), [broadcasts((0, 9), (20, 29), " alone=9") + " alone=9", "violations 1"]


@case()
def flags_that_are_not_known_need_nobody():
    t = Threads(2)
    t.call(0, 21, 30, "upc_all_exchange sent=8 received=8")
    t.call(1, 1, 10, "upc_all_exchange sent=8 received=8")
    calls = ["upc_all_exchange@0.0:20-29#0", "upc_all_exchange@1.0:0-9#0"]
    return t, ["gathering comm=a0 order=0 position=0 size=2: 0.0 %s %s alone=9; 0.1 %s %s alone=9" % (
        calls[0], calls[0], calls[1], calls[1])]


@case()
def reduction_to_the_root_and_of_lower_threads():
    t = Threads(2)
    t.call(0, 1, 5, "upc_all_reduce root=0 sync=18 received=8")
    t.call(1, 9, 10, "upc_all_reduce root=0 sync=18 sent=8")
    t.call(0, 19, 20, "upc_all_prefix_reduce sync=18 sent=8 received=8")
    t.call(1, 11, 15, "upc_all_prefix_reduce sync=18 sent=8 received=8")
    names = "upc_all_reduce", "upc_all_prefix_reduce"
    calls = [["%s@%d.0:%d-%d#%d" % call for call in pair] for pair in (
        ((names[0], 0, 0, 4, 0), (names[0], 1, 8, 9, 0)), ((names[1], 0, 18, 19, 1), (names[1], 1, 10, 14, 1)))]
    return t, ["gathering comm=a0 order=0 position=0 size=2: root 0.0 %s %s alone=4; 0.1 %s %s alone=1" % (
        calls[0][0], calls[0][0], calls[0][1], calls[0][1]),
        "gathering comm=a0 order=0 position=1 size=2: 0.0 %s %s alone=1; 0.1 %s %s alone=4" % (
            calls[1][0], calls[1][0], calls[1][1], calls[1][1]), "violations 2"]


@case()
def allocation_needs_thread_0():
    t = Threads(3)
    t.call(0, 5, 6, "upc_all_alloc room=80")
    t.call(1, 1, 3, "upc_all_alloc room=80")
    t.call(2, 8, 9, "upc_all_alloc room=80")
    a = ["upc_all_alloc@%d.0:%d-%d#0" % call for call in [(0, 4, 5), (1, 0, 2), (2, 7, 8)]]
    return t, ["gathering comm=a0 order=0 position=0 size=3: root 0.0 %s %s; 0.1 %s %s; 0.2 %s %s" % (
        a[0], a[0], a[1], a[1], a[2], a[2]), "violations 1"]


@case()
def alone_among_three():
    t = Threads(3)
    for rank, (start, end) in enumerate([(1, 20), (5, 9), (7, 12)]):
        t.call(rank, start, end, "upc_all_gather root=0 sync=18")
    g = ["upc_all_gather@%d.0:%d-%d#0" % call for call in [(0, 0, 19), (1, 4, 8), (2, 6, 11)]]
    return t, ["gathering comm=a0 order=0 position=0 size=3: root 0.0 %s %s alone=12; 0.1 %s %s; 0.2 %s %s" % (
        g[0], g[0], g[1], g[1], g[2], g[2])]


@case()
def the_rank_in_the_team_is_not_that_of_the_world():
    t = Threads(2, ranks=[1, 0], mpi=True)
    t.call(0, 1, 5, "upc_all_broadcast root=0 sync=18 received=8")
    t.call(1, 9, 10, "upc_all_broadcast root=0 sync=18 sent=8")
    t.add(0, 11, 12, "MPI_Barrier comm=0xc0")
    t.add(1, 11, 12, "MPI_Barrier comm=0xc0")
    b = ["upc_all_broadcast@0.0:0-4#0", "upc_all_broadcast@1.0:8-9#0", "MPI_Barrier@0.0:10-11#1", "MPI_Barrier@1.0:10-11#1"]
    return t, ["gathering comm=a0 order=0 position=0 size=2: root 0.0 %s %s alone=1; 0.1 %s %s alone=4" % (
        b[1], b[1], b[0], b[0]),
        "gathering comm=c0 order=1 position=0 size=2: 0.0 %s %s; 0.1 %s %s" % (b[2], b[2], b[3], b[3]), "violations 1"]


# Locks

def lock(t, rank, name, taken, given, how="upc_lock"):
    t.call(rank, *taken, "%s mutex=%s target=0%s" % (how, name, " flag=1" * (how != "upc_lock")))
    t.call(rank, *given, "upc_unlock mutex=%s target=0" % name)


@case()
def locks_are_given_in_any_order():
    t = Threads(4)
    lock(t, 0, "0x11", (1, 2), (50, 52))
    lock(t, 1, "0x11", (20, 81), (90, 91))
    lock(t, 2, "0x11", (30, 51), (80, 82))
    lock(t, 3, "0x11", (95, 96), (97, 98), "upc_lock_attempt")
    unlocks = ["upc_unlock@0.0:49-51#1", "upc_unlock@1.0:89-90#1", "upc_unlock@2.0:79-81#1", "upc_unlock@3.0:96-97#1"]
    return t, ["mutex 11 upc_lock@0.0:0-1#0 %s" % unlocks[0],
               "mutex 11 upc_lock@2.0:29-50#0 %s before %s" % (unlocks[2], unlocks[0]),
               "mutex 11 upc_lock@1.0:19-80#0 %s before %s" % (unlocks[1], unlocks[2]),
               "mutex 11 upc_lock_attempt@3.0:94-95#0 %s" % unlocks[3]]


@case()
def an_unlock_may_end_after_the_next_one():
    t = Threads(2)
    lock(t, 0, "0x11", (1, 2), (10, 30))
    lock(t, 1, "0x11", (5, 12), (14, 15))
    return t, ["mutex 11 upc_lock@0.0:0-1#0 upc_unlock@0.0:9-29#1",
               "mutex 11 upc_lock@1.0:4-11#0 upc_unlock@1.0:13-14#1 before upc_unlock@0.0:9-29#1"]


@case()
def locks_of_one_thread_and_of_different_names_wait_for_nobody():
    t = Threads(2)
    lock(t, 0, "0x11", (1, 2), (10, 11))
    lock(t, 0, "0x11", (12, 13), (20, 21))
    lock(t, 1, "0x22", (3, 12), (20, 21))
    t.call(1, 22, 23, "upc_lock_attempt mutex=0x11 target=0 flag=0")
    t.call(1, 24, 25, "upc_unlock mutex=0x33 target=0")
    return t, ["mutex 11 upc_lock@0.0:0-1#0 upc_unlock@0.0:9-10#1", "mutex 11 upc_lock@0.0:11-12#2 upc_unlock@0.0:19-20#3",
               "mutex 22 upc_lock@1.0:2-11#0 upc_unlock@1.0:19-20#1"]


@case()
def a_lock_that_is_not_given_back():
    t = Threads(2)
    t.call(0, 1, 2, "upc_lock mutex=0x11 target=0")
    lock(t, 1, "0x22", (3, 4), (20, 21))
    return t, ["mutex 22 upc_lock@1.0:2-3#0 upc_unlock@1.0:19-20#1", "open 0,0,0,1"]


# Accesses

@case()
def fences():
    t = Threads(2)
    t.call(0, 1, 2, "upc_put target=1 sent=8")
    t.call(0, 3, 4, "upc_memget target=0 received=100")
    t.call(0, 5, 6, "upc_memcpy target=0 source=1 sent=4 received=4")
    t.call(0, 7, 9, "upc_fence")
    t.call(0, 10, 11, "upc_fence")
    t.call(0, 12, 13, "upc_memput_nb target=1 sent=8 request=0")
    t.call(0, 14, 15, "upc_sync done=0")
    t.call(0, 16, 17, "upc_barrier")
    t.call(0, 18, 19, "upc_fence")
    t.call(1, 16, 17, "upc_barrier")
    b = ["upc_barrier@0.0:15-16#7", "upc_barrier@1.0:15-16#0"]
    return t, ["thread_fence upc_fence@0.0:6-8#3 upc_memcpy@0.0:4-5#2 accesses=2 bytes=12",
               "thread_fence upc_fence@0.0:9-10#4 upc_fence@0.0:9-10#4 accesses=0 bytes=0",
               "thread_fence upc_fence@0.0:17-18#8 upc_fence@0.0:17-18#8 accesses=0 bytes=0",
               "request upc_memput_nb@0.0:11-12#5 upc_sync@0.0:13-14#6 polls=0",
               "gathering comm=a0 order=0 position=0 size=2: 0.0 %s %s; 0.1 %s %s" % (b[0], b[0], b[1], b[1])]


@case("--only-sites")
def sites():
    t = Threads(2)
    t.call(0, 0, 0, "upc_start")
    t.call(0, 1, 2, "upc_memget target=1 received=8")
    t.call(0, 4, 6, "upc_memget target=1 received=8")
    t.call(0, 7, 8, "upc_put target=1 sent=4")
    t.call(0, 9, 10, "upc_alloc room=100")
    t.call(1, 9, 10, "upc_all_reduce root=0 sync=9 sent=4")
    t.call(0, 11, 12, "upc_all_reduce root=0 sync=9 received=8")
    return t, ["site upc_start@0.0:0-0#0 count=1 starts=1 inside=0 before=0 bytes=0",
               "site upc_memget@0.0:1-6#0 count=2 starts=2 inside=3 before=3 bytes=16 repeated=1 repeated_inside=2",
               "site upc_put@0.0:7-8#2 count=1 starts=1 inside=1 before=1 bytes=4",
               "site upc_alloc@0.0:9-10#3 count=1 starts=1 inside=1 before=0 bytes=0",
               "site upc_all_reduce@0.0:11-12#3 count=1 starts=1 inside=1 before=3 bytes=0 active=1",
               "site upc_all_reduce@1.0:9-10#0 count=1 starts=1 inside=1 before=0 bytes=4", "violations 1"]


main()

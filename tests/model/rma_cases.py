"""Relations of one-sided communication, files, requests and phases, each planted and clean.

Usage: rma_cases.py TARRY PRINT_RELATIONS
"""

from related import W, case, main
from replayed import Trace, WORLD

WIN = "win=0xa"
FILE = "file=0xf"


def with_objects(size, missing=()):
    """A trace whose processes share a window and a file; process 0 begins at 1."""
    t = Trace(size, missing)
    for rank in range(size):
        t.head(rank, 'object win 0xa comm=0x%x size=8 unit=1 ""' % WORLD)
        t.head(rank, 'object file 0xf comm=0x%x "out.dat"' % WORLD)
        t.add(rank, 1, 1, "MPI_Comm_rank " + W)
    return t


def at(name, process, start, end, position, thread=0):
    """As print-relations has it: times count from 1."""
    return "%s@%d.%d:%d-%d#%d" % (name, process, thread, start - 1, end - 1, position)


def passive(call, following, absent, is_contended=False):
    return "passive win=a target=0 %s %s absent=%d%s" % (call, following, absent, " contended" * is_contended)


@case()
def late_origin():
    t = with_objects(3)
    t.add(0, 2, 3, "MPI_Win_post member=1 member=2 " + WIN)
    t.add(0, 4, 90, "MPI_Win_wait " + WIN)
    for rank, late in ((1, 10), (2, 80)):
        t.add(rank, 2, 3, "MPI_Win_start member=0 " + WIN)
        t.add(rank, 4, 5, "MPI_Put target=0 sent=8 epoch=2 " + WIN)
        t.add(rank, 6, 7, "MPI_Get target=0 received=8 epoch=2 " + WIN)
        t.add(rank, late, late + 1, "MPI_Win_complete " + WIN)
    origins, accesses, epochs = [], [], []
    post, wait = at("MPI_Win_post", 0, 2, 3, 0), at("MPI_Win_wait", 0, 4, 90, 1)
    for rank, late in ((1, 10), (2, 80)):
        put, get = at("MPI_Put", rank, 4, 5, 1), at("MPI_Get", rank, 6, 7, 2)
        complete = at("MPI_Win_complete", rank, late, late + 1, 3)
        origins.append("%d %s %s %s %s accesses=2" % (rank, at("MPI_Win_start", rank, 2, 3, 0), complete, put, get))
        accesses += ["access win=a %d->0 %s %s" % (rank, call, complete) for call in (put, get)]
        epochs.append("epoch win=a %s %s: 0 %s %s accesses=2" % (
            at("MPI_Win_start", rank, 2, 3, 0), complete, post, put))
    return t, ["exposures win=a %s %s: %s" % (post, wait, "; ".join(origins))] + accesses + epochs


@case()
def a_crash_in_an_epoch():
    """Process 2 dies between start and complete: neither the target's epoch nor its own epoch and access are reported."""
    t = with_objects(3)
    t.add(0, 2, 3, "MPI_Win_post member=1 member=2 " + WIN)
    t.add(0, 4, 90, "MPI_Win_wait " + WIN)
    for rank in (1, 2):
        t.add(rank, 2, 3, "MPI_Win_start member=0 " + WIN)
        t.add(rank, 4, 5, "MPI_Put target=0 epoch=2 " + WIN)
    t.add(1, 10, 11, "MPI_Win_complete " + WIN)
    put, complete = at("MPI_Put", 1, 4, 5, 1), at("MPI_Win_complete", 1, 10, 11, 2)
    return t, ["access win=a 1->0 %s %s" % (put, complete),
               "epoch win=a %s %s: 0 %s %s accesses=1" % (
                   at("MPI_Win_start", 1, 2, 3, 0), complete, at("MPI_Win_post", 0, 2, 3, 0), put),
               "open 0,1,1,0"]


@case()
def waits_for_a_lock():
    t = with_objects(3)
    t.add(1, 2, 3, "MPI_Win_lock target=0 lock=2 " + WIN)
    t.add(1, 50, 51, "MPI_Win_unlock target=0 " + WIN)
    t.add(2, 10, 52, "MPI_Win_lock target=0 lock=2 " + WIN)
    t.add(2, 53, 54, "MPI_Put target=0 epoch=3 " + WIN)
    t.add(2, 55, 56, "MPI_Win_unlock target=0 " + WIN)
    give = at("MPI_Win_unlock", 1, 50, 51, 1)
    put, unlock = at("MPI_Put", 2, 53, 54, 1), at("MPI_Win_unlock", 2, 55, 56, 2)
    takes = at("MPI_Win_lock", 1, 2, 3, 0), at("MPI_Win_lock", 2, 10, 52, 0)
    return t, ["lock win=a target=0 exclusive %s %s %s" % (takes[0], give, give),
               "lock win=a target=0 exclusive %s %s %s before %s" % (takes[1], put, unlock, give),
               "access win=a 2->0 %s %s" % (put, unlock)] + [
                   passive(call, call, 0) for call in (takes[0], give)] + [
                   passive(call, call, 0, True) for call in (takes[1], put, unlock)]


@case()
def waits_for_no_lock():
    """Shared ones go together, and an exclusive one comes when it was given back."""
    t = with_objects(3)
    lines = []
    for rank, kind, start, end in ((1, 1, 2, 50), (2, 1, 10, 60), (0, 2, 61, 70)):
        t.add(rank, start, start + 1, "MPI_Win_lock target=0 lock=%d %s" % (kind, WIN))
        t.add(rank, end, end + 1, "MPI_Win_unlock target=0 " + WIN)
        give = at("MPI_Win_unlock", rank, end, end + 1, 1)
        lines.append("lock win=a target=0%s %s %s %s" % (
            " exclusive" * (kind == 2), at("MPI_Win_lock", rank, start, start + 1, 0), give, give))
        # Process 0 is in no call until it locks for itself: they were over before.
        lines += [passive(call, call, 0) for call in (at("MPI_Win_lock", rank, start, start + 1, 0), give) if rank]
    return t, lines


@case()
def fences_and_windows_gather():
    """On each window in its own order, whatever else happens on the communicator."""
    t = with_objects(2)
    for rank in range(2):
        t.head(rank, 'object win 0xb comm=0x%x size=8 unit=1 ""' % WORLD)
    calls = [("MPI_Win_fence", "win=0xa"), ("MPI_Win_fence", "win=0xb"), ("MPI_Barrier", W), ("MPI_Win_fence", "win=0xa"),
             ("MPI_Win_free", "win=0xb")]
    lines, fences = {}, {}
    for rank, order in ((0, (0, 1, 2, 3, 4)), (1, (1, 0, 2, 3, 4))):
        for number, which in enumerate(order):
            name, what = calls[which]
            start = 10 * number + 10
            t.add(rank, start, start + 1, "%s %s" % (name, what))
            call = at(name, rank, start, start + 1, number)
            lines.setdefault(which, []).append("0.%d %s %s" % (rank, call, call))
            if name == "MPI_Win_fence":
                fences.setdefault(which, []).append("%d %s %s accesses=0 origins=0" % (rank, call, call))
    positions = {0: 0, 1: 0, 2: 0, 3: 1, 4: 1}
    return t, ["gathering comm=c0 * position=%d size=2: %s" % (positions[which], "; ".join(members))
               for which, members in sorted(lines.items())] + [
                   "fence %s size=2: %s" % (calls[which][1].replace("0x", ""), "; ".join(members))
                   for which, members in fences.items()]


@case()
def files_gather():
    t = with_objects(2)
    names = ("MPI_File_write_at_all", "MPI_File_close")
    lines = []
    for number, name in enumerate(names):
        members = []
        for rank in range(2):
            start = 10 * number + 10 + rank
            t.add(rank, start, start + 5, "%s %s" % (name, FILE))
            call = at(name, rank, start, start + 5, 0)
            members.append("0.%d %s %s" % (rank, call, call))
        lines.append("gathering comm=c0 * position=%d size=2: %s" % (number, "; ".join(members)))
    t.add(0, 100, 101, "MPI_File_write " + FILE)
    return t, lines


@case("--all")
def calls_lie_in_phases():
    t = Trace(2)
    for rank in range(2):
        t.add(rank, 1, 1, 'tarry_phase region="set up"')
        t.add(rank, 2, 3, "MPI_Comm_rank " + W)
        t.add(rank, 4, 4, 'tarry_region_begin region="step"')
        t.add(rank, 5, 6, "MPI_Comm_size " + W)
        t.add(rank, 7, 7, 'tarry_region_end region="step"')
        t.add(rank, 8, 9, "MPI_Comm_size " + W)
        if not rank:
            t.add(rank, 20, 21, "MPI_Finalize")
    lines = []
    # Numbers are given as the replay comes to the phases: each process has its own.
    for rank, phase in ((0, 1), (1, 3)):
        begin, end = "tarry_region_begin@%d.0:3-3#0/%d" % (rank, phase), "tarry_region_end@%d.0:6-6#0/%d" % (rank, phase + 1)
        lines += ["call tarry_phase@%d.0:0-0#0" % rank, "call MPI_Comm_rank@%d.0:1-2#0/%d" % (rank, phase),
                  "call " + begin, "call MPI_Comm_size@%d.0:4-5#0/%d" % (rank, phase + 1), "call " + end,
                  "call MPI_Comm_size@%d.0:7-8#0/%d" % (rank, phase),
                  'begun %d "set up"' % phase, 'begun %d "step"' % (phase + 1),
                  'phase %d "step" %s %s' % (phase + 1, begin, end)]
    finish = "MPI_Finalize@0.0:19-20#0/1"
    return t, lines + ["call " + finish, 'phase 1 "set up" tarry_phase@0.0:0-0#0 ' + finish,
                       "gathering comm=c0 order=0 position=0 size=2 incomplete: 0.0 %s %s" % (finish, finish)]


@case()
def behind_a_pause():
    """What was begun before it may have ended in it: request 0, the region and the lock."""
    t = with_objects(1)
    t.add(0, 2, 2, 'tarry_region_begin region="step"')
    t.add(0, 3, 4, "MPI_Irecv peer=0 tag=0 request=0 " + W)
    t.add(0, 5, 6, "MPI_Win_lock target=0 lock=2 " + WIN)
    t.mark(0, "pause 10")
    t.mark(0, "resume 20")
    t.add(0, 21, 22, "MPI_Wait done=0 source=0 source_tag=0")
    t.add(0, 23, 24, "MPI_Win_unlock target=0 " + WIN)
    t.add(0, 25, 25, 'tarry_region_end region="step"')
    return t, ["open 0,0,0,1"]


main()

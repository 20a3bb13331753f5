"""Relations of small programs: each case is a trace and the lines that print-relations must print for it, in any order.

Usage: relation_cases.py TARRY PRINT_RELATIONS
"""

from related import W, case, main
from replayed import Trace

# Times count from the first start of the run. A function of two processes begins on process 0 at 1.


@case("--all")
def blocking():
    t = Trace(2)
    t.add(0, 1, 20, "MPI_Recv peer=1 tag=5 received=8 " + W)
    t.add(1, 11, 14, "MPI_Send peer=0 tag=5 sent=8 " + W)
    t.add(1, 31, 32, "MPI_Comm_rank " + W)
    t.add(1, 41, 42, "MPI_Barrier " + W)
    t.add(0, 41, 43, "MPI_Barrier " + W)
    recv, send = "MPI_Recv@0.0:0-19#0", "MPI_Send@1.0:10-13#0"
    barrier = ["MPI_Barrier@0.0:40-42#1", "MPI_Barrier@1.0:40-41#1"]
    return t, [
        "call " + recv, "call " + send, "call MPI_Comm_rank@1.0:30-31#1", "call " + barrier[0], "call " + barrier[1],
        "completion %s: receive %s %s comm=c0 1->0 tag=5" % (recv, send, recv),
        "completion %s: send %s %s comm=c0 1->0 tag=5" % (send, send, recv),
        "gathering comm=c0 order=0 position=0 size=2: 0.0 %s %s; 0.1 %s %s" % (
            barrier[0], barrier[0], barrier[1], barrier[1])]


@case()
def a_send_without_a_receive_and_the_other_way_round():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Recv peer=1 tag=5 " + W)
    t.add(1, 11, 14, "MPI_Send peer=0 tag=6 " + W)
    return t, []


@case()
def to_a_process_that_is_not_there():
    t = Trace(3, missing=[0, 2])
    t.add(1, 1, 4, "MPI_Send peer=2 tag=6 " + W)
    t.add(1, 5, 6, "MPI_Isend peer=0 tag=6 request=0 " + W)
    t.add(1, 7, 8, "MPI_Wait done=0")
    t.add(1, 9, 10, "MPI_Barrier " + W)
    return t, ["request MPI_Isend@0.0:4-5#1 MPI_Wait@0.0:6-7#2 polls=0",
               "gathering comm=c0 order=0 position=0 size=3 incomplete: 0.1 MPI_Barrier@0.0:8-9#3 MPI_Barrier@0.0:8-9#3"]


@case()
def one_wait_for_all():
    """Told once: the receive is over, and the last of its messages is received long after."""
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=1 tag=1 request=0 " + W)
    t.add(0, 3, 4, "MPI_Isend peer=1 tag=2 request=1 " + W)
    t.add(0, 5, 6, "MPI_Isend peer=1 tag=9 request=2 " + W)
    t.add(0, 7, 8, "MPI_Waitall count=3 done=0 source=1 source_tag=1 done=1 done=2")
    t.add(1, 1, 2, "MPI_Send peer=0 tag=1 " + W)
    t.add(1, 3, 4, "MPI_Recv peer=0 tag=2 " + W)
    irecv, wait = "MPI_Irecv@0.0:0-1#0", "MPI_Waitall@0.0:6-7#3"
    isend, isend2 = "MPI_Isend@0.0:2-3#1", "MPI_Isend@0.0:4-5#2"
    send, recv = "MPI_Send@1.0:0-1#0", "MPI_Recv@1.0:2-3#1"
    return t, [
        "completion %s: receive %s %s comm=c0 1->0 tag=1; send %s %s comm=c0 0->1 tag=2" % (
            wait, send, irecv, isend, recv),
        "completion %s: send %s %s comm=c0 1->0 tag=1" % (send, send, irecv),
        "completion %s: receive %s %s comm=c0 0->1 tag=2" % (recv, isend, recv),
        "request %s %s polls=0" % (irecv, wait), "request %s %s polls=0" % (isend, wait),
        "request %s %s polls=0" % (isend2, wait)]


@case()
def sendrecv():
    t = Trace(2)
    for rank in range(2):
        t.add(rank, 1, 5 + rank, "MPI_Sendrecv peer=%d tag=1 recv_peer=%d recv_tag=1 %s" % (1 - rank, 1 - rank, W))
    calls = ["MPI_Sendrecv@%d.0:0-%d#0" % (rank, 4 + rank) for rank in range(2)]
    return t, ["completion %s: receive %s %s comm=c0 %d->%d tag=1; send %s %s comm=c0 %d->%d tag=1" % (
        calls[r], calls[1 - r], calls[r], 1 - r, r, calls[r], calls[1 - r], r, 1 - r) for r in range(2)]


@case()
def persistent():
    """Function and times are those of the start, the rest is that of the preparing call."""
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Recv_init peer=1 tag=4 request=0 persistent=1 " + W)
    t.add(1, 1, 2, "MPI_Send_init peer=0 tag=4 request=0 persistent=1 " + W)
    t.add(0, 3, 4, "MPI_Start request=0")
    t.add(1, 3, 4, "MPI_Startall count=1 request=0")
    for rank in range(2):
        t.add(rank, 5, 6 + rank, "MPI_Wait done=0" + " source=1 source_tag=4" * (1 - rank))
    send, post = "MPI_Startall@1.0:2-3#0", "MPI_Start@0.0:2-3#0"
    waits = ["MPI_Wait@0.0:4-5#1", "MPI_Wait@1.0:4-6#1"]
    return t, ["completion %s: receive %s %s comm=c0 1->0 tag=4" % (waits[0], send, post),
               "completion %s: send %s %s comm=c0 1->0 tag=4" % (waits[1], send, post),
               "request MPI_Start@0.0:2-3#0 %s polls=0 persistent" % waits[0],
               "request MPI_Startall@1.0:2-3#0 %s polls=0 persistent" % waits[1]]


@case()
def cancelled_ones_apart():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=1 tag=4 request=0 " + W)
    t.add(0, 3, 4, "MPI_Cancel request=0")
    t.add(0, 5, 6, "MPI_Wait done=0 cancelled=1")
    t.add(0, 7, 8, "MPI_Recv peer=1 tag=4 " + W)
    t.add(1, 1, 2, "MPI_Send peer=0 tag=4 " + W)
    t.add(1, 3, 4, "MPI_Isend peer=0 tag=9 request=0 " + W)
    t.add(1, 5, 6, "MPI_Wait done=0 cancelled=1")
    send, recv = "MPI_Send@1.0:0-1#0", "MPI_Recv@0.0:6-7#2"
    return t, ["request MPI_Irecv@0.0:0-1#0 MPI_Wait@0.0:4-5#1 polls=0 cancelled",
               "request MPI_Isend@1.0:2-3#1 MPI_Wait@1.0:4-5#2 polls=0 cancelled",
               # Told when it was given to the receive that was then cancelled, or to the other one.
               "completion %s: send %s * comm=c0 1->0 tag=4" % (send, send),
               "completion %s: receive %s %s comm=c0 1->0 tag=4" % (recv, send, recv)]


@case()
def cancelled_after_the_message_came():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=1 tag=4 request=0 " + W)
    t.add(0, 3, 4, "MPI_Irecv peer=1 tag=4 request=1 " + W)
    t.add(0, 5, 6, "MPI_Recv peer=1 tag=9 " + W)
    t.add(0, 7, 8, "MPI_Wait done=0 cancelled=1")
    t.add(0, 9, 10, "MPI_Wait done=1 source=1 source_tag=4")
    t.add(1, 1, 2, "MPI_Isend peer=0 tag=4 request=0 " + W)
    t.add(1, 3, 4, "MPI_Send peer=0 tag=9 " + W)
    t.add(1, 5, 6, "MPI_Recv peer=0 tag=8 " + W)
    t.add(0, 11, 12, "MPI_Send peer=1 tag=8 " + W)
    t.add(1, 17, 20, "MPI_Wait done=0")
    irecvs, waits = ["MPI_Irecv@0.0:0-1#0", "MPI_Irecv@0.0:2-3#1"], ["MPI_Wait@0.0:6-7#3", "MPI_Wait@0.0:8-9#4"]
    isend, wait = "MPI_Isend@1.0:0-1#0", "MPI_Wait@1.0:16-19#3"
    send, recv, reply, got = "MPI_Send@1.0:2-3#1", "MPI_Recv@0.0:4-5#2", "MPI_Send@0.0:10-11#5", "MPI_Recv@1.0:4-5#2"
    return t, ["request %s %s polls=0 cancelled" % (irecvs[0], waits[0]), "request %s %s polls=0" % (irecvs[1], waits[1]),
               "request %s %s polls=0" % (isend, wait),
               "completion %s: receive %s %s comm=c0 1->0 tag=4" % (waits[1], isend, irecvs[1]),
               "completion %s: send %s %s comm=c0 1->0 tag=4" % (wait, isend, irecvs[1]),
               "completion %s: receive %s %s comm=c0 1->0 tag=9" % (recv, send, recv),
               "completion %s: send %s %s comm=c0 1->0 tag=9" % (send, send, recv),
               "completion %s: receive %s %s comm=c0 0->1 tag=8" % (got, reply, got),
               "completion %s: send %s %s comm=c0 0->1 tag=8" % (reply, reply, got), "violations 1"]


@case()
def probes_are_no_transfers():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Probe peer=1 tag=3 " + W)
    t.add(0, 3, 4, "MPI_Recv peer=1 tag=3 " + W)
    t.add(0, 5, 6, "MPI_Mprobe peer=1 tag=3 message=0 " + W)
    t.add(0, 7, 8, "MPI_Mprobe peer=1 tag=3 message=1 " + W)
    t.add(0, 9, 10, "MPI_Imrecv message=1 request=1")
    t.add(0, 11, 12, "MPI_Mrecv message=0 source=1 source_tag=3")
    t.add(0, 13, 14, "MPI_Wait done=1 source=1 source_tag=3")
    for i in range(3):
        t.add(1, 1 + 2 * i, 2 + 2 * i, "MPI_Send peer=0 tag=3 " + W)
    sends = ["MPI_Send@1.0:%d-%d#%d" % (2 * i, 2 * i + 1, i) for i in range(3)]
    posts = ["MPI_Recv@0.0:2-3#1", "MPI_Mrecv@0.0:10-11#5", "MPI_Imrecv@0.0:8-9#4"]
    waits = [posts[0], posts[1], "MPI_Wait@0.0:12-13#6"]
    return t, (["completion %s: send %s %s comm=c0 1->0 tag=3" % (s, s, p) for s, p in zip(sends, posts)] +
               ["completion %s: receive %s %s comm=c0 1->0 tag=3" % (w, s, p) for s, p, w in zip(sends, posts, waits)] +
               ["request %s %s polls=0" % (posts[2], waits[2])])


@case()
def probes_that_wait_for_a_message():
    t = Trace(2)
    t.add(0, 1, 12, "MPI_Probe peer=any tag=-1 source=1 source_tag=3 " + W)
    t.add(0, 13, 22, "MPI_Mprobe peer=1 tag=4 message=0 " + W)
    t.add(0, 23, 24, "MPI_Recv peer=1 tag=3 " + W)
    t.add(0, 25, 32, "MPI_Iprobe peer=1 tag=5 flag=1 " + W)
    for i in range(3):
        t.add(1, 11 + 10 * i, 12 + 10 * i, "MPI_Send peer=0 tag=%d %s" % (3 + i, W))
    sends = ["MPI_Send@1.0:%d-%d#%d" % (10 + 10 * i, 11 + 10 * i, i) for i in range(2)]
    probes, recv = ["MPI_Probe@0.0:0-11#0", "MPI_Mprobe@0.0:12-21#1"], "MPI_Recv@0.0:22-23#2"
    return t, ["completion %s: probe %s %s comm=c0 1->0 tag=3" % (probes[0], sends[0], probes[0]),
               "completion %s: probe %s %s comm=c0 1->0 tag=4" % (probes[1], sends[1], probes[1]),
               "completion %s: receive %s %s comm=c0 1->0 tag=3" % (recv, sends[0], recv),
               "inversion %s %s other=1" % (probes[1], sends[1]),
               "found MPI_Iprobe@0.0:24-31#3 MPI_Send@1.0:30-31#2",
               "completion %s: send %s %s comm=c0 1->0 tag=3" % (sends[0], sends[0], recv)]


@case()
def a_message_that_was_sent_before_the_one_waited_for():
    """Of another process, and of the same; not in the same call, nor of what need not be waited for."""
    t = Trace(3)
    t.add(0, 1, 12, "MPI_Recv peer=1 tag=3 " + W)
    t.add(0, 13, 14, "MPI_Recv peer=2 tag=3 " + W)
    t.add(0, 15, 32, "MPI_Recv peer=2 tag=5 " + W)
    t.add(0, 33, 34, "MPI_Recv peer=2 tag=4 " + W)
    t.add(1, 11, 12, "MPI_Send peer=0 tag=3 " + W)
    for i, tag in enumerate((3, 4, 5)):
        t.add(2, 1 + 15 * i, 2 + 15 * i, "MPI_Send peer=0 tag=%d %s" % (tag, W))
    late, sends = "MPI_Send@1.0:10-11#0", ["MPI_Send@2.0:%d-%d#%d" % (15 * i, 15 * i + 1, i) for i in range(3)]
    recvs = ["MPI_Recv@0.0:%s" % words for words in ("0-11#0", "12-13#1", "14-31#2", "32-33#3")]
    pairs = [(late, recvs[0], 1, 3), (sends[0], recvs[1], 2, 3), (sends[1], recvs[3], 2, 4), (sends[2], recvs[2], 2, 5)]
    return t, (["completion %s: receive %s %s comm=c0 %d->0 tag=%d" % (r, s, r, *rest) for s, r, *rest in pairs] +
               ["completion %s: send %s %s comm=c0 %d->0 tag=%d" % (s, s, r, *rest) for s, r, *rest in pairs] +
               ["inversion %s %s other=2" % (recvs[0], late), "inversion %s %s other=2" % (recvs[2], sends[2])])


@case()
def a_message_that_is_received_after_many_late_ones():
    """The first message of process 1 is received behind 120 others, all of them late, of process 2."""
    t = Trace(3)
    t.add(0, 1, 12, "MPI_Recv peer=2 tag=3 " + W)
    for i in range(1, 120):
        t.add(0, 10 * i + 3, 10 * i + 12, "MPI_Recv peer=2 tag=3 " + W)
    t.add(0, 1213, 1214, "MPI_Recv peer=1 tag=3 " + W)
    t.add(1, 1, 2, "MPI_Send peer=0 tag=3 " + W)
    for i in range(120):
        t.add(2, 10 * i + 11, 10 * i + 12, "MPI_Send peer=0 tag=3 " + W)
    recvs = ["MPI_Recv@0.0:%d-%d#%d" % (10 * i + 2 if i else 0, 10 * i + 11, i) for i in range(120)]
    sends = ["MPI_Send@2.0:%d-%d#%d" % (10 * i + 10, 10 * i + 11, i) for i in range(120)]
    early, last = "MPI_Send@1.0:0-1#0", "MPI_Recv@0.0:1212-1213#120"
    pairs = [(s, r, 2) for s, r in zip(sends, recvs)] + [(early, last, 1)]
    return t, (["completion %s: receive %s %s comm=c0 %d->0 tag=3" % (r, s, r, p) for s, r, p in pairs] +
               ["completion %s: send %s %s comm=c0 %d->0 tag=3" % (s, s, r, p) for s, r, p in pairs] +
               ["inversion %s %s other=1" % (r, s) for s, r in zip(sends, recvs)])


@case()
def between_groups():
    t = Trace(3)
    t.comm(0x77, (0, 1), (2,))
    t.add(0, 1, 2, "MPI_Send peer=0 tag=1 comm=0x77")
    t.add(2, 1, 3, "MPI_Recv peer=0 tag=1 comm=0x77")
    for rank, root in enumerate(("null", "root", "1")):
        t.add(rank, 11, 20 - rank, "MPI_Bcast root=%s comm=0x77" % root)
    send, recv = "MPI_Send@0.0:0-1#0", "MPI_Recv@2.0:0-2#0"
    bcasts = ["MPI_Bcast@0.0:10-19#1", "MPI_Bcast@1.0:10-18#0", "MPI_Bcast@2.0:10-17#1"]
    return t, ["completion %s: send %s %s comm=77 0->0 tag=1" % (send, send, recv),
               "completion %s: receive %s %s comm=77 0->0 tag=1" % (recv, send, recv),
               "gathering comm=77 order=0 position=0 size=3: 0.0 %s %s; root 0.1 %s %s; 1.0 %s %s" % (
                   bcasts[0], bcasts[0], bcasts[1], bcasts[1], bcasts[2], bcasts[2])]


@case()
def threads():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=1 tag=1 request=0 " + W, thread=1)
    t.add(0, 3, 9, "MPI_Wait done=0 source=1 source_tag=1")
    t.add(0, 4, 5, "MPI_Send peer=1 tag=2 " + W, thread=1)
    t.add(1, 1, 2, "MPI_Recv peer=0 tag=2 " + W)
    t.add(1, 3, 4, "MPI_Send peer=0 tag=1 " + W)
    irecv, wait, send = "MPI_Irecv@0.1:0-1#0", "MPI_Wait@0.0:2-8#0", "MPI_Send@0.1:3-4#1"
    recv, other = "MPI_Recv@1.0:0-1#0", "MPI_Send@1.0:2-3#1"
    return t, ["completion %s: receive %s %s comm=c0 1->0 tag=1" % (wait, other, irecv),
               "completion %s: send %s %s comm=c0 1->0 tag=1" % (other, other, irecv),
               "completion %s: send %s %s comm=c0 0->1 tag=2" % (send, send, recv),
               "completion %s: receive %s %s comm=c0 0->1 tag=2" % (recv, send, recv),
               "request %s %s polls=0" % (irecv, wait), "violations 1"]


@case()
def collectives_of_all_kinds():
    t = Trace(2)
    for rank in range(2):
        t.add(rank, 1, 2, "MPI_Init")
        t.add(rank, 3 + rank, 5, "MPI_Ibarrier request=0 " + W)
        t.add(rank, 6, 7, "MPI_Neighbor_alltoall " + W)
        t.add(rank, 8, 9 + rank, "MPI_Wait done=0")
        t.add(rank, 11, 12, "MPI_Reduce root=1 " + W)
        t.add(rank, 13, 14, "MPI_Finalize")
    def both(name, start, ends, position, wait=None, starts=(0, 0), root=None):
        calls = ["%s@%d.0:%d-%d#%d" % (name, r, start + starts[r], ends[r], position) for r in range(2)]
        waits = [wait % (r, 8 + r) for r in range(2)] if wait else calls
        return "; ".join("%s0.%d %s %s" % ("root " * (r == root), r, calls[r], waits[r]) for r in range(2))
    wait = "MPI_Wait@%d.0:7-%d#2"
    return t, ["gathering comm=c0 order=0 position=0 size=2: " + both("MPI_Init", 0, (1, 1), 0),
               "gathering comm=c0 order=1 position=0 size=2: " + both("MPI_Ibarrier", 2, (4, 4), 0, wait, (0, 1)),
               "gathering comm=c0 order=1 position=1 size=2: " + both("MPI_Neighbor_alltoall", 5, (6, 6), 1),
               "gathering comm=c0 order=1 position=2 size=2: " + both("MPI_Reduce", 10, (11, 11), 3, root=1),
               "gathering comm=c0 order=0 position=1 size=2: " + both("MPI_Finalize", 12, (13, 13), 4),
               "request MPI_Ibarrier@0.0:2-4#0 MPI_Wait@0.0:7-8#2 polls=0",
               "request MPI_Ibarrier@1.0:3-4#0 MPI_Wait@1.0:7-9#2 polls=0"]


@case()
def a_crash():
    """Process 1 was killed between two barriers, when 0 had begun a third operation."""
    t = Trace(2)
    for rank in range(2):
        t.add(rank, 1 + rank, 4, "MPI_Barrier " + W)
    t.add(0, 5, 6, "MPI_Ibcast root=0 request=0 " + W)
    first = ["MPI_Barrier@%d.0:%d-3#0" % (r, r) for r in range(2)]
    return t, ["gathering comm=c0 order=0 position=0 size=2: 0.0 %s %s; 0.1 %s %s" % (first[0], first[0], first[1], first[1]),
               "gathering comm=c0 order=0 position=1 size=2 incomplete: root 0.0 MPI_Ibcast@0.0:4-5#1 MPI_Ibcast@0.0:4-5#1",
               "open 1,0,0,0"]


@case()
def different_calls_at_once():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Barrier " + W)
    t.add(1, 1, 2, "MPI_Bcast root=0 " + W)
    calls = ["MPI_Barrier@0.0:0-1#0", "MPI_Bcast@1.0:0-1#0"]
    return t, ["gathering comm=c0 order=0 position=0 size=2 mixed: 0.0 %s %s; 0.1 %s %s" % (
        calls[0], calls[0], calls[1], calls[1])]


@case()
def polls_in_between():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=1 tag=1 request=0 " + W)
    t.add(0, 3, 23, "MPI_Test flag=0 polls=7 busy=15")
    t.add(0, 25, 26, "MPI_Test flag=1 done=0 source=1 source_tag=1 delay_before=0 delay_inside=1")
    t.add(1, 1, 2, "MPI_Send peer=0 tag=1 " + W)
    irecv, test, send = "MPI_Irecv@0.0:0-1#0", "MPI_Test@0.0:24-25#2", "MPI_Send@1.0:0-1#0"
    return t, ["request %s %s polls=7" % (irecv, test),
               "polling MPI_Test@0.0:2-24#1 polls=7 busy=15 delayed=0 is_idle=1 ending=1",
               "completion %s: receive %s %s comm=c0 1->0 tag=1" % (test, send, irecv),
               "completion %s: send %s %s comm=c0 1->0 tag=1" % (send, send, irecv)]


def sites_of(t, *sites):
    """Only sums are reported."""
    return t, ["site " + site for site in sites]


@case("--only-sites")
def what_calls_add_up_to():
    t = Trace(2)
    t.add(0, 1, 5, "MPI_Send peer=1 tag=1 sent=8 " + W)
    t.add(0, 7, 9, "MPI_Send peer=1 tag=1 sent=8 " + W)
    t.add(0, 12, 13, "MPI_Send peer=1 tag=1 sent=16 " + W)
    t.add(0, 20, 30, "MPI_Test flag=0 polls=7 busy=4")
    t.add(0, 31, 33, "MPI_Comm_rank " + W)
    t.add(0, 40, 41, "MPI_Comm_rank " + W, thread=1)
    t.add(0, 45, 46, "MPI_Comm_size " + W, thread=1)
    t.add(0, 50, 52, "MPI_Wait done=3", thread=1)
    t.add(0, 54, 55, "MPI_Comm_size " + W, thread=1)
    t.add(0, 60, 61, "MPI_Wait done=4", thread=1)
    t.add(1, 1, 2, "MPI_Recv_init peer=0 tag=1 request=0 persistent=1 " + W)
    for n in range(3):
        t.add(1, 10 * n + 3, 10 * n + 4, "MPI_Start request=0")
        t.add(1, 10 * n + 5, 10 * n + 14 - n, "MPI_Wait done=0")
    return sites_of(
        t, "MPI_Send@0.0:0-8#0 count=2 starts=2 inside=6 before=2 bytes=16",
        "MPI_Send@0.0:11-12#2 count=1 starts=1 inside=1 before=3 bytes=16",
        "MPI_Test@0.0:19-29#3 count=7 starts=7 inside=4 before=13 bytes=0",
        "MPI_Comm_rank@0.0:30-40#4 count=2 starts=2 inside=3 before=0 bytes=0",
        "MPI_Comm_size@0.1:44-54#0 count=2 starts=2 inside=2 before=0 bytes=0",
        "MPI_Wait@0.1:49-51#0 count=1 starts=1 inside=2 before=0 bytes=0 after=8",
        "MPI_Wait@0.1:59-60#1 count=1 starts=1 inside=1 before=8 bytes=0",
        "MPI_Recv_init@1.0:0-1#0 count=1 starts=3 inside=1 before=0 bytes=0",
        "MPI_Start@1.0:2-23#0 count=3 starts=3 inside=3 before=1 bytes=0",
        "MPI_Wait@1.0:4-31#1 count=3 starts=3 inside=24 before=3 bytes=0")


@case("--only-sites")
def pauses_are_no_computing_time():
    t = Trace(2)
    for first, last, (start, end) in ((0, 0, (1, 5)), (8, 100, (103, 104)), (110, 200, (205, 206))):
        if last:
            t.mark(0, "pause %d counted" % first)
            t.mark(0, "resume %d counted" % last)
            t.mark(0, "skipped %d 3 MPI_Ssend peer=1 tag=1 %s" % (last, W))
        t.add(0, start, end, "MPI_Send peer=1 tag=1 sent=8 " + W)
    return sites_of(t, "MPI_Send@0.0:0-205#0 count=3 starts=3 inside=6 before=17 bytes=24")


@case()
def partitions_are_made_ready():
    """Twice; the second time only one partition. Another request of the process has nothing to do with it."""
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Psend_init peer=1 tag=3 sent=16 partitions=2 request=0 persistent=1 " + W)
    for start in (10, 30):
        t.add(0, start, start + 1, "MPI_Start request=0")
        t.add(0, start + 2, start + 3, "MPI_Pready request=0 partition=0")
        if start == 10:
            t.add(0, start + 4, start + 5, "MPI_Pready request=0 partition=1")
            t.add(0, start + 6, start + 7, "MPI_Wait done=0")
    lines = ["partitioned MPI_Psend_init@0.0:9-10#0 MPI_Pready@0.0:11-12#1 MPI_Pready@0.0:13-14#1 ready=2",
             "partitioned MPI_Psend_init@0.0:29-30#2 MPI_Pready@0.0:31-32#3 MPI_Pready@0.0:31-32#3 ready=1"]
    return t, lines + ["request MPI_Start@0.0:9-10#0 MPI_Wait@0.0:15-16#1 polls=0 persistent", "open 1,0,0,0"]


@case()
def neighbours_of_a_line():
    """0 - 1 - 2, as the call that made the communicator tells; process 2 did not record that."""
    t = Trace(3)
    t.comm(0xd0, range(3))
    lines = []
    for rank, members in ((0, (1,)), (1, (0, 2)), (2, ())):
        t.add(rank, 1, 2, "MPI_Cart_create %s newcomm=0xd0 %s" % (W, " ".join("member=%d" % m for m in members)))
    made = ["MPI_Cart_create@%d.0:0-1#0" % rank for rank in range(3)]
    calls = ["MPI_Neighbor_alltoall@%d.0:%d-%d#0" % (rank, 9 + rank, 19) for rank in range(3)]
    for rank in range(3):
        t.add(rank, 10 + rank, 20, "MPI_Neighbor_alltoall comm=0xd0")
    for comm, who in (("c0", made), ("d0", calls)):
        lines.append("gathering comm=%s order=%d position=0 size=3: %s" % (
            comm, comm == "d0", "; ".join("0.%d %s %s" % (rank, call, call) for rank, call in enumerate(who))))
    return t, lines + ["neighbour 0 %s %s %s sources=1" % (calls[0], calls[0], calls[1]),
                       "neighbour 1 %s %s %s sources=2" % (calls[1], calls[1], calls[2])]


@case("--only-sites", "--pairs")
def what_happens_to_messages_adds_up():
    t = Trace(3)
    t.add(0, 1, 3, "MPI_Send peer=1 tag=1 sent=8 " + W)
    t.add(0, 11, 13, "MPI_Send peer=1 tag=1 sent=8 " + W)
    t.add(0, 13, 13, "MPI_Comm_rank " + W)
    t.add(0, 14, 15, "MPI_Send peer=2 tag=1 sent=8 " + W)
    t.add(1, 2, 7, "MPI_Recv peer=0 tag=1 received=8 " + W)
    t.add(1, 9, 15, "MPI_Recv peer=0 tag=1 received=8 " + W)
    t.add(1, 18, 20, "MPI_Send peer=2 tag=1 sent=8 " + W)
    t.add(2, 16, 17, "MPI_Recv peer=0 tag=1 received=8 " + W)
    t.add(2, 17, 21, "MPI_Recv peer=-1 tag=1 source=1 source_tag=1 received=8 " + W)
    t.add(2, 22, 23, "MPI_Send peer=1 tag=1 sent=8 " + W)
    t.add(1, 23, 24, "MPI_Recv peer=2 tag=1 received=8 " + W)
    t.add(1, 25, 26, "MPI_Send peer=0 tag=1 sent=9 " + W)
    t.add(0, 25, 27, "MPI_Recv peer=1 tag=1 received=9 " + W)
    for rank, start in ((0, 30), (1, 33), (2, 31)):
        t.add(rank, start, 35, "MPI_Barrier " + W)
    sends, recvs = ("MPI_Send@0.0:0-12#0", "MPI_Send@0.0:13-14#2"), ("MPI_Recv@1.0:1-14#0", "MPI_Recv@1.0:22-23#3")
    passing, answer, back = "MPI_Send@1.0:17-19#2", "MPI_Send@1.0:24-25#4", "MPI_Recv@0.0:24-26#3"
    first, any_source, last = "MPI_Recv@2.0:15-16#0", "MPI_Recv@2.0:16-20#1", "MPI_Send@2.0:21-22#2"
    t, sites = sites_of(
        t, sends[0] + " count=2 starts=2 inside=4 before=8 bytes=16",
        "MPI_Comm_rank@0.0:12-12#2 count=1 starts=1 inside=0 before=0 bytes=0",
        sends[1] + " count=1 starts=1 inside=1 before=1 bytes=8",
        back + " count=1 starts=1 inside=2 before=10 bytes=0 active=2",
        "MPI_Barrier@0.0:29-34#4 count=1 starts=1 inside=5 before=3 bytes=0 active=2",
        recvs[0] + " count=2 starts=2 inside=11 before=2 bytes=0 active=9",
        passing + " count=1 starts=1 inside=2 before=3 bytes=8",
        recvs[1] + " count=1 starts=1 inside=1 before=3 bytes=0 active=1",
        answer + " count=1 starts=1 inside=1 before=1 bytes=9",
        "MPI_Barrier@1.0:32-34#5 count=1 starts=1 inside=2 before=7 bytes=0 active=2",
        first + " count=1 starts=1 inside=1 before=0 bytes=0 active=1",
        any_source + " count=1 starts=1 inside=4 before=0 bytes=0 active=3",
        last + " count=1 starts=1 inside=1 before=1 bytes=8",
        "MPI_Barrier@2.0:30-34#3 count=1 starts=1 inside=4 before=8 bytes=0 active=2")
    pairs = (
        "first %s count=1 inside=2 before=0" % sends[0],
        "%s %s count=1 inside=2 before=8 same_peer=1" % (sends[0], sends[0]),
        "%s %s count=1 inside=1 before=1" % sends,
        "%s %s count=1 inside=2 before=10 active=2 ready=1 ready_inside=2 overlap=1" % (sends[1], back),
        "first %s count=1 inside=5 before=0 active=5 ready=1 ready_inside=5 ready_since=1" % recvs[0],
        "%s %s count=1 inside=6 before=2 same_peer=1 active=4 overlap=4" % (recvs[0], recvs[0]),
        "%s %s count=1 inside=2 before=3" % (recvs[0], passing),
        "%s %s count=1 inside=1 before=3 same_peer=1 active=1 ready=1 ready_inside=1 ready_since=1 overlap=1" % (passing, recvs[1]),
        "%s %s count=1 inside=1 before=1" % (recvs[1], answer),
        "first %s count=1 inside=1 before=0 active=1 ready=1 ready_inside=1 ready_since=2" % first,
        "%s %s count=1 inside=4 before=0 active=3 overlap=1" % (first, any_source),
        "%s %s count=1 inside=1 before=1 same_peer=1" % (any_source, last))
    return t, sites + ["pair " + pair for pair in pairs]


def late_message():
    t = Trace(2)
    t.add(0, 1, 20, "MPI_Recv peer=1 tag=5 " + W)
    t.add(1, 31, 34, "MPI_Send peer=0 tag=5 " + W)
    return t


@case()
def an_effect_before_its_cause():
    recv, send = "MPI_Recv@0.0:0-19#0", "MPI_Send@1.0:30-33#0"
    return late_message(), ["completion %s: receive %s %s comm=c0 1->0 tag=5" % (recv, send, recv),
                            "completion %s: send %s %s comm=c0 1->0 tag=5" % (send, send, recv), "violations 1"]


@case("--corrected")
def an_effect_before_its_cause_mended():
    # 100 ns after the send began, and its start is drawn along; the run then begins with the send.
    recv, send = "MPI_Recv@0.0:80-100#0", "MPI_Send@1.0:0-3#0"
    return late_message(), ["completion %s: receive %s %s comm=c0 1->0 tag=5" % (recv, send, recv),
                            "completion %s: send %s %s comm=c0 1->0 tag=5" % (send, send, recv)]


main()

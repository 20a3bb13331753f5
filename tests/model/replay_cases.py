"""Replays of small programs, one for each representation of a message or a collective call in a trace.

Usage: replay_cases.py TARRY PRINT_REPLAY
"""

import sys

import skipped_cases
from replayed import Trace, WORLD, replay

W = "comm=0x%x" % WORLD
CASES = []


def case(function):
    CASES.append(function)
    return function


# Each case gives a trace, the messages that must be reported, as (sender, start of the send, receiver, end of what
# completed it), and counts that must differ from 0. The receiver always comes before the sender in the trace and
# by its clock, so that only causes can give the order.


@case
def blocking():
    t = Trace(2)
    t.add(0, 10, 20, "MPI_Recv peer=1 tag=5 received=8 " + W)
    t.add(1, 30, 40, "MPI_Send peer=0 tag=5 sent=8 " + W)
    return t, [(1, 30, 0, 20)], {}


@case
def order_of_one_envelope():
    t = Trace(2)
    for i in range(3):
        t.add(0, 10 * i + 1, 10 * i + 9, "MPI_Recv peer=1 tag=5 " + W)
        t.add(1, 10 * i + 101, 10 * i + 109, "MPI_Send peer=0 tag=5 " + W)
    return t, [(1, 101, 0, 9), (1, 111, 0, 19), (1, 121, 0, 29)], {}


@case
def tags_overtake():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Recv peer=1 tag=7 " + W)
    t.add(0, 3, 4, "MPI_Recv peer=1 tag=5 " + W)
    t.add(1, 11, 12, "MPI_Send peer=0 tag=5 " + W)
    t.add(1, 13, 14, "MPI_Send peer=0 tag=7 " + W)
    return t, [(1, 13, 0, 2), (1, 11, 0, 4)], {}


@case
def wildcards():
    t = Trace(3)
    t.add(0, 1, 2, "MPI_Recv peer=any tag=-1 source=2 source_tag=9 " + W)
    t.add(0, 3, 4, "MPI_Recv peer=any tag=-1 source=1 source_tag=8 " + W)
    t.add(1, 11, 12, "MPI_Send peer=0 tag=8 " + W)
    t.add(2, 13, 14, "MPI_Send peer=0 tag=9 " + W)
    return t, [(2, 13, 0, 2), (1, 11, 0, 4)], {}


@case
def requests_in_any_order():
    t = Trace(2)
    for i in range(3):
        t.add(0, i, i, "MPI_Irecv peer=1 tag=%d request=%d %s" % (i, i, W))
        t.add(1, 100 + i, 100 + i, "MPI_Isend peer=0 tag=%d request=%d %s" % (i, i, W))
    t.add(0, 10, 11, "MPI_Wait done=2 source=1 source_tag=2")
    t.add(0, 12, 13, "MPI_Waitall count=3 done=0 source=1 source_tag=0 done=1 source=1 source_tag=1")
    t.add(1, 110, 111, "MPI_Waitall count=3 done=0 done=1 done=2")
    return t, [(1, 102, 0, 11), (1, 100, 0, 13), (1, 101, 0, 13)], {}


@case
def receives_are_served_as_posted():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=1 tag=4 request=0 " + W)
    t.add(0, 3, 4, "MPI_Irecv peer=1 tag=4 request=1 " + W)
    t.add(0, 5, 6, "MPI_Wait done=1 source=1 source_tag=4")
    t.add(0, 7, 8, "MPI_Wait done=0 source=1 source_tag=4")
    t.add(1, 11, 12, "MPI_Send peer=0 tag=4 " + W)
    t.add(1, 13, 14, "MPI_Send peer=0 tag=4 " + W)
    return t, [(1, 13, 0, 6), (1, 11, 0, 8)], {}


@case
def wildcard_posted_first_is_served_first():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=any tag=-1 request=0 " + W)
    t.add(0, 3, 4, "MPI_Irecv peer=1 tag=4 request=1 " + W)
    t.add(0, 5, 6, "MPI_Wait done=1 source=1 source_tag=4")
    t.add(0, 7, 8, "MPI_Wait done=0 source=1 source_tag=4")
    t.add(1, 11, 12, "MPI_Send peer=0 tag=4 " + W)
    t.add(1, 13, 14, "MPI_Send peer=0 tag=4 " + W)
    return t, [(1, 13, 0, 6), (1, 11, 0, 8)], {}


@case
def persistent():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Recv_init peer=1 tag=4 request=0 persistent=1 " + W)
    t.add(1, 101, 102, "MPI_Send_init peer=0 tag=4 request=0 persistent=1 " + W)
    for i in (10, 20):
        t.add(0, i, i + 1, "MPI_Start request=0")
        t.add(0, i + 2, i + 3, "MPI_Wait done=0 source=1 source_tag=4")
        t.add(1, i + 100, i + 101, "MPI_Startall count=1 request=0")
        t.add(1, i + 102, i + 103, "MPI_Waitall count=1 done=0")
    t.add(0, 30, 31, "MPI_Request_free request=0")
    return t, [(1, 110, 0, 13), (1, 120, 0, 23)], {}


@case
def partitioned():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Precv_init partitions=2 peer=1 tag=4 request=0 persistent=1 " + W)
    t.add(0, 3, 4, "MPI_Start request=0")
    t.add(0, 5, 6, "MPI_Parrived request=0 partition=1 flag=1")
    t.add(0, 7, 8, "MPI_Wait done=0 source=1 source_tag=4")
    t.add(1, 101, 102, "MPI_Psend_init partitions=2 peer=0 tag=4 request=0 persistent=1 " + W)
    t.add(1, 103, 104, "MPI_Start request=0")
    t.add(1, 105, 106, "MPI_Pready partition=0 request=0")
    t.add(1, 107, 108, "MPI_Wait done=0")
    return t, [(1, 103, 0, 8)], {}


@case
def sendrecv_in_a_ring():
    t = Trace(3)
    for rank in range(3):
        t.add(rank, 10 - rank, 20 - rank, "MPI_Sendrecv peer=%d tag=1 recv_peer=%d recv_tag=1 %s" % (
            (rank + 1) % 3, (rank + 2) % 3, W))
    return t, [(2, 8, 0, 20), (0, 10, 1, 19), (1, 9, 2, 18)], {}


@case
def isendrecv():
    t = Trace(2)
    for rank in range(2):
        t.add(rank, 1, 2, "MPI_Isendrecv peer=%d tag=1 recv_peer=%d recv_tag=1 request=0 %s" % (
            1 - rank, 1 - rank, W))
        t.add(rank, 3, 4, "MPI_Wait done=0 source=%d source_tag=1" % (1 - rank))
    return t, [(1, 1, 0, 4), (0, 1, 1, 4)], {}


@case
def nobody():
    t = Trace(1)
    t.add(0, 1, 2, "MPI_Send peer=null tag=1 " + W)
    t.add(0, 3, 4, "MPI_Recv peer=null tag=1 " + W)
    t.add(0, 5, 6, "MPI_Irecv peer=null tag=1 request=0 " + W)
    t.add(0, 7, 8, "MPI_Wait done=0 source=null source_tag=-1")
    t.add(0, 9, 10, "MPI_Sendrecv peer=null tag=1 recv_peer=null recv_tag=1 " + W)
    t.add(0, 11, 12, "MPI_Probe peer=null tag=1 " + W)
    return t, [], {}


@case
def to_itself():
    t = Trace(1)
    t.add(0, 1, 2, "MPI_Irecv peer=0 tag=1 request=0 " + W)
    t.add(0, 3, 4, "MPI_Send peer=0 tag=1 " + W)
    t.add(0, 5, 6, "MPI_Wait done=0 source=0 source_tag=1")
    return t, [(0, 3, 0, 6)], {}


@case
def cancelled():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=1 tag=4 request=0 " + W)
    t.add(0, 3, 4, "MPI_Cancel request=0")
    t.add(0, 5, 6, "MPI_Wait done=0 cancelled=1")
    t.add(0, 7, 8, "MPI_Recv peer=1 tag=4 " + W)
    t.add(1, 11, 12, "MPI_Send peer=0 tag=4 " + W)
    t.add(1, 13, 14, "MPI_Isend peer=0 tag=9 request=0 " + W)
    t.add(1, 15, 16, "MPI_Cancel request=0")
    t.add(1, 17, 18, "MPI_Wait done=0 cancelled=1")
    return t, [(1, 11, 0, 8)], {"cancelled": 2}


@case
def cancelled_after_the_message_came_to_another():
    t = Trace(2)
    t.add(1, 1, 2, "MPI_Send peer=0 tag=4 " + W)
    t.add(0, 11, 12, "MPI_Irecv peer=1 tag=4 request=0 " + W)
    t.add(0, 13, 14, "MPI_Cancel request=0")
    t.add(0, 15, 16, "MPI_Wait done=0 cancelled=1")
    t.add(0, 17, 18, "MPI_Irecv peer=1 tag=4 request=0 " + W)
    t.add(0, 19, 20, "MPI_Wait done=0 source=1 source_tag=4")
    return t, [(1, 1, 0, 20)], {"cancelled": 1}


@case
def cancelled_after_the_message_came_to_it():
    """The receive behind it has been waiting for that message."""
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=1 tag=4 request=0 " + W)
    t.add(0, 3, 4, "MPI_Irecv peer=1 tag=4 request=1 " + W)
    t.add(0, 5, 6, "MPI_Recv peer=1 tag=9 " + W)
    t.add(0, 7, 8, "MPI_Cancel request=0")
    t.add(0, 9, 10, "MPI_Wait done=0 cancelled=1")
    t.add(0, 11, 12, "MPI_Wait done=1 source=1 source_tag=4")
    t.add(1, 1, 2, "MPI_Isend peer=0 tag=4 request=0 " + W)
    t.add(1, 3, 4, "MPI_Send peer=0 tag=9 " + W)
    t.add(1, 5, 20, "MPI_Wait done=0")
    return t, [(1, 3, 0, 6), (1, 1, 0, 12)], {"cancelled": 1}


@case
def a_probe_before_the_receive_of_another_thread():
    t = Trace(2)
    t.add(0, 1, 20, "MPI_Probe peer=1 tag=4 " + W)
    t.add(0, 2, 22, "MPI_Recv peer=1 tag=4 " + W, thread=1)
    t.add(1, 11, 12, "MPI_Isend peer=0 tag=4 request=0 " + W)
    t.add(1, 13, 24, "MPI_Wait done=0")
    return t, [(1, 11, 0, 22)], {}


@case
def probes():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Iprobe peer=any tag=3 flag=0 polls=5 busy=1 " + W)
    t.add(0, 3, 4, "MPI_Probe peer=any tag=-1 source=1 source_tag=3 " + W)
    t.add(0, 5, 6, "MPI_Recv peer=1 tag=3 " + W)
    t.add(0, 7, 8, "MPI_Mprobe peer=1 tag=3 message=0 " + W)
    t.add(0, 9, 10, "MPI_Improbe peer=1 tag=3 flag=1 message=1 " + W)
    t.add(0, 11, 12, "MPI_Imrecv message=1 request=1")
    t.add(0, 13, 14, "MPI_Mrecv message=0 source=1 source_tag=3")
    t.add(0, 15, 16, "MPI_Wait done=1 source=1 source_tag=3")
    for i in range(3):
        t.add(1, 101 + 2 * i, 102 + 2 * i, "MPI_Send peer=0 tag=3 " + W)
    return t, [(1, 101, 0, 6), (1, 103, 0, 14), (1, 105, 0, 16)], {}


@case
def between_groups():
    t = Trace(4)
    t.comm(0x77, (0, 1), (3, 2))
    # Rank 0 of either side sends to rank 0 of the other: the direction tells the two apart.
    t.add(0, 1, 2, "MPI_Recv peer=0 tag=1 comm=0x77")
    t.add(0, 3, 4, "MPI_Send peer=0 tag=1 comm=0x77")
    t.add(3, 101, 102, "MPI_Send peer=0 tag=1 comm=0x77")
    t.add(3, 103, 104, "MPI_Recv peer=0 tag=1 comm=0x77")
    return t, [(3, 101, 0, 2), (0, 3, 3, 104)], {}


@case
def in_a_part_of_the_world():
    t = Trace(3)
    t.comm(0x88, (2, 0))
    t.add(0, 1, 2, "MPI_Recv peer=0 tag=1 comm=0x88")
    t.add(0, 3, 4, "MPI_Recv peer=2 tag=1 " + W)
    t.add(2, 101, 102, "MPI_Send peer=0 tag=1 " + W)
    t.add(2, 103, 104, "MPI_Send peer=1 tag=1 comm=0x88")
    return t, [(2, 103, 0, 2), (2, 101, 0, 4)], {}


@case
def threads_share_requests():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=1 tag=1 request=0 " + W, thread=1)
    t.add(0, 3, 9, "MPI_Wait done=0 source=1 source_tag=1", thread=0)
    t.add(0, 4, 5, "MPI_Send peer=1 tag=2 " + W, thread=1)
    t.add(1, 101, 102, "MPI_Recv peer=0 tag=2 " + W)
    t.add(1, 103, 104, "MPI_Send peer=0 tag=1 " + W)
    return t, [(0, 4, 1, 102), (1, 103, 0, 9)], {}


@case
def threads_hand_on_a_number():
    # The wait gives number 0 back at 30, and the second receive has it from 40 on.
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=1 tag=1 request=0 " + W)
    t.add(0, 10, 30, "MPI_Wait done=0 source=1 source_tag=1")
    t.add(0, 20, 40, "MPI_Irecv peer=1 tag=2 request=0 " + W, thread=1)
    t.add(0, 50, 60, "MPI_Wait done=0 source=1 source_tag=2", thread=1)
    t.add(1, 101, 102, "MPI_Send peer=0 tag=1 " + W)
    t.add(1, 103, 104, "MPI_Send peer=0 tag=2 " + W)
    return t, [(1, 101, 0, 30), (1, 103, 0, 60)], {}


@case
def a_number_is_taken_before_the_wait_for_the_earlier_request_has_ended():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=1 tag=1 request=0 " + W)
    t.add(0, 10, 60, "MPI_Wait done=0 source=1 source_tag=1")
    t.add(0, 20, 40, "MPI_Irecv peer=1 tag=2 request=0 " + W, thread=1)
    t.add(0, 70, 80, "MPI_Wait done=0 source=1 source_tag=2", thread=1)
    t.add(1, 101, 102, "MPI_Send peer=0 tag=1 " + W)
    t.add(1, 103, 104, "MPI_Send peer=0 tag=2 " + W)
    return t, [(1, 101, 0, 60), (1, 103, 0, 80)], {}


@case
def a_third_thread_waits_for_both_requests_of_a_number():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=1 tag=1 request=0 " + W)
    t.add(0, 10, 60, "MPI_Wait done=0 source=1 source_tag=1", thread=2)
    t.add(0, 20, 40, "MPI_Irecv peer=1 tag=2 request=0 " + W, thread=1)
    t.add(0, 70, 80, "MPI_Wait done=0 source=1 source_tag=2", thread=2)
    t.add(1, 101, 102, "MPI_Send peer=0 tag=1 " + W)
    t.add(1, 103, 104, "MPI_Send peer=0 tag=2 " + W)
    return t, [(1, 101, 0, 60), (1, 103, 0, 80)], {}


@case
def a_thread_reads_the_clock_and_takes_a_number_later():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=1 tag=1 request=0 " + W)
    t.add(0, 10, 30, "MPI_Wait done=0 source=1 source_tag=1")
    t.add(0, 3, 4, "MPI_Irecv peer=1 tag=2 request=0 " + W, thread=1)
    t.add(0, 50, 60, "MPI_Wait done=0 source=1 source_tag=2", thread=1)
    t.add(1, 101, 102, "MPI_Send peer=0 tag=1 " + W)
    t.add(1, 103, 104, "MPI_Send peer=0 tag=2 " + W)
    return t, [(1, 101, 0, 30), (1, 103, 0, 60)], {}


class Strangers(Trace):
    """A process of another world, which was connected: each side knows the other's size alone."""

    def lines(self):
        for number, (line, others) in enumerate((("1:0", "0:0"), ("2:0", "0:0")), 1):
            yield "process world=%d rank=0 size=1 run=1" % number
            yield 'comm 0x77 kind=inter rank=0 size=1 remote=1 members=%s others=%s ""' % (line, others)
            yield "thread 0"
            yield from self.events[number - 1][0]


@case
def between_strangers():
    t = Strangers(2)
    t.add(0, 1, 2, "MPI_Recv peer=0 tag=1 comm=0x77")
    t.add(0, 3, 4, "MPI_Send peer=0 tag=1 comm=0x77")
    t.add(1, 101, 102, "MPI_Send peer=0 tag=1 comm=0x77")
    t.add(1, 103, 104, "MPI_Recv peer=0 tag=1 comm=0x77")
    return t, [(1, 101, 0, 2), (0, 3, 1, 104)], {}


@case
def a_receive_whose_sender_was_killed():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Recv peer=1 tag=1 " + W)
    t.add(0, 3, 4, "MPI_Send peer=1 tag=1 " + W)
    t.add(1, 11, 12, "MPI_Comm_rank " + W)
    return t, [], {"unmatched_receives": 1, "unmatched_sends": 1}


@case
def a_receive_whose_sender_is_not_there():
    t = Trace(3, missing=[1])
    t.add(0, 1, 2, "MPI_Recv peer=1 tag=1 " + W)
    t.add(0, 3, 4, "MPI_Barrier " + W)
    t.add(2, 13, 14, "MPI_Barrier " + W)
    return t, [], {"unmatched_receives": 1, "incomplete_collectives": 1}


@case
def a_cycle():
    t = Trace(2)
    for rank in range(2):
        t.add(rank, 1, 2, "MPI_Recv peer=%d tag=1 %s" % (1 - rank, W))
        t.add(rank, 3, 4, "MPI_Send peer=%d tag=1 %s" % (1 - rank, W))
    return t, [(0, 3, 1, 2)], {"unmatched_receives": 1, "unmatched_sends": 1, "forced": 1}


@case
def a_message_across_a_pause():
    """The first was received while the receiver did not record: the second must not get its place."""
    t = Trace(2)
    t.mark(0, "pause 1")
    t.mark(0, "resume 20")
    t.add(0, 21, 22, "MPI_Recv peer=1 tag=1 " + W)
    t.add(1, 101, 102, "MPI_Send peer=0 tag=1 " + W)
    t.mark(1, "pause 110")
    t.mark(1, "resume 120")
    t.add(1, 121, 122, "MPI_Send peer=0 tag=1 " + W)
    return t, [], {"passed_over": 2, "unmatched_sends": 1}


@case
def a_barrier_across_a_pause():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Barrier " + W)
    for rank in range(2):
        t.mark(rank, "pause 10")
        t.mark(rank, "resume 20")
        t.add(rank, 21, 22, "MPI_Barrier " + W)
        t.add(rank, 23, 24, "MPI_Finalize")
    return t, [], {"passed_over": 2, "incomplete_collectives": 1}


@case
def before_a_pause():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Recv peer=1 tag=1 " + W)
    t.add(1, 101, 102, "MPI_Send peer=0 tag=1 " + W)
    for rank in range(2):
        t.mark(rank, "pause 110")
        t.mark(rank, "resume 120")
        t.add(rank, 121, 122, "MPI_Finalize")
    return t, [(1, 101, 0, 2)], {}


@case
def a_pause_of_another_thread():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Recv peer=1 tag=1 " + W)
    t.mark(0, "pause 5", thread=1)
    t.mark(0, "resume 8", thread=1)
    t.add(0, 11, 12, "MPI_Recv peer=1 tag=1 " + W)
    t.add(0, 13, 14, "MPI_Comm_rank " + W, thread=1)
    for start in (101, 103, 105):
        t.add(1, start, start + 1, "MPI_Send peer=0 tag=1 " + W)
    return t, [(1, 101, 0, 2)], {"passed_over": 1, "unmatched_sends": 2}


@case
def a_number_that_is_completed_behind_a_pause():
    """The receive was over before recording went on: what is completed then is another request."""
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=any tag=-1 request=0 " + W)
    t.mark(0, "pause 5")
    t.mark(0, "resume 8")
    t.add(0, 11, 12, "MPI_Wait done=0 source=1 source_tag=1")
    t.add(1, 101, 102, "MPI_Send peer=0 tag=1 " + W)
    return t, [], {"unmatched_sends": 1}


def selected(rule, receives):
    """Three messages, of which the trace has the first only with the rule's leave."""
    t = Trace(2)
    for rank in range(2):
        t.head(rank, 'property selection "%s"' % rule)
    for at, text in enumerate(receives):
        t.add(0, 10 * at + 1, 10 * at + 2, text + " " + W)
        t.add(1, 10 * at + 101, 10 * at + 102, "MPI_Send peer=0 tag=1 " + W)
    return t


@case
def functions_of_messages_left_out_that_were_called():
    t = selected("--not MPI_Irecv", ["MPI_Recv peer=1 tag=1"])
    for rank in range(2):
        t.head(rank, 'property left_out "MPI_Irecv"')
    return t, [], {"passed_over": 2}


@case
def functions_of_messages_left_out_that_were_not_called():
    return selected("--only p2p", ["MPI_Recv peer=1 tag=1"]), [(1, 101, 0, 2)], {}


@case
def functions_of_messages_left_out_that_may_have_been_called():
    return selected("--not MPI_Ssend", ["MPI_Recv peer=1 tag=1"]), [], {"passed_over": 2}


@case
def no_function_of_messages_left_out():
    t = selected("--only p2p,persistent,partitioned,probe,request", ["MPI_Recv peer=1 tag=1"])
    return t, [(1, 101, 0, 2)], {}


@case
def a_wildcard_whose_completion_is_left_out():
    t = selected("--not MPI_Wait", ["MPI_Recv peer=1 tag=1", "MPI_Irecv peer=any tag=-1 request=0", "MPI_Recv peer=1 tag=1"])
    return t, [(1, 101, 0, 2)], {"passed_over": 1, "unmatched_sends": 2}


MEETINGS = []


def meeting(function):
    MEETINGS.append(function)
    return function


# Each gives a trace of which every process makes one collective call, and for each process the one that it could not
# leave without: the last to come of those it needs, or None.


def all_call(size, text, ends=None):
    """Rank r enters at 100 - r, so that 0 comes last by its clock, and the cause cannot be the last in the trace."""
    t = Trace(size)
    for rank in range(size):
        t.add(rank, 100 - rank, 200 - rank, "%s %s" % (text(rank) if callable(text) else text, W))
    return t


@meeting
def barrier():
    return all_call(3, "MPI_Barrier"), {0: 0, 1: 0, 2: 0}


@meeting
def allreduce():
    return all_call(3, "MPI_Allreduce sent=8 received=8"), {0: 0, 1: 0, 2: 0}


@meeting
def bcast():
    return all_call(3, "MPI_Bcast root=1"), {0: 1, 1: None, 2: 1}


@meeting
def bcast_of_nothing():
    return all_call(3, "MPI_Bcast root=1 received=0"), {0: None, 1: None, 2: None}


@meeting
def scatterv_of_which_one_gets_nothing():
    return all_call(3, lambda r: "MPI_Scatterv root=1 received=%d" % (8 * r)), {0: None, 1: None, 2: 1}


@meeting
def reduce():
    return all_call(3, "MPI_Reduce root=2"), {0: None, 1: None, 2: 0}


@meeting
def scan():
    return all_call(4, "MPI_Scan"), {0: None, 1: 0, 2: 0, 3: 0}


@meeting
def exscan_whose_last_comes_first():
    t = Trace(3)
    for rank, start in enumerate((10, 30, 20)):
        t.add(rank, start, start + 50, "MPI_Exscan " + W)
    return t, {0: None, 1: 0, 2: 1}


@meeting
def alltoallv():
    return all_call(3, "MPI_Alltoallv"), {0: None, 1: None, 2: None}


@meeting
def neighbours_meet_nobody():
    return all_call(2, "MPI_Neighbor_allgather"), {0: None, 1: None}


@meeting
def comm_split():
    return all_call(3, lambda r: "MPI_Comm_split color=%d key=0 newcomm=0x99" % r), {0: 0, 1: 0, 2: 0}


@meeting
def ibarrier():
    t = Trace(2)
    for rank in range(2):
        t.add(rank, 10 + rank, 12 + rank, "MPI_Ibarrier request=0 " + W)
        t.add(rank, 20, 30, "MPI_Wait done=0")
    return t, {0: 1, 1: 1}


@meeting
def prepared_in_order_and_started_in_another():
    t = Trace(2)
    for rank in range(2):
        t.add(rank, 1, 2, "MPI_Barrier_init request=0 persistent=1 " + W)
        t.add(rank, 3, 4, "MPI_Bcast_init root=1 request=1 persistent=1 " + W)
        first = rank
        t.add(rank, 10, 11, "MPI_Start request=%d" % first)
        t.add(rank, 12, 13, "MPI_Start request=%d" % (1 - first))
        t.add(rank, 20, 21, "MPI_Wait done=1")
        t.add(rank, 22, 23, "MPI_Wait done=0")
    # The barrier was started at 10 by rank 0, at 12 by rank 1; the other at 12 and 10.
    return t, [(0, 12, 1), (0, 10, 1), (1, 10, None), (1, 12, 1)]


@meeting
def bcast_between_groups():
    t = Trace(4)
    t.comm(0x77, (0, 1), (2, 3))
    for rank, root in enumerate(("null", "root", "1", "1")):
        t.add(rank, 50 - rank, 90, "MPI_Bcast root=%s comm=0x77" % root)
    return t, {0: None, 1: None, 2: 1, 3: 1}


@meeting
def barrier_between_groups():
    t = Trace(4)
    t.comm(0x77, (0, 1), (2, 3))
    for rank in range(4):
        t.add(rank, 50 - rank, 90, "MPI_Barrier comm=0x77")
    return t, {0: 2, 1: 2, 2: 0, 3: 0}


@meeting
def reduce_between_groups():
    t = Trace(4)
    t.comm(0x77, (0, 1), (2, 3))
    for rank, root in enumerate(("root", "null", "0", "0")):
        t.add(rank, 50 - rank, 90, "MPI_Reduce root=%s comm=0x77" % root)
    return t, {0: 2, 1: None, 2: None, 3: None}


@meeting
def barrier_that_one_never_comes_to():
    t = all_call(3, "MPI_Barrier")
    t.events[0] = {0: ["1 2 MPI_Comm_rank " + W]}
    return t, {1: 1, 2: 1}


@meeting
def bcast_whose_root_never_comes():
    t = all_call(3, "MPI_Bcast root=0")
    t.events[0] = {0: ["1 2 MPI_Comm_rank " + W]}
    return t, {1: None, 2: None}


@meeting
def different_calls_at_once():
    return all_call(2, lambda r: "MPI_Barrier" if r else "MPI_Bcast root=0"), {0: None, 1: None}


@meeting
def init_and_finalize():
    t = Trace(2)
    for rank in range(2):
        t.add(rank, 1 + rank, 2 + rank, "MPI_Init")
        t.add(rank, 5, 6, "MPI_Barrier " + W)
        t.add(rank, 9 + rank, 10 + rank, "MPI_Finalize")
    return t, [(0, 1, None), (0, 5, 0), (0, 9, None), (1, 2, None), (1, 5, 0), (1, 10, None)]


def run_meeting(function):
    trace, causes = function()
    told = replay(sys.argv[1], sys.argv[2], trace.text())
    if isinstance(causes, dict):
        got = {process: cause for process, _, _, cause in told.collectives}
    else:
        got = sorted((process, start, cause) for process, start, _, cause in told.collectives)
        causes = sorted(causes)
    if got == causes and not told.counts["forced"]:
        return True
    print("FAILED: %s\n  expected %s\n  got      %s" % (function.__name__, causes, got))
    return False


def check_order(told):
    at = told.place()
    for sender, sent, receiver, posted, end in told.messages:
        assert ("enter", sender, sent) in at and ("enter", receiver, posted) in at
    entered = set()
    for line in told.lines:
        if line[0] == "enter":
            entered.add((int(line[1]), int(line[2])))
        elif line[0] == "message":
            assert (int(line[1]), int(line[2])) in entered, "a message came before it was sent: %s" % line


def main():
    failures = 0
    for function in CASES + skipped_cases.CASES:
        trace, messages, counts = function()
        told = replay(sys.argv[1], sys.argv[2], trace.text())
        got = sorted((m[0], m[1], m[2], m[4]) for m in told.messages)
        check_order(told)
        wrong = {key: value for key, value in told.counts.items()
                 if key not in ("events", "messages", "collectives") and value != counts.get(key, 0)}
        if got != sorted(messages) or wrong:
            failures += 1
            print("FAILED: %s\n  expected %s\n  got      %s\n  wrong    %s" % (
                function.__name__, sorted(messages), got, wrong))
    failures += sum(not run_meeting(function) for function in MEETINGS + skipped_cases.MEETINGS)
    if failures:
        sys.exit("%d of %d failed" % (failures, len(CASES) + len(MEETINGS) + len(skipped_cases.CASES) + len(skipped_cases.MEETINGS)))


main()

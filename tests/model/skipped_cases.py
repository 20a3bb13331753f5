"""Calls that were not recorded, but counted: cases of replay_cases.py."""

from replayed import Trace, WORLD

W = "comm=0x%x" % WORLD
CASES, MEETINGS = [], []


def case(function):
    """A trace, messages and counts, as in replay_cases.py."""
    CASES.append(function)
    return function


def meeting(function):
    """A trace, and the processes that each process needed in order to leave."""
    MEETINGS.append(function)
    return function


def counted_pause(t, rank, first, last, *skipped):
    t.mark(rank, "pause %d counted" % first)
    t.mark(rank, "resume %d counted" % last)
    for text in skipped:
        t.mark(rank, "skipped %d %s" % (last, text))


def sends(t, *starts):
    """Of rank 1 to rank 0, each a tick long."""
    for start in starts:
        t.add(1, start, start + 1, "MPI_Send peer=0 tag=1 " + W)


def receives(t, *starts):
    for start in starts:
        t.add(0, start, start + 1, "MPI_Recv peer=1 tag=1 " + W)


@case
def messages_under_way_in_a_pause():
    """Sent before the pause of both and received after it, with another one in between."""
    t = Trace(2)
    t.add(1, 1, 2, "MPI_Isend peer=0 tag=1 request=0 " + W)
    counted_pause(t, 1, 5, 8, "1 MPI_Send peer=0 tag=1 " + W, "1 MPI_Wait done=0")
    sends(t, 11)
    t.add(0, 101, 102, "MPI_Irecv peer=1 tag=1 request=0 " + W)
    t.add(0, 103, 104, "MPI_Irecv peer=1 tag=1 request=1 " + W)
    counted_pause(t, 0, 105, 108, "1 MPI_Wait done=1 source=1 source_tag=1")
    receives(t, 111)
    t.add(0, 113, 114, "MPI_Wait done=0 source=1 source_tag=1")
    return t, [(1, 1, 0, 114), (1, 11, 0, 112)], {}


@case
def a_pause_of_the_sender_alone():
    t = Trace(2)
    receives(t, 1, 11, 21, 31)
    sends(t, 101)
    counted_pause(t, 1, 105, 108, "2 MPI_Send peer=0 tag=1 " + W, "7 MPI_Send peer=0 tag=2 " + W)
    sends(t, 111)
    return t, [(1, 101, 0, 2), (1, 111, 0, 32)], {"unrecorded": 2}


@case
def a_pause_of_the_receiver_alone():
    t = Trace(2)
    receives(t, 1)
    counted_pause(t, 0, 5, 8, "2 MPI_Recv peer=1 tag=1 " + W)
    receives(t, 11)
    sends(t, 101, 103, 105, 107)
    return t, [(1, 101, 0, 2), (1, 107, 0, 12)], {"unrecorded": 2}


@case
def half_of_a_channel():
    """Every other receive is of a function that was left out."""
    t = Trace(2)
    for rank in range(2):
        t.head(rank, 'property selection "--not MPI_Irecv"')
        t.head(rank, 'property counted "SKIPPED"')
    receives(t, 1)
    sends(t, 101)
    for at in (21, 41):
        t.mark(0, "skipped %d 1 MPI_Irecv peer=1 tag=1 request=0 %s" % (at, W))
        receives(t, at)
    sends(t, 111, 113, 115, 117)
    return t, [(1, 101, 0, 2), (1, 113, 0, 22), (1, 117, 0, 42)], {"unrecorded": 2}


@case
def a_wildcard_that_was_not_recorded_ends_behind_its_pause():
    t = Trace(2)
    counted_pause(t, 0, 1, 2, "1 MPI_Irecv peer=any tag=-1 request=0 " + W)
    receives(t, 11)
    t.add(0, 13, 14, "MPI_Wait done=0 source=1 source_tag=1")
    sends(t, 101, 103)
    return t, [(1, 103, 0, 12)], {"unrecorded": 1}


@case
def a_wildcard_ends_in_a_pause():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Irecv peer=any tag=-1 request=0 " + W)
    t.add(0, 3, 4, "MPI_Irecv peer=1 tag=1 request=1 " + W)
    counted_pause(t, 0, 5, 8, "1 MPI_Wait done=0 source=1 source_tag=1")
    t.add(0, 13, 14, "MPI_Wait done=1 source=1 source_tag=1")
    sends(t, 101, 103)
    return t, [(1, 103, 0, 14)], {}


@case
def prepared_in_a_pause():
    t = Trace(2)
    counted_pause(t, 0, 1, 2, "1 MPI_Recv_init peer=1 tag=1 request=0 persistent=1 " + W, "3 MPI_Start request=0")
    t.add(0, 11, 12, "MPI_Start request=0")
    t.add(0, 13, 14, "MPI_Wait done=0 source=1 source_tag=1")
    sends(t, 101, 103, 105, 107)
    return t, [(1, 107, 0, 14)], {"unrecorded": 3}


@case
def a_prepared_wildcard_in_a_pause():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Recv_init peer=any tag=-1 request=0 persistent=1 " + W)
    counted_pause(t, 0, 5, 8, "2 MPI_Wait done=0 source=1 source_tag=1", "1 MPI_Start request=0")
    t.add(0, 11, 12, "MPI_Wait done=0 source=1 source_tag=1")
    receives(t, 13)
    sends(t, 101, 103, 105, 107)
    return t, [(1, 107, 0, 14)], {"unrecorded": 3}


@case
def a_found_message_is_received_in_a_pause():
    t = Trace(2)
    t.add(0, 1, 2, "MPI_Mprobe peer=1 tag=1 message=0 " + W)
    counted_pause(t, 0, 5, 8, "1 MPI_Mrecv message=0", "1 MPI_Mprobe peer=1 tag=1 message=0 " + W)
    t.add(0, 11, 12, "MPI_Mrecv message=0 source=1 source_tag=1")
    receives(t, 13)
    sends(t, 101, 103, 105)
    return t, [(1, 105, 0, 14)], {"unrecorded": 3}


def pauses_around(size, text, who):
    """Three times the same collective call; some of the processes do not record the second."""
    t = Trace(size)
    for rank in range(size):
        t.add(rank, 10 - rank, 20 - rank, text + " " + W)
        if rank in who:
            counted_pause(t, rank, 30, 40, "1 MPI_Barrier " + W)
        else:
            t.add(rank, 35 - rank, 38, text + " " + W)
        t.add(rank, 50 - rank, 60 - rank, text + " " + W)
    return t


@meeting
def a_member_pauses():
    t = pauses_around(3, "MPI_Barrier", [0])
    return t, [(0, 10, 0), (1, 9, 0), (2, 8, 0), (1, 34, 1), (2, 33, 1), (0, 50, 0), (1, 49, 0), (2, 48, 0)]


@meeting
def the_root_pauses():
    t = pauses_around(2, "MPI_Bcast root=0", [0])
    return t, [(0, 10, None), (1, 9, 0), (1, 34, None), (0, 50, None), (1, 49, 0)]


@meeting
def a_lower_rank_pauses():
    t = pauses_around(3, "MPI_Scan", [1])
    return t, [(0, 10, None), (1, 9, 0), (2, 8, 0), (0, 35, None), (2, 33, 0), (0, 50, None), (1, 49, 0), (2, 48, 0)]


@meeting
def more_is_skipped_than_there_is_memory_for():
    t = Trace(2)
    for rank in range(2):
        counted_pause(t, rank, 1, 2, "%d MPI_Barrier %s" % (2**60, W), "%d MPI_Send peer=%d tag=1 %s" % (2**60, 1 - rank, W),
                      "%d MPI_Recv peer=%d tag=1 %s" % (2**60, 1 - rank, W))
        t.add(rank, 10 + rank, 20, "MPI_Barrier " + W)
    return t, {0: 1, 1: 1}

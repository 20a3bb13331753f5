"""Processes that ended in a call: their waits, and whether it is a deadlock. Each deadlock has a twin that looks almost the same
and was only killed.

Usage: open_cases.py TARRY
"""

import json
import os
import subprocess
import sys
import tempfile

CASES = []
SECOND = 10**9


def case(*ranks, deadlock=None, waits=None, stuck=None, says=()):
    """Lines of each rank, from the end of MPI_Init on. `waits`: for which ranks each rank in a call waits; `stuck`: ranks that never continue."""

    def keep(function):
        CASES.append((function.__name__, ranks, deadlock, waits or {}, stuck or [], says))
        return function
    return keep


def text_of(ranks):
    lines = []
    for rank, events in enumerate(ranks):
        lines += ["process", 'property ended "%d"' % (9 * SECOND) if not rank else "",
                  "clock realtime 1000000000 tick=0 ns=0 tick=%d ns=%d" % (SECOND, SECOND),
                  'source 1 "x.c" "main"',
                  'comm 0x1 rank=%d size=%d %s "MPI_COMM_WORLD"' % (rank, len(ranks), "members=1:0-%d" % (len(ranks) - 1) if not rank else ""),
                  "thread 0", "0 1000 MPI_Init"]
        lines += events.strip().split("\n")
    return "\n".join(lines) + "\n"


def send(peer, name="MPI_Ssend", tag=5, line=8):
    return "open %d %s site=1+0x%x comm=0x1 peer=%s tag=%d sent=8" % (SECOND, name, line, peer, tag)


def recv(peer, tag=5, line=9, name="MPI_Recv"):
    return "open %d %s site=1+0x%x comm=0x1 peer=%s tag=%s room=8" % (SECOND, name, line, peer, tag)


def meet(name, line=10, more=""):
    return "open %d %s site=1+0x%x comm=0x1 %s" % (SECOND, name, line, more)


def wait(*requests, name="MPI_Waitall", line=12):
    return "open %d %s site=1+0x%x count=%d %s" % (SECOND, name, line, len(requests), " ".join("request=%d" % r for r in requests))


def irecv(peer, request, tag=5, at=2000):
    return "%d %d MPI_Irecv comm=0x1 peer=%s tag=%d room=8 request=%d\n" % (at, at + 1, peer, tag, request)


def isend(peer, request, tag=5, at=3000):
    return "%d %d MPI_Isend comm=0x1 peer=%s tag=%d sent=8 request=%d\n" % (at, at + 1, peer, tag, request)


FINISHED = "5000 6000 MPI_Finalize"


@case(send(1), send(0), deadlock=[0, 1], waits={0: [1], 1: [0]}, stuck=[0, 1],
      says=["rank 0 has been in MPI_Ssend to rank 1 at x.c:8 for 8.00 s, rank 1 likewise", "deadlock: ranks 0 -> 1 -> 0 wait for each other"])
def two_sends():
    pass


@case(send(1), send(2), send(0, "MPI_Send"), recv(0), deadlock=[0, 1, 2], waits={0: [1], 1: [2], 2: [0], 3: [0]}, stuck=[0, 1, 2, 3],
      says=["rank 3 has been in MPI_Recv from rank 0 at x.c:9 for 8.00 s"])
def a_ring_and_one_behind_it():
    pass


@case(recv(1), recv(0), deadlock=[0, 1], waits={0: [1], 1: [0]}, stuck=[0, 1])
def two_receives():
    pass


@case(recv(1), send(0), waits={0: [], 1: []})
def a_message_on_its_way():
    pass


@case(recv(1, tag=6), send(0), deadlock=[0, 1], waits={0: [1], 1: [0]}, stuck=[0, 1])
def of_another_tag():
    pass


@case(recv(1), "2000 3000 MPI_Send comm=0x1 peer=0 tag=5 sent=8\n" + recv(0), waits={0: [], 1: [0]})
def the_message_was_sent():
    pass


@case(recv(1, tag=-1), "2000 3000 MPI_Send comm=0x1 peer=0 tag=5 sent=8\n" + recv(0), waits={0: [], 1: [0]})
def the_message_was_sent_with_any_tag():
    pass


OTHER_COMM = 'comm 0x2 rank=%d size=2 %s ""\n'


@case(OTHER_COMM % (0, "members=1:0-1") + recv(1, tag=-1),
      OTHER_COMM % (1, "") + "2000 3000 MPI_Send comm=0x2 peer=0 tag=5 sent=8\n" + recv(0), deadlock=[0, 1], waits={0: [1], 1: [0]}, stuck=[0, 1])
def the_message_was_sent_on_another_communicator():
    pass


@case("4000 5000 MPI_Recv comm=0x1 peer=1 tag=5 received=8\n" + recv(1), "2000 3000 MPI_Send comm=0x1 peer=0 tag=5 sent=8\n" + recv(0),
      deadlock=[0, 1], waits={0: [1], 1: [0]}, stuck=[0, 1])
def the_message_was_received_before():
    pass


@case(recv("any"), recv(0), waits={0: [], 1: [0]}, says=["rank 0 has been in MPI_Recv from any rank at x.c:9 for 8.00 s"])
def from_anybody():
    pass


@case(recv(1), "2000 3000 MPI_Barrier site=1+0x7 comm=0x1", waits={0: [1]},
      says=["rank 0 has been in MPI_Recv from rank 1 at x.c:9 for 8.00 s", "rank 1 has made no call after MPI_Barrier at x.c:7 for 9.00 s"])
def the_partner_computes():
    pass


@case(recv(1), FINISHED, waits={0: [1]}, stuck=[0], says=["rank 0 can never continue: it waits for rank 1"])
def the_partner_has_finished():
    pass


@case(recv(1), "5000 5000 MPI_Abort site=1+0x7 comm=0x1", waits={0: [1]}, says=["rank 1 called MPI_Abort at x.c:7\n"])
def the_partner_gave_up():
    pass


@case(recv(1), meet("MPI_Finalize"), waits={0: [1], 1: []}, stuck=[0])
def the_partner_is_in_finalize():
    pass


SENDRECV = "open %d MPI_Sendrecv site=1+0x8 comm=0x1 peer=%d tag=5 recv_peer=%d recv_tag=5 sent=8 room=8"


@case(SENDRECV % (SECOND, 1, 1), SENDRECV % (SECOND, 0, 0), waits={0: [], 1: []})
def an_exchange():
    pass


@case(SENDRECV % (SECOND, 1, 2), SENDRECV % (SECOND, 2, 2), SENDRECV % (SECOND, 1, 1), waits={0: [1, 2], 1: [], 2: []})
def an_exchange_of_others():
    pass


RECEIVED = "2000 3000 MPI_Recv comm=0x1 peer=0 tag=5 received=8\n"
RECEIVED_BY_REQUEST = irecv(0, 0) + "2500 2600 MPI_Wait done=0 source=0 source_tag=5 received=8\n"


@case(send(1), RECEIVED + meet("MPI_Barrier"), waits={0: [], 1: [0]})
def the_message_of_an_open_call_was_received():
    """The job was killed before the call returned."""


@case(send(1), RECEIVED_BY_REQUEST + meet("MPI_Barrier"), waits={0: [], 1: [0]})
def the_message_of_an_open_call_was_received_by_a_request():
    pass


@case(SENDRECV % (SECOND, 1, 1), "2000 3000 MPI_Sendrecv comm=0x1 peer=0 tag=5 recv_peer=0 recv_tag=5 sent=8 received=8\n" + meet("MPI_Barrier"), waits={0: [], 1: [0]})
def the_exchange_is_over_for_one_side():
    pass


@case(isend(1, 0) + wait(0), RECEIVED.replace("2000 3000", "4000 5000") + meet("MPI_Barrier"), waits={0: [], 1: [0]})
def the_message_of_a_request_was_received():
    pass


@case(isend(1, 0) + isend(1, 1, at=3100) + wait(0, 1), RECEIVED.replace("2000 3000", "4000 5000") + meet("MPI_Barrier"), deadlock=[0, 1],
      waits={0: [1], 1: [0]}, stuck=[0, 1])
def one_of_two_messages_was_received():
    pass


@case(send(1), RECEIVED.replace("tag=5", "tag=6") + meet("MPI_Barrier"), deadlock=[0, 1], waits={0: [1], 1: [0]}, stuck=[0, 1])
def a_message_of_another_tag_was_received():
    pass


@case("2000 2001 MPI_Ssend_init comm=0x1 peer=1 tag=5 sent=8 request=0\n2002 2003 MPI_Start request=0\n" + wait(0), meet("MPI_Barrier"), deadlock=[0, 1],
      waits={0: [1], 1: [0]}, stuck=[0, 1])
def a_persistent_send():
    pass


@case(irecv(1, 0) + wait(0), irecv(0, 0) + wait(0), deadlock=[0, 1], waits={0: [1], 1: [0]}, stuck=[0, 1],
      says=["rank 0 has been waiting for rank 1 in MPI_Waitall at x.c:12 for 8.00 s, rank 1 likewise"])
def waits_for_requests():
    pass


@case(irecv(1, 0) + isend(1, 1) + wait(0, 1), irecv(0, 0) + isend(0, 1) + wait(0, 1), waits={0: [], 1: []})
def requests_that_fit():
    pass


@case(irecv(1, 0) + "2500 2600 MPI_Wait done=0 source=1 source_tag=5 received=8\n" + irecv(1, 0, at=2700) + wait(0),
      "2000 2100 MPI_Send comm=0x1 peer=0 tag=5 sent=8\n" + recv(0), deadlock=[0, 1], waits={0: [1], 1: [0]}, stuck=[0, 1])
def a_request_of_the_same_number():
    pass


@case(irecv(1, 0) + irecv(2, 1) + wait(0, 1, name="MPI_Waitany"), recv(0), recv(0), deadlock=[0, 1], waits={0: [1, 2], 1: [0], 2: [0]},
      stuck=[0, 1, 2])
def any_of_two_that_wait_too():
    pass


@case(irecv(1, 0) + irecv(2, 1) + wait(0, 1, name="MPI_Waitany"), recv(0), "2000 3000 MPI_Comm_rank", waits={0: [1, 2], 1: [0]})
def any_of_two_of_which_one_computes():
    pass


@case(irecv(1, 0) + irecv(2, 1) + wait(0, 1), recv(0), "2000 3000 MPI_Comm_rank", waits={0: [1, 2], 1: [0]}, deadlock=[0, 1], stuck=[0, 1])
def all_of_two_of_which_one_computes():
    pass


@case(meet("MPI_Barrier"), meet("MPI_Barrier"), recv(0), deadlock=[0, 2], waits={0: [2], 1: [2], 2: [0]}, stuck=[0, 1, 2],
      says=["ranks 0,1 have been waiting for rank 2 in MPI_Barrier at x.c:10 for 8.00 s"])
def a_barrier_and_a_receive():
    pass


@case(meet("MPI_Barrier"), meet("MPI_Barrier"), "2000 3000 MPI_Comm_rank", waits={0: [2], 1: [2]})
def a_barrier_with_one_late():
    pass


@case(meet("MPI_Barrier"), meet("MPI_Barrier"), meet("MPI_Barrier", line=11), waits={0: [], 1: [], 2: []})
def a_barrier_of_all():
    pass


@case(meet("MPI_Barrier"), meet("MPI_Barrier"), meet("MPI_Bcast", 20, "root=0"), waits={0: [2], 1: [2], 2: [0, 1]}, stuck=[0, 1, 2],
      says=["mismatched collective calls: ranks 0,1 are in MPI_Barrier at x.c:10, rank 2 is in MPI_Bcast at x.c:20 on the same communicator"])
def collective_calls_that_do_not_fit():
    pass


@case(meet("MPI_Bcast", 20, "root=0"), meet("MPI_Bcast", 21, "root=1"), waits={0: [1], 1: [0]}, stuck=[0, 1],
      says=["mismatched collective calls: "])
def different_roots():
    pass


INTERCOMM = 'comm 0x7 kind=inter rank=%d size=%d remote=%d %s ""\n'


@case(meet("MPI_Intercomm_create"), meet("MPI_Intercomm_create"), recv(0), waits={0: [2], 1: [2], 2: [0]})
def an_intercommunicator_and_a_receive():
    """MPI lets a process leave before all have arrived."""


@case(meet("MPI_Comm_dup"), meet("MPI_Comm_dup"), recv(0), deadlock=[0, 2], waits={0: [2], 1: [2], 2: [0]}, stuck=[0, 1, 2])
def a_communicator_and_a_receive():
    pass


@case(INTERCOMM % (0, 1, 2, "members=1:0 others=1:1-2") + meet("MPI_Intercomm_merge").replace("0x1", "0x7"),
      INTERCOMM % (0, 2, 1, "members=1:1-2 others=1:0") + meet("MPI_Intercomm_merge").replace("0x1", "0x7"),
      INTERCOMM % (1, 2, 1, "") + recv(0), waits={0: [2], 1: [2], 2: [0]})
def groups_that_merge_and_a_receive():
    pass


@case("3000 3001 MPI_Ibarrier comm=0x1 request=0\n" + recv(1), "open %d MPI_Ibarrier site=1+0x8 comm=0x1" % SECOND, waits={0: [1], 1: []})
def what_does_not_block_waits_for_nobody():
    pass


WINDOW = 'object win 0xa comm=0x1 size=8 unit=1 ""\n'


@case(WINDOW + meet("MPI_Win_fence").replace("comm=0x1", "win=0xa"), WINDOW + recv(0), waits={0: [1], 1: [0]},
      says=["rank 0 has been waiting for rank 1 in MPI_Win_fence at x.c:10 for 8.00 s"])
def a_fence_mostly_waits():
    """But MPI does not say so."""


LOCK = "win=0xa target=2 lock=2"


@case(WINDOW + "2000 3000 MPI_Win_lock %s\n" % LOCK + recv(1), WINDOW + "open %d MPI_Win_lock site=1+0x8 %s" % (SECOND, LOCK), WINDOW + "2000 3000 MPI_Comm_rank",
      waits={0: [1], 1: [0]})
def a_lock_waits_for_who_holds_it():
    """Some libraries take a lock later."""


@case(WINDOW + "2000 3000 MPI_Win_lock %s\n" % LOCK + recv(1), WINDOW + "open %d MPI_Win_lock_all site=1+0x8 win=0xa" % SECOND, WINDOW + "2000 3000 MPI_Comm_rank",
      waits={0: [1], 1: [0]})
def a_lock_of_all_waits_for_an_exclusive_lock():
    pass


@case(WINDOW + "2000 3000 MPI_Win_lock %s\n" % LOCK.replace("lock=2", "lock=1") + recv(1), WINDOW + "open %d MPI_Win_lock_all site=1+0x8 win=0xa" % SECOND,
      WINDOW + "2000 3000 MPI_Comm_rank", waits={0: [1], 1: []})
def a_lock_of_all_does_not_wait_for_a_shared_lock():
    pass


@case(WINDOW + "2000 3000 MPI_Win_lock_all win=0xa\n" + recv(1), WINDOW + "open %d MPI_Win_lock site=1+0x8 %s" % (SECOND, LOCK), WINDOW + "2000 3000 MPI_Comm_rank",
      waits={0: [1], 1: [0]})
def an_exclusive_lock_waits_for_a_lock_of_all():
    pass


@case("2000 3000 MPI_Bcast comm=0x1 root=0 sent=8\n" + recv(1), meet("MPI_Bcast", 20, "root=0"), waits={0: [1], 1: []})
def the_root_has_gone_on():
    pass


@case("open %d MPI_Test site=1+0x8 request=0" % (2 * SECOND), recv(0), waits={0: [], 1: [0]}, says=["rank 0 was polling with MPI_Test at x.c:8 for 9.00 s"])
def polls():
    pass


@case(recv(1) + "\nthread 1\n2000 3000 MPI_Comm_rank", recv(0), waits={0: [1], 1: [0]})
def another_thread_may_send():
    pass


@case("2000 3000 MPI_Comm_rank", "2000 3000 MPI_Comm_rank")
def nobody_in_a_call():
    pass


def check(tarry, name, ranks, deadlock, waits, stuck, says):
    subprocess.run([tarry, "assemble", "-o", "open.tarry", "-"], input=text_of(ranks).encode(), check=True)
    found = json.loads(subprocess.run([tarry, "info", "--json", "open.tarry"], capture_output=True, check=True).stdout)
    shown = subprocess.run([tarry, "info", "open.tarry"], capture_output=True, check=True).stdout.decode()
    assert found["deadlock"] == deadlock, (name, found["deadlock"])
    assert {call["rank"]: call["waits_for"] for call in found["open_calls"]} == waits, (name, found["open_calls"])
    assert [call["rank"] for call in found["open_calls"] if call["stuck"]] == stuck, (name, found["open_calls"])
    assert ("deadlock" in shown) == bool(deadlock), (name, shown)
    for words in says:
        assert words in shown, (name, words, shown)
    os.unlink("open.tarry")


def check_length(tarry):
    """Any number of them takes a few lines; JSON has all of them."""
    ranks = [recv((rank + 1) % 100, line=rank + 1) for rank in range(100)]
    subprocess.run([tarry, "assemble", "-o", "many.tarry", "-"], input=text_of(ranks).encode(), check=True)
    shown = subprocess.run([tarry, "info", "many.tarry"], capture_output=True, check=True).stdout.decode()
    lines = shown[shown.index("rank 0 has been"):].strip().split("\n")
    assert len(lines) == 6, lines
    assert lines[4].startswith("ranks 4-99 are elsewhere"), lines
    assert "0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> ... -> 0" in lines[5], lines
    found = json.loads(subprocess.run([tarry, "info", "--json", "many.tarry"], capture_output=True, check=True).stdout)
    assert len(found["open_calls"]) == 100 and len(found["deadlock"]) == 100


def check_no_end(tarry):
    """Nobody saw the end, and no clock tells the date."""
    text = "\n".join(line for line in text_of([send(1), send(0)]).split("\n") if not line.startswith(("property ended", "clock")))
    subprocess.run([tarry, "assemble", "-o", "undated.tarry", "-"], input=text.encode(), check=True)
    shown = subprocess.run([tarry, "info", "undated.tarry"], capture_output=True, check=True).stdout.decode()
    assert "rank 0 has been in MPI_Ssend to rank 1 at x.c:8, rank 1 likewise\n" in shown, shown


def check_report(tarry):
    subprocess.run([tarry, "assemble", "-o", "ring.tarry", "-"], input=text_of([send(1), send(0)]).encode(), check=True)
    shown = subprocess.run([tarry, "report", "ring.tarry"], capture_output=True).stdout.decode()
    assert "rank 0 has been in MPI_Ssend to rank 1 at x.c:8 for 8.00 s, rank 1 likewise\ndeadlock: ranks 0 -> 1 -> 0" in shown, shown
    assert "ended without MPI_Finalize; the first was rank 0, in MPI_Ssend at x.c:8" in " ".join(shown.split()), shown
    shown = subprocess.run([tarry, "report", "--lang", "ru", "ring.tarry"], capture_output=True).stdout.decode()
    assert "взаимная блокировка: ранги 0 -> 1 -> 0" in shown, shown
    found = json.loads(subprocess.run([tarry, "report", "--json", "-", "ring.tarry"], capture_output=True).stdout)
    assert found["deadlock"] == [0, 1] and found["open_calls"][0]["call"] == "MPI_Ssend", found


def check_other_ranks(tarry):
    """Ranks 0 and 1 of a communicator that are 1 and 2 in the world."""
    text = text_of([FINISHED, recv(1).replace("0x1 ", "0x2 "), recv(0).replace("0x1 ", "0x2 ")])
    for rank in (0, 1):
        world = 'comm 0x1 rank=%d size=3  "MPI_COMM_WORLD"\n' % (rank + 1)
        assert world in text, text
        text = text.replace(world, world + 'comm 0x2 rank=%d size=2 %s ""\n' % (rank, "" if rank else "members=1:1-2"))
    subprocess.run([tarry, "assemble", "-o", "part.tarry", "-"], input=text.encode(), check=True)
    shown = subprocess.run([tarry, "info", "part.tarry"], capture_output=True, check=True).stdout.decode()
    assert "rank 1 has been in MPI_Recv from rank 2 at x.c:9 for 8.00 s, rank 2 likewise\ndeadlock: ranks 1 -> 2 -> 1" in shown, shown


def check_init(tarry):
    """A process in MPI_Init waits for those that have not reached it. A rank and a clock may be unknown."""
    lines = ("open 1000 MPI_Init", "500 600 MPI_Initialized flag=0", "open 1000 MPI_Init_thread", "500 600 MPI_Init\nopen 1000 MPI_Barrier")
    text = "".join("process rank=%d\nthread 0\n%s\n" % one for one in enumerate(lines))
    text += 'process world=2 rank=unknown\nproperty ended "%d"\nthread 0\nopen 1000 MPI_Init\n' % (2 * 10**18)
    subprocess.run([tarry, "assemble", "-o", "init.tarry", "-"], input=text.encode(), check=True)
    shown = subprocess.run([tarry, "info", "init.tarry"], capture_output=True, check=True).stdout.decode()
    assert "rank 0 has been waiting for rank 1 in MPI_Init\n" in shown and "a process without a rank has been in MPI_Init\n" in shown, shown
    found = json.loads(subprocess.run([tarry, "info", "--json", "init.tarry"], capture_output=True, check=True).stdout)
    waits = [(call["rank"], call["waits_for"]) for call in found["open_calls"]]
    assert waits == [(0, [1]), (2, [1]), (3, []), (None, [])] and "seconds" not in found["open_calls"][0], found["open_calls"]


def check_first(tarry):
    """A waiting process ended after the others, although its last call did not."""
    late = "2000 3000 MPI_Comm_rank\n%d %d MPI_%%s site=1+0x7 comm=0x1" % (2 * SECOND, 2 * SECOND)
    for name, words in (("Abort", "in MPI_Abort at x.c:7"), ("Barrier", "after MPI_Barrier at x.c:7")):
        subprocess.run([tarry, "assemble", "-o", "first.tarry", "-"], input=text_of([recv(1), late % name]).encode(), check=True)
        shown = subprocess.run([tarry, "report", "first.tarry"], capture_output=True).stdout.decode()
        assert "the first was rank 1, " + words in " ".join(shown.split()), shown
        os.unlink("first.tarry")


def main(tarry):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for one in CASES:
            check(tarry, *one)
        check_length(tarry)
        check_no_end(tarry)
        check_report(tarry)
        check_other_ranks(tarry)
        check_first(tarry)
        check_init(tarry)


if __name__ == "__main__":
    main(sys.argv[1])

#!/usr/bin/env python3
"""Archives of Score-P and EZTrace become traces with known contents. Usage: otf2_import.py TARRY"""

import collections
import os
import sys
import tempfile

from common import HERE, check, dump, events_of, finish, replay_fault, run
from expectation import dumped
from unpack import unpack


def imported(tarry, name, folder):
    """(dump, what the import said)"""
    anchor = unpack(os.path.join(HERE, "archives", name + ".txt"), os.path.join(folder, name))
    trace = os.path.join(folder, name + ".tarry")
    code, _, errors = run(tarry, "import", "-o", trace, anchor)
    check(code == 0, "cannot import %s: %s" % (name, errors))
    check(not replay_fault(tarry, trace), "%s: %s" % (name, replay_fault(tarry, trace)))
    return dump(tarry, trace), errors.removesuffix("tarry: trace: %s\n" % trace)


def by_function(text):
    result = collections.defaultdict(list)
    for process in dumped.read_dump(text.decode()):
        for event in process.events():
            result[event.function].append((process.rank, event))
    return result


def check_scorep(tarry, folder):
    """Three receivers wait for late senders, 30.0205730 s in all; four meet in a barrier, 21.4092665 s."""
    text, said = imported(tarry, "scorep", folder)
    check(not said, "an archive of Score-P has nothing strange: %s" % said)
    functions = by_function(text)
    counts = {name: len(events) for name, events in functions.items()}
    check(counts == {"MPI_Init": 4, "MPI_Comm_size": 4, "MPI_Comm_rank": 4, "MPI_Send": 3, "MPI_Recv": 3,
                     "MPI_Barrier": 4, "MPI_Finalize": 4, "tarry_region_begin": 22, "tarry_region_end": 22},
          "calls are %s" % counts)
    sends = {(rank, int(event.first("peer"))): event for rank, event in functions["MPI_Send"]}
    waits = []
    for rank, receive in functions["MPI_Recv"]:
        send = sends[int(receive.first("source")), rank]
        check(receive.first("received") == send.first("sent") == "4", "a message of other bytes: %s" % receive.text)
        check(receive.first("source_tag") == send.first("tag") == "0", "a message of another tag: %s" % receive.text)
        waits.append(send.start - receive.start)
    check(all(wait > 0 for wait in waits), "not all senders are late: %s" % waits)
    check(sum(waits) == 30020572978, "late senders cost %d ns" % sum(waits))
    starts = [event.start for _, event in functions["MPI_Barrier"]]
    waited = sum(max(starts) - start for start in starts)
    check(waited == 21409266547, "the barrier costs %d ns" % waited)
    place = run(tarry, "dump", os.path.join(folder, "scorep.tarry"))[1].decode()
    check('region="late_sender"  # gen_mpi.c:52' in place, "the lines of regions are lost")


def check_eztrace(tarry, folder):
    """Requests that are reused and never complete, groups that share a number, regions that
    overlap."""
    text, said = imported(tarry, "eztrace", folder)
    check(said == "tarry: 18 requests have no completion record\n"
                  "tarry: 6 records of thread teams and tasks were ignored\n"
          or said == "tarry: 18 requests have no completion record\n", "the import said: %s" % said)
    functions = by_function(text)
    counts = {name: len(events) for name, events in functions.items() if name.startswith("MPI_")}
    check(counts == {"MPI_Send": 1, "MPI_Recv": 1, "MPI_Irecv": 9, "MPI_Isend": 9, "MPI_Waitall": 3, "MPI_Wait": 15,
                     "MPI_Comm_dup": 3, "MPI_Barrier": 3, "MPI_Comm_split": 3, "MPI_Allreduce": 3, "MPI_Bcast": 3,
                     "MPI_Reduce": 3, "MPI_Ibarrier": 3, "MPI_Comm_free": 6}, "calls are %s" % counts)
    check(sum(int(event.first("sent")) for _, event in functions["MPI_Isend"]) == 9 * 12, "bytes of MPI_Isend differ")
    numbers = {event.first("request") for _, event in functions["MPI_Isend"] + functions["MPI_Irecv"]}
    check(numbers == {"0", "1"}, "requests have the numbers %s" % numbers)
    world = dumped.read_dump(text.decode())[0].comms["0x1"]
    check(world["size"] == "3" and world["members"].endswith(":0-2"), "MPI_COMM_WORLD is %s" % world)
    _, receive = functions["MPI_Recv"][0]
    check((receive.first("source"), receive.first("source_tag")) == ("0", "7"), "the receive is %s" % receive.text)
    begun = collections.Counter(event.fields[0] for name in ("begin", "end") for event in events_of(text)
                                if event.name == "tarry_region_" + name)
    check(set(begun.values()) == {6}, "regions are not in pairs: %s" % begun)


def check_wrong(tarry, folder):
    empty = os.path.join(folder, "empty")
    os.mkdir(empty)
    for path, sentence in ((empty, "holds no OTF2 archive"), (os.path.join(folder, "missing.otf2"), "cannot open"),
                           (__file__, "is not an OTF2 archive")):
        code, _, errors = run(tarry, "import", "-o", os.path.join(folder, "wrong.tarry"), path)
        check(code == 1 and sentence in errors and errors.count("\n") == 1, "'%s' said: %s" % (path, errors))
    check(not os.path.exists(os.path.join(folder, "wrong.tarry")), "a trace is made of nothing")


def check_directly(tarry, folder):
    """An archive can be viewed without making a trace of it."""
    anchor = unpack(os.path.join(HERE, "archives", "scorep.txt"), os.path.join(folder, "direct"))
    code, text, errors = run(tarry, "info", anchor)
    check(code == 0 and not errors and text.decode().startswith(anchor + ": 4 processes, 26 calls"),
          "info says: %s%s" % (text.decode(), errors))
    check(b"the same for all processes" in text and b"not compared" not in text, "an archive has one clock: %s" % text.decode())
    made = run(tarry, "dump", os.path.join(folder, "scorep.tarry"))[1]
    check(run(tarry, "dump", anchor)[1] == made, "a dump of the archive is not that of its trace")


def main(tarry):
    with tempfile.TemporaryDirectory() as folder:
        check_scorep(tarry, folder)
        check_eztrace(tarry, folder)
        check_wrong(tarry, folder)
        check_directly(tarry, folder)
    finish()


if __name__ == "__main__":
    main(sys.argv[1])

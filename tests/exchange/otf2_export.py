#!/usr/bin/env python3
"""Archives have the contents of the traces, according to otf2-print, and become the same traces again. Usage: otf2_export.py TARRY"""

import collections
import os
import sys
import tempfile

from common import assemble, check, dump, finish, run, traces
from expectation import expectations
from harness import same
from otf2_print import read_definitions, read_events, run_otf2_print

# Records for calls of the trace: their part of the expectation, and the field with the bytes.
COUNTED = {
    "MPI_SEND": ("send", {"bytes": "Length"}), "MPI_ISEND": ("send", {"bytes": "Length"}),
    "MPI_RECV": ("receive", {"bytes": "Length"}), "MPI_IRECV": ("receive", {"bytes": "Length"}),
    "MPI_COLLECTIVE_END": ("collective", {"sent": "Sent", "received": "Received"}),
    "NON_BLOCKING_COLLECTIVE_COMPLETE": ("collective", {"sent": "Sent", "received": "Received"}),
    "RMA_PUT": ("put", {"bytes": "Bytes"}), "RMA_GET": ("get", {"bytes": "Bytes"}),
}
# Of MPI_Comm_idup.
HANDLES = ("CREATE_HANDLE", "DESTROY_HANDLE")
# Score-P 6 to 9 write definitions in this order, and Scalasca reads them in no other.
ORDER = ("PARADIGM", "SYSTEM_TREE_NODE", "LOCATION_GROUP", "LOCATION", "REGION", "GROUP", "COMM", "RMA_WIN",
         "SOURCE_CODE_LOCATION", "IO_REGULAR_FILE")
# What Score-P says of functions, of each kind one.
ROLES = {"MPI_Send": "POINT2POINT", "MPI_Irecv": "POINT2POINT", "MPI_Send_init": "POINT2POINT", "MPI_Waitall": "FUNCTION",
         "MPI_Start": "FUNCTION", "MPI_Barrier": "BARRIER", "MPI_Bcast": "COLL_ONE2ALL", "MPI_Reduce": "COLL_ALL2ONE",
         "MPI_Allreduce": "COLL_ALL2ALL", "MPI_Scan": "COLL_OTHER", "MPI_Neighbor_alltoall": "COLL_ALL2ALL", "MPI_Put": "RMA",
         "MPI_Accumulate": "ATOMIC", "MPI_Win_fence": "FUNCTION", "MPI_Win_allocate": "ALLOCATE", "MPI_File_open": "FILE_IO_METADATA",
         "MPI_File_set_view": "FUNCTION", "MPI_File_write": "FILE_IO", "MPI_Comm_split": "FUNCTION"}


def count_records(records):
    """Totals of each process, as the expectation has them; a location's lower half is its process."""
    totals = collections.defaultdict(collections.Counter)
    for record in records:
        kind, keys = COUNTED.get(record.kind, (None, {}))
        if not kind or record.values.get("Operation") in HANDLES:
            continue
        process = totals[record.location & 0xffffffff]
        process[kind] += 1
        for key, name in keys.items():
            process[kind + " " + key] += record.number(name)
    return totals


def check_order(name, records):
    """Times never decrease, and regions nest."""
    times, stacks = {}, collections.defaultdict(list)
    for record in records:
        check(times.get(record.location, 0) <= record.time, "%s: time goes back at %s" % (name, record))
        times[record.location] = record.time
        if record.kind == "ENTER":
            stacks[record.location].append(record.text)
        elif record.kind == "LEAVE":
            entered = stacks[record.location].pop() if stacks[record.location] else None
            check(entered == record.text, "%s: left before %s: %s" % (name, entered, record))
    check(not any(stacks.values()), "%s: regions were not left: %s" % (name, dict(stacks)))


def check_program(name, records):
    """Everything of a location is inside the region of the program, otherwise tools ignore the time between calls."""
    by_location = collections.defaultdict(list)
    for record in records:
        by_location[record.location].append(record)
    for location, own in by_location.items():
        region, depth = own[0].values.get("Region"), 0
        check(own[0].kind == "ENTER" and own[-1].kind == "LEAVE" and own[-1].values.get("Region") == region,
              "%s: location %d begins with %s and ends with %s" % (name, location, own[0], own[-1]))
        for record in own[:-1]:
            depth += (record.kind == "ENTER") - (record.kind == "LEAVE")
            check(depth > 0, "%s: location %d is outside of the program behind %s" % (name, location, record))


def check_places(name, records):
    """Scalasca charges an MPI record to the enclosing call, which must be an MPI call. Each collective begins and ends in one
    call."""
    stacks, begun = collections.defaultdict(list), {}
    for record in records:
        stack = stacks[record.location]
        if record.kind == "ENTER":
            stack.append(record)
        elif record.kind == "LEAVE":
            stack.pop()
        elif record.kind.startswith(("MPI_", "NON_BLOCKING_")):
            around = stack[-1].values.get("Region", "") if stack else "no region"
            check(around.startswith("MPI_"), "%s: %s is in %s" % (name, record, around))
        if record.kind == "MPI_COLLECTIVE_BEGIN":
            begun[record.location] = stack[-1]
        elif record.kind == "MPI_COLLECTIVE_END":
            check(begun.pop(record.location, None) is stack[-1], "%s: %s did not begin in this call" % (name, record))
    check(not begun, "%s: collectives do not end: %s" % (name, begun))


def check_calls(name, records, expected):
    entered = collections.Counter(record.values.get("Region") for record in records if record.kind == "ENTER")
    calls = sum((process.calls for process in expected), collections.Counter())
    for function, count in calls.items():
        if function.startswith("MPI_"):
            check(entered[function] == count, "%s: %s entered %d times of %d" % (name, function, entered[function], count))


def check_archive(name, anchor, text):
    records = read_events(anchor)
    expected = expectations(text.decode())
    totals = count_records(records)
    check_order(name, records)
    check_program(name, records)
    check_places(name, records)
    check_calls(name, records, expected)
    for number, process in enumerate(expected):
        wanted = {key: value for key, value in process.totals.items() if value}
        got = {key: value for key, value in totals[number].items() if value}
        check(wanted == got, "%s: process %d has %s, not %s" % (name, number, got, wanted))
    numbers = collections.Counter(record.location for record in records)
    for kind, ident, values in read_definitions(anchor):
        if kind == "LOCATION":
            check(int(values["# Events"]) == numbers[int(ident)],
                  "%s: location %s has %d events, and says %s" % (name, ident, numbers[int(ident)], values["# Events"]))
    check_like_scorep(name, anchor)
    run_otf2_print("-A", anchor)


def check_like_scorep(name, anchor):
    """Scalasca's assumptions: the order of definitions, the file of MPI regions, and supported communicators."""
    last = 0
    for kind, ident, values in read_definitions(anchor):
        if kind in ORDER:
            place = ORDER.index(kind)
            check(place >= last, "%s: %s %s comes behind %s" % (name, kind, ident, ORDER[last]))
            last = place
        check(kind != "INTER_COMM", "%s: Scalasca ends at messages in %s %s" % (name, kind, ident))
        if kind == "REGION" and "Paradigm" in values:  # not where a name has several lines
            is_mpi = values["Paradigm"] == "MPI"
            check((values["File"] == "MPI") == is_mpi, "%s: region %s of %s is in the file %s"
                  % (name, values["Name"], values["Paradigm"], values["File"]))


COLLECTIVES = """process rank=0
comm 0x1 members=1:0-0 "MPI_COMM_WORLD"
comm 0x2 parent=0x1 members=1:0-0 "split"
comm 0x3 parent=0x1 members=1:0-0 "dup"
comm 0x4 parent=0x1 kind=cart members=1:0-0 "cart"
comm 0x5 parent=0x1 members=1:0-0 "idup"
thread 0 main
0 1 MPI_Init
10 11 MPI_Comm_split comm=0x1 newcomm=0x2
12 13 MPI_Comm_dup comm=0x1 newcomm=0x3
14 15 MPI_Cart_create comm=0x1 newcomm=0x4
16 17 MPI_Comm_idup comm=0x1 newcomm=0x5 request=0
18 19 MPI_Wait done=0
20 21 MPI_Allreduce comm=0x2 sent=8 received=8
22 23 MPI_Comm_free comm=0x2
24 25 MPI_Finalize
"""


def check_collectives(tarry, folder):
    """Scalasca ends at a collective record that its own recorder does not write."""
    trace = os.path.join(folder, "collectives.tarry")
    assemble(tarry, COLLECTIVES.encode(), trace)
    records = read_events(export(tarry, trace, os.path.join(folder, "collectives")))
    kinds = [record.values["Operation"] for record in records if record.kind == "MPI_COLLECTIVE_END"]
    check(kinds == ["ALLREDUCE"], "collective records are %s" % kinds)
    begun = sum(record.kind == "MPI_COLLECTIVE_BEGIN" for record in records)
    check(begun == 1, "%d collective calls begin, 1 ends" % begun)
    made = [record.values["Communicator"] for record in records if record.kind == "COMM_CREATE"]
    check(made == ["split", "dup", "cart", "idup"], "communicators are made: %s" % made)
    freed = [record.values["Communicator"] for record in records if record.kind == "COMM_DESTROY"]
    check(freed == ["split"], "communicators are freed: %s" % freed)
    later = [record.values["Operation"] for record in records if record.kind == "NON_BLOCKING_COLLECTIVE_COMPLETE"]
    check(later == ["CREATE_HANDLE"], "nonblocking collective records are %s" % later)


# Ranks 0 and 2 are one group, ranks 3 and 1 the other; the trace names members by the second group first.
INTER = """process world=1 rank=0 size=4
comm 0x9 kind=inter rank=0 size=2 remote=2 members=1:0,1:2 others=1:3,1:1 "pair"
thread 0 main
0 1 MPI_Init
10 20 MPI_Send comm=0x9 peer=1 tag=5 sent=10
30 40 MPI_Barrier comm=0x9
process world=1 rank=1 size=4
comm 0x9 kind=inter rank=1 size=2 remote=2 "pair"
thread 0 main
0 1 MPI_Init
10 21 MPI_Recv comm=0x9 peer=0 tag=5 received=10
22 23 MPI_Irecv comm=0x9 peer=any tag=6 room=99 request=0
24 29 MPI_Wait done=0 source=1 source_tag=6 received=20
30 40 MPI_Barrier comm=0x9
process world=1 rank=2 size=4
comm 0x9 kind=inter rank=1 size=2 remote=2 "pair"
thread 0 main
0 1 MPI_Init
23 25 MPI_Isend comm=0x9 peer=1 tag=6 sent=20 request=0
25 26 MPI_Wait done=0
30 40 MPI_Barrier comm=0x9
process world=1 rank=3 size=4
comm 0x9 kind=inter rank=0 size=2 remote=2 "pair"
thread 0 main
0 1 MPI_Init
30 40 MPI_Barrier comm=0x9
"""


def check_intercomm(tarry, folder):
    """Messages are in a communicator of both groups, and go to the rank there of the process that gets them."""
    trace = os.path.join(folder, "inter.tarry")
    assemble(tarry, INTER.encode(), trace)
    anchor = export(tarry, trace, os.path.join(folder, "inter"))
    check_archive("inter", anchor, dump(tarry, trace))
    check_round_trip(tarry, "inter", anchor, dump(tarry, trace), folder)
    members = [0, 2, 3, 1]
    sent = [(record.location, members[record.number("Receiver")], record.number("Tag")) for record in read_events(anchor)
            if record.kind in ("MPI_SEND", "MPI_ISEND")]
    received = [(members[record.number("Sender")], record.location, record.number("Tag")) for record in read_events(anchor)
                if record.kind in ("MPI_RECV", "MPI_IRECV")]
    check(sorted(sent) == sorted(received) == [(0, 1, 5), (2, 1, 6)], "messages are sent %s and received %s" % (sent, received))


# Communicators of 2^31 - 1 members, of which one was recorded.
HUGE = """process world=1 rank=0 size=2147483647
comm 0x1 rank=0 size=2147483647 members=1:0-2147483646 "MPI_COMM_WORLD"
comm 0x2 rank=5 size=2147483647 "other"
thread 0 main
0 1 MPI_Init
10 20 MPI_Send comm=0x1 peer=1 tag=0 sent=8
20 30 MPI_Send comm=0x1 peer=2147483646 tag=0 sent=8
"""


def check_huge(tarry, folder):
    """A few bytes of a trace do not become thousands of files."""
    trace = os.path.join(folder, "huge.tarry")
    assemble(tarry, HUGE.encode(), trace)
    place = os.path.join(folder, "huge")
    anchor = export(tarry, trace, place)
    files = sum(len(names) for _, _, names in os.walk(place))
    check(files < 2000, "an archive of one process has %d files" % files)
    receivers = [record.number("Receiver") for record in read_events(anchor) if record.kind == "MPI_SEND"]
    check(receivers == [1], "messages go to %s" % receivers)


def check_roles(tarry, folder):
    trace = os.path.join(folder, "roles.tarry")
    calls = "\n".join("%d %d %s" % (2 * i, 2 * i + 1, name) for i, name in enumerate(ROLES))
    assemble(tarry, ("process rank=0\nthread 0 main\n" + calls + "\n").encode(), trace)
    got = {values["Name"]: values["Role"] for kind, _, values in read_definitions(export(tarry, trace, os.path.join(folder, "roles")))
           if kind == "REGION" and values["Name"] != "program"}
    check(got == ROLES, "roles of regions are %s" % got)


WINDOWS = """process world=1 rank=0 size=1
comm 0x1 kind=intra rank=0 size=1 remote=0 members=1:0-0 "MPI_COMM_WORLD"
object win 0x10 comm=0x1 size=800 unit=8 ""
thread 0 main
1 2 MPI_Win_create_c win=0x10
3 4 MPI_Win_fence win=0x10 assert=0
5 6 MPI_Win_free win=0x10
"""


def check_windows(tarry, folder):
    """Functions for large counts make windows, too."""
    trace = os.path.join(folder, "windows.tarry")
    assemble(tarry, WINDOWS.encode(), trace)
    kinds = [record.kind for record in read_events(export(tarry, trace, os.path.join(folder, "windows"))) if record.kind.startswith("RMA_")]
    wanted = ["RMA_COLLECTIVE_BEGIN", "RMA_WIN_CREATE", "RMA_COLLECTIVE_END", "RMA_COLLECTIVE_BEGIN", "RMA_COLLECTIVE_END",
              "RMA_COLLECTIVE_BEGIN", "RMA_WIN_DESTROY", "RMA_COLLECTIVE_END"]
    check(kinds == wanted, "records of windows are %s" % kinds)


# Rank 1 was started 10 s before rank 0, and both compared their clocks when MPI_Init was over; rank 2 has no date.
EARLY = """process rank=0
clock tsc 1000000000 tick=20000000000 ns=1700000000000000000
thread 0 main
19000000000 20000000000 MPI_Init
21000000000 22000000000 MPI_Finalize
process rank=1
clock tsc 1000000000 tick=20000000000 ns=1700000000000000000
thread 0 main
9000000000 20000000000 MPI_Init
23000000000 24000000000 MPI_Finalize
process rank=2
thread 0 main
1000000000 2000000000 MPI_Init
"""


def check_early(tarry, folder):
    """Times that lie long before the first comparison of a clock are those of the trace."""
    trace = os.path.join(folder, "early.tarry")
    assemble(tarry, EARLY.encode(), trace)
    anchor = export(tarry, trace, os.path.join(folder, "early"))
    records = [record for record in read_events(anchor)
               if record.kind in ("ENTER", "LEAVE") and record.values["Region"] != "program"]
    times = {place: [record.time for record in records if record.location == place] for place in (0, 1, 2)}
    first = times[1][0]
    check([time - first for time in times[1]] == [0, 11 * 10**9, 14 * 10**9, 15 * 10**9], "rank 1 has the times %s" % times[1])
    check([time - first for time in times[0]] == [10 * 10**9, 11 * 10**9, 12 * 10**9, 13 * 10**9], "rank 0 has the times %s" % times[0])
    check(times[2][1] - times[2][0] == 10**9, "rank 2 has the times %s" % times[2])


def export(tarry, trace, folder):
    code, _, errors = run(tarry, "export", "--force", "--otf2", folder, trace)
    check(code == 0, "cannot export '%s': %s" % (trace, errors))
    return os.path.join(folder, "traces.otf2")


def check_round_trip(tarry, name, anchor, text, folder):
    back = os.path.join(folder, "back.tarry")
    code, _, errors = run(tarry, "import", "-o", back, anchor)
    check(code == 0 and errors == "tarry: trace: %s\n" % back, "%s: the import says: %s" % (name, errors))
    if code == 0:
        same(dump(tarry, back), text, "%s is another trace after its way through OTF2" % name)


def check_trace(tarry, name, trace, text, folder):
    anchor = export(tarry, trace, os.path.join(folder, "archive"))
    check_archive(name, anchor, text)
    check_round_trip(tarry, name, anchor, text, folder)


def check_definitions(tarry, trace, folder):
    """Of the golden trace 'job': two nodes, three processes, four threads, communicators, a clock."""
    definitions = list(read_definitions(export(tarry, trace, os.path.join(folder, "job"))))
    kinds = collections.Counter(kind for kind, _, _ in definitions)
    for kind, count in (("LOCATION_GROUP", 3), ("LOCATION", 4), ("SYSTEM_TREE_NODE", 3), ("CLOCK_PROPERTIES", 1)):
        check(kinds[kind] == count, "%d times %s, not %d" % (kinds[kind], kind, count))
    comms = [values["Name"] for kind, _, values in definitions if kind == "COMM"]
    check("MPI_COMM_WORLD" in comms, "communicators are %s" % comms)


def check_eyes(tarry, trace, text, folder):
    """The checks above would notice a missing record."""
    records = read_events(export(tarry, trace, os.path.join(folder, "job")))
    wanted = [process.totals for process in expectations(text.decode())]
    for i, record in enumerate(records):
        if record.kind in COUNTED:
            rest = count_records(records[:i] + records[i + 1:])
            check(any(rest[number] != totals for number, totals in enumerate(wanted)), "nobody misses %s" % record)


def check_refusals(tarry, trace, folder):
    place = os.path.join(folder, "twice")
    check(run(tarry, "export", "--otf2", place, trace)[0] == 0, "cannot export into a new folder")
    code, _, errors = run(tarry, "export", "--otf2", place, trace)
    check(code == 1 and "--force" in errors, "an archive is replaced unasked: %s" % errors)
    check(run(tarry, "export", "--force", "--otf2", place + "/", trace)[0] == 0, "--force does not replace an archive")
    other = os.path.join(folder, "other")
    os.makedirs(os.path.join(other, "precious"))
    code, _, errors = run(tarry, "export", "--force", "--otf2", other, trace)
    check(code == 1 and os.path.isdir(os.path.join(other, "precious")), "a folder of others is replaced: %s" % errors)
    code, _, errors = run(tarry, "export", "--otf2", os.path.join(folder, "no", "where"), trace)
    check(code == 1 and "cannot create" in errors, "a missing folder is not told: %s" % errors)
    left = [name for name in os.listdir(folder) if ".tmp" in name]
    check(not left, "half an archive is left behind: %s" % left)


def main(tarry):
    with tempfile.TemporaryDirectory() as folder:
        for name, trace, text in traces(tarry, folder):
            check_trace(tarry, name, trace, text, folder)
            if name == "job.txt":
                check_definitions(tarry, trace, folder)
                check_eyes(tarry, trace, text, folder)
                check_refusals(tarry, trace, folder)
        check_collectives(tarry, folder)
        check_intercomm(tarry, folder)
        check_huge(tarry, folder)
        check_roles(tarry, folder)
        check_windows(tarry, folder)
        check_early(tarry, folder)
    finish()


if __name__ == "__main__":
    main(sys.argv[1])

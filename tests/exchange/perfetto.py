#!/usr/bin/env python3
"""The Perfetto UI would show the contents of the dump: the same calls at the same times on the same threads,
the same bytes, and a flow for each message. Usage: perfetto.py TARRY"""

import os
import sys
import tempfile

from common import assemble, check, dump, events_of, finish, lines_of, run, traces
from messages import message_job
from perfetto_reader import Trace

USER_CALLS = ("tarry_region_begin", "tarry_region_end", "tarry_phase", "tarry_mark")
NOT_CALLS = ("message", "recording", "region", "region end", "phase", "mark")


def export(tarry, trace, path):
    code, _, errors = run(tarry, "export", "--force", "--perfetto", path, trace)
    check(code == 0, "export of %s: exit code %d: %s" % (trace, code, errors))
    with open(path, "rb") as file:
        return Trace(file.read())


def check_calls(name, trace, text, times):
    """`text` is the dump, `times` the one with corrected times."""
    number = {tuple(word.split("=")[1] for word in line.split()[1:3]): index
              for index, line in enumerate(lines_of(text, "process"))}
    expected = sorted((number[event.process], event.thread, event.name, max(0, event.start), max(0, event.end))
                      for event in events_of(times) if event.name not in USER_CALLS)
    shown = sorted((*trace.thread_of(one.track), one.name, one.start, one.end) for one in trace.slices
                   if one.category not in NOT_CALLS and "duration_ns" not in one.arguments)
    check(shown == expected, "%s: shown\n%s\nand not\n%s" % (name, shown, expected))


def all_values(arguments, key):
    for name, values in arguments.items():
        for value in values:
            if name == key:
                yield value
            for item in value if isinstance(value, list) else []:
                if isinstance(item, dict):
                    yield from all_values(item, key)


def check_bytes(name, trace, text):
    for key in ("sent", "received"):
        shown = sum(sum(all_values(one.arguments, key)) for one in trace.slices)
        told = sum(event.total(key) for event in events_of(text))
        check(shown == told, "%s: %d bytes %s, the dump has %d" % (name, shown, key, told))


def check_marks(name, trace, text):
    marks = [one for one in trace.slices if one.category == "recording"]
    told = lines_of(text, "loss") + lines_of(text, "pause") + lines_of(text, "resume")
    check(len(marks) == len(told), "%s: %d marks of the recording, the dump has %d" % (name, len(marks), len(told)))


def check_flows(name, trace):
    """(slice that sends, moment of the receive) of each message."""
    sources, ends = {}, {}
    for one in trace.slices:
        for flow in one.out_flows:
            check(flow not in sources, "%s: flow %d begins twice" % (name, flow))
            sources[flow] = one
        for flow in one.in_flows:
            check(flow not in ends, "%s: flow %d ends twice" % (name, flow))
            ends[flow] = one
    check(set(ends) <= set(sources), "%s: a flow ends that never began" % name)
    return [(sources[flow], end) for flow, end in ends.items()]


def check_any(tarry, folder):
    for name, path, text in traces(tarry, folder):
        trace = export(tarry, path, os.path.join(folder, "any.pftrace"))
        check_calls(name, trace, text, dump(tarry, path, "--corrected"))
        check_bytes(name, trace, text)
        check_marks(name, trace, text)
        check_flows(name, trace)


def check_messages(tarry, folder):
    size, steps = 3, 4
    path = os.path.join(folder, "messages.tarry")
    assemble(tarry, "\n".join(message_job(size, steps)).encode() + b"\n", path)
    trace = export(tarry, path, os.path.join(folder, "messages.pftrace"))
    check_bytes("messages", trace, dump(tarry, path))
    flows = check_flows("messages", trace)
    check(len(flows) == size * (2 * steps + 1), "%d flows" % len(flows))
    for source, end in flows:
        sender, receiver = trace.thread_of(source.track)[0], trace.thread_of(end.track)[0]
        tag, sent = end.arguments["tag"][0], end.arguments["bytes"][0]
        check(receiver == (sender + 1) % size, "a message from %d to %d" % (sender, receiver))
        check(end.arguments["from"] == ["rank %d on node%d" % (sender, sender)], "from %s" % end.arguments["from"])
        check(end.start >= source.start, "message %d points backwards" % tag)
        check(end.start == end.parent.end and end.parent.name in ("MPI_Waitall", "MPI_Sendrecv", "MPI_Recv"),
              "message %d is received outside of a call" % tag)
        if tag < 9000:
            check(source.arguments["tag"] == [tag] and source.arguments["sent"] == [sent],
                  "message %d comes from %s" % (tag, source))
        else:
            check(source.parent.name == "MPI_Start" and sent == 3, "message %d comes from %s" % (tag, source))


USER = '''process rank=0
property pid "4711"
property arg "./app"
property arg "two words"
object file 0x9 comm=0x0 size=0 unit=0 "/data/out"
thread 0 tid=4711 main "app"
10 10 tarry_phase region="set-up"
20 20 tarry_region_begin region="outer"
30 30 tarry_region_begin region="inner"
40 50 MPI_File_write file=0x9 sent=5
60 60 tarry_mark region="halfway"
70 70 tarry_region_end region="inner"
80 80 tarry_region_end region="never begun"
90 90 tarry_phase region="loop"
100 100 tarry_region_begin region="left open"
110 130 MPI_Barrier
120 125 MPI_Wtime
115 140 MPI_Bcast
'''


def check_user(tarry, folder):
    path = os.path.join(folder, "user.tarry")
    assemble(tarry, USER.encode(), path)
    trace = export(tarry, path, os.path.join(folder, "user.pftrace"))
    by_name = {one.name: one for one in trace.slices}
    times = {name: (one.start, one.end) for name, one in by_name.items()}
    check(times["outer"] == (20, 140) and times["inner"] == (30, 70), "regions are %s" % times)
    check(times["set-up"] == (10, 90) and times["loop"] == (90, 140), "phases are %s" % times)
    check(by_name["left open"].end == 140, "an open region ends at %d" % by_name["left open"].end)
    check(by_name["MPI_File_write"].parent is by_name["inner"], "the call is not in its region")
    check(by_name["inner"].parent is by_name["outer"], "the region is not in the one around it")
    check(by_name["halfway"].category == "mark" and times["halfway"] == (60, 60), "the mark is lost")
    check(by_name["MPI_File_write"].arguments["file"] == ["/data/out"], "the file has no name")
    check(by_name["MPI_File_write"].category == "file-data", "the category is %s" % by_name["MPI_File_write"].category)
    check(by_name["MPI_Wtime"].parent is by_name["MPI_Barrier"], "a call in a call is not shown there")
    check(times["MPI_Bcast"] == (115, 140) and not by_name["MPI_Bcast"].parent, "overlapping calls are mixed up")
    process = next(track["process"] for track in trace.tracks.values() if "process" in track)
    check(process["pid"] == 4711 and process["cmdline"] == ["./app", "two words"], "the process is %s" % process)


def check_names(tarry, folder):
    """Invalid UTF-8 is corrected, and processes with one number on two machines are distinguished."""
    path = os.path.join(folder, "names.tarry")
    assemble(tarry, b'process rank=0\nproperty host "a"\nproperty node "1"\nproperty pid "5"\n0 1 "\xff\xc3\x28ok"\n'
             b'process rank=1\nproperty host "b"\nproperty node "2"\nproperty pid "5"\n0 1 MPI_Init\n', path)
    trace = export(tarry, path, os.path.join(folder, "names.pftrace"))
    names = {one.name for one in trace.slices}
    check("\ufffd\ufffd(ok" in names, "the name is %s" % names)
    processes = [track["process"] for track in trace.tracks.values() if "process" in track]
    check(len({process["pid"] for process in processes}) == 2, "two processes have one number")
    check([process["process_name"] for process in processes] == ["rank 0 on a", "rank 1 on b"], "names %s" % processes)


def main(tarry):
    with tempfile.TemporaryDirectory() as folder:
        check_any(tarry, folder)
        check_messages(tarry, folder)
        check_user(tarry, folder)
        check_names(tarry, folder)
    finish()


if __name__ == "__main__":
    main(sys.argv[1])

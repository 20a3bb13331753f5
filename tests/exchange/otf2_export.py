#!/usr/bin/env python3
"""Archives hold what the traces hold, by the word of otf2-print, and become the same traces again.
Usage: otf2_export.py TARRY"""

import collections
import os
import sys
import tempfile

from common import check, dump, finish, run, traces
from expectation import expectations
from harness import same
from otf2_print import read_definitions, read_events, run_otf2_print

# Records that stand for something of the trace: what of the expectation they count for, and where the bytes are.
COUNTED = {
    "MPI_SEND": ("send", {"bytes": "Length"}), "MPI_ISEND": ("send", {"bytes": "Length"}),
    "MPI_RECV": ("receive", {"bytes": "Length"}), "MPI_IRECV": ("receive", {"bytes": "Length"}),
    "MPI_COLLECTIVE_END": ("collective", {"sent": "Sent", "received": "Received"}),
    "NON_BLOCKING_COLLECTIVE_COMPLETE": ("collective", {"sent": "Sent", "received": "Received"}),
    "RMA_PUT": ("put", {"bytes": "Bytes"}), "RMA_GET": ("get", {"bytes": "Bytes"}),
}
# Making and freeing communicators is a collective call in an archive.
HANDLES = ("CREATE_HANDLE", "DESTROY_HANDLE")


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
    """Times never go back, and regions lie in one another."""
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
    run_otf2_print("-A", anchor)


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
    """The checks above would see a record that is missing."""
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
    finish()


if __name__ == "__main__":
    main(sys.argv[1])

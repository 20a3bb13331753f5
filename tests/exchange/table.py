#!/usr/bin/env python3
"""The table has a line for each event, with the contents of the dump. Usage: table.py TARRY"""

import csv
import io
import os
import subprocess
import sys
import tempfile

from common import assemble, check, dump, events_of, finish, run, traces, unquote


# Programs of users depend on it: only new columns at the end are allowed.
HEADING = ("world,rank,thread,start_ns,end_ns,call,class,comm,comm_name,peer,tag,root,sent,received,region,polls,"
           "busy_ns,file,line,function,fields")


def expected_row(event):
    world, rank = event.process
    regions = event.values("region")
    sums = [str(event.total(key)) if event.values(key) else "" for key in ("sent", "received")]
    return {"world": world, "rank": "" if rank == "unknown" else rank, "thread": str(event.thread),
            "call": event.name, "comm": (event.values("comm") or [""])[0], "peer": (event.values("peer") or [""])[0],
            "tag": (event.values("tag") or [""])[0], "root": (event.values("root") or [""])[0],
            "sent": sums[0], "received": sums[1], "region": unquote(regions[0]) if regions else "",
            "polls": str(event.polls or ""), "fields": " ".join("=".join(pair) for pair in event.fields)}


def check_trace(tarry, name, trace):
    text, times = dump(tarry, trace), dump(tarry, trace, "--corrected")
    code, out, errors = run(tarry, "export", "--csv", "-", trace)
    check(code == 0 and "damage" not in errors, "%s: exit code %d: %s" % (name, code, errors))
    check(out.split(b"\n", 1)[0].decode() == HEADING, "%s: the heading is another" % name)
    rows = list(csv.DictReader(io.StringIO(out.decode(), newline="")))
    events = list(events_of(text))
    check(len(rows) == len(events), "%s: %d lines for %d events" % (name, len(rows), len(events)))
    for row, event, timed in zip(rows, events, events_of(times)):
        for key, value in expected_row(event).items():
            check(row[key] == value, "%s: %s of %s is %r, not %r" % (name, key, event.name, row[key], value))
        check([row["start_ns"], row["end_ns"]] == [str(timed.start), str(timed.end)],
              "%s: %s is at %s" % (name, event.name, row["start_ns"]))
    return rows


def check_details(rows):
    """Values without a counterpart in the dump."""
    send = next(row for row in rows if row["call"] == "MPI_Send")
    check(send["class"] == "point-to-point", "the class of MPI_Send is %s" % send["class"])
    check(send["comm_name"] == "MPI_COMM_WORLD", "the communicator is called %s" % send["comm_name"])
    check(send["start_ns"] == "1700000000200000000", "MPI_Send starts at %s" % send["start_ns"])
    test = next(row for row in rows if row["polls"])
    check(test["busy_ns"] == "250000000", "the polls were busy for %s" % test["busy_ns"])


def check_files(tarry, folder, trace):
    path = os.path.join(folder, "table.csv")
    check(run(tarry, "export", "--csv", path, trace)[0] == 0, "cannot write a file")
    with open(path, "rb") as file:
        check(file.read() == run(tarry, "export", "--csv", "-", trace)[1], "file and standard output differ")
    code, _, errors = run(tarry, "export", "--csv", path, trace)
    check(code == 1 and "exists already" in errors and "--force" in errors, "replaced unasked: %s" % errors)
    check(run(tarry, "export", "--force", "--csv", path, trace)[0] == 0, "--force does not replace")
    code, _, errors = run(tarry, "export", "--csv", "/dev/full", trace)
    check(code == 1 and "cannot write '/dev/full': No space left" in errors, "a full disk is not told: %s" % errors)
    check(not [name for name in os.listdir(folder) if name.endswith(".tmp")], "a draft is left behind")


def check_broken_pipe(tarry, folder):
    """A reader that stops reading stops the writer: by the signal or, if that is ignored, with one
    message."""
    trace = os.path.join(folder, "long.tarry")
    assemble(tarry, b"".join(b"%d %d MPI_Send peer=1 tag=%d sent=8\n" % (i, i + 1, i % 7) for i in range(0, 30000, 2)),
             trace)
    for restored in (True, False):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([tarry, "export", "--csv", "-", trace], stdout=writing, stderr=subprocess.PIPE,
                              restore_signals=restored)
        os.close(writing)
        errors = done.stderr.decode()
        if restored:
            check(done.returncode == -13 and not errors, "ends with %d: %s" % (done.returncode, errors))
        else:
            check(done.returncode == 1 and "cannot write 'standard output': Broken pipe" in errors,
                  "ends with %d: %s" % (done.returncode, errors))


def main(tarry):
    with tempfile.TemporaryDirectory() as folder:
        for name, trace, _ in traces(tarry, folder):
            rows = check_trace(tarry, name, trace)
            if name == "job.txt":
                check_details(rows)
                check_files(tarry, folder, trace)
        check_broken_pipe(tarry, folder)
    finish()


if __name__ == "__main__":
    main(sys.argv[1])

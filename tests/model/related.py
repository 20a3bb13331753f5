"""Cases of relations: each is a trace and the lines that print-relations must print for it, in any order.

    @case("--all")
    def blocking():
        t = Trace(2)
        …
        return t, ["call …", …]

    main()

What is left open in a trace is a line `open REQUESTS,ACCESSES,EXPOSURES,LOCKS`, if it is anything."""

import os
import subprocess
import sys
import tempfile

from replayed import WORLD, assemble

W = "comm=0x%x" % WORLD
CASES = []


def case(*options):
    def add(function):
        CASES.append((function, options))
        return function
    return add


def in_order(line):
    """Who gathered, by side and rank: they come in any order."""
    head, colon, members = line.partition(": ")
    if not line.startswith("gathering"):
        return line
    return head + colon + "; ".join(sorted(members.split("; "), key=lambda member: member.replace("root ", "")))


def relations(text, options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.tarry")
        assemble(sys.argv[1], text, path)
        done = subprocess.run([sys.argv[2], path, *options], capture_output=True, text=True, timeout=200)
    if done.returncode:
        sys.exit("print-relations died (%d): %s\n%s" % (done.returncode, done.stderr, text))
    *lines, counts = done.stdout.splitlines()
    found = dict(word.split("=") for word in counts.split()[1:])
    lines += ["violations " + found["violations"]] * (found["violations"] != "0")
    lines += ["open " + found["open"]] * (found["open"] != "0,0,0,0")
    return [in_order(line) for line in lines]


def same(got, wanted):
    """A star in the expected line matches any word."""
    words = got.split(), wanted.split()
    return len(words[0]) == len(words[1]) and all(w in ("*", g) for g, w in zip(*words))


def main():
    failures = 0
    for function, options in CASES:
        trace, wanted = function()
        got = relations(trace.text(), options)
        missing = [line for line in wanted if not any(same(g, line) for g in got)]
        surplus = [line for line in got if not any(same(line, w) for w in wanted)]
        if missing or surplus or len(got) != len(wanted):
            failures += 1
            print("FAILED: %s\n  missing\n    %s\n  surplus\n    %s" % (
                function.__name__, "\n    ".join(missing), "\n    ".join(surplus)))
    if failures:
        sys.exit("%d of %d failed" % (failures, len(CASES)))

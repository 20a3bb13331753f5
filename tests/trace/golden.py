#!/usr/bin/env python3
"""Each golden text becomes a trace, and the trace the same text again, for any chunk size; the second
reader agrees. Usage: golden.py TARRY"""

import os
import sys
import tempfile

from bad_traces import CALL, NAME, chunk
from harness import GOLDEN, assemble, dump, finish, same
from second_reader import show_trace

CHUNK_SIZES = ("256", "300", "1000", "64K")


def expected_text(path):
    """The expected dump: the text itself or, if that is written by hand, the .dump next to it."""
    by_hand = path[:-len(".txt")] + ".dump"
    with open(by_hand if os.path.exists(by_hand) else path, "rb") as file:
        return file.read()


def check_text(tarry, name, text, expected, folder):
    trace = os.path.join(folder, "golden.tarry")
    for size in CHUNK_SIZES:
        assemble(tarry, text, trace, "--chunk", size)
        same(dump(tarry, trace), expected, "%s in chunks of %s" % (name, size))
        with open(trace, "rb") as file:
            same(show_trace(file.read()), expected, "%s in chunks of %s, second reader" % (name, size))


# Predicted events have another head in version 1: the gap in three bits, the duration in four.
OLD = chunk(NAME + CALL + b"\x80\x00\x80\x00\x6e\x7f\x05\x83\x01\x25\x60\x7f\x00\x00", events=7, version=1)
OLD_TEXT = b"""tarry trace 1
process world=1 rank=0
thread 0
0 0 f
0 0 f
6 20 f
32 178 f
180 185 f
191 191 f
198 213 f
"""


def check_version_1(tarry, folder):
    trace = os.path.join(folder, "old.tarry")
    with open(trace, "wb") as file:
        file.write(OLD)
    same(dump(tarry, trace), OLD_TEXT, "version 1")
    same(show_trace(OLD), OLD_TEXT, "version 1, second reader")


def main(tarry):
    names = sorted(name for name in os.listdir(GOLDEN) if name.endswith(".txt"))
    assert names
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = os.path.join(GOLDEN, name)
            with open(path, "rb") as file:
                check_text(tarry, name, file.read(), expected_text(path), folder)
        check_version_1(tarry, folder)
    finish()


if __name__ == "__main__":
    main(sys.argv[1])

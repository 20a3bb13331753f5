#!/usr/bin/env python3
"""Each golden text becomes a trace, and the trace the same text again, whatever the size of chunks; the second
reader agrees. Usage: golden.py TARRY"""

import os
import sys
import tempfile

from harness import GOLDEN, assemble, dump, finish, same
from second_reader import show_trace

CHUNK_SIZES = ("256", "300", "1000", "64K")


def expected_text(path):
    """What the dump gives: the text itself, or, of one written by hand, the .dump beside it."""
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


def main(tarry):
    names = sorted(name for name in os.listdir(GOLDEN) if name.endswith(".txt"))
    assert names
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = os.path.join(GOLDEN, name)
            with open(path, "rb") as file:
                check_text(tarry, name, file.read(), expected_text(path), folder)
    finish()


if __name__ == "__main__":
    main(sys.argv[1])

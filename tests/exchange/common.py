"""Shared by the tests of this folder: traces to export, and their contents according to `tarry dump`."""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "trace"), os.path.join(HERE, "..", "report")]

from harness import GOLDEN, assemble, check, finish, run  # noqa: E402,F401
from unchanged_replay import replay_fault  # noqa: E402,F401

TOKEN = re.compile(r'[^\s"]*"(?:\\.|[^"\\])*"|\S+')
ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|.)")
PLAIN = {"n": "\n", "t": "\t"}


def unquote(text):
    if not text.startswith('"'):
        return text
    return ESCAPE.sub(lambda match: chr(int(match[1][1:], 16)) if len(match[1]) > 1
                      else PLAIN.get(match[1], match[1]), text[1:-1])


class Event:
    def __init__(self, line, process, thread):
        words = TOKEN.findall(line)
        self.process, self.thread = process, thread
        self.start, self.end = int(words[0]), int(words[1])
        self.name = unquote(words[2])
        pairs = [word.partition("=")[::2] for word in words[3:]]
        self.polls = next((int(value) for key, value in pairs if key == "polls"), 0)
        self.fields = [(key, value) for key, value in pairs if key not in ("site", "polls", "busy", "delay_before", "delay_inside", "blocked_before")]

    def values(self, key):
        return [value for name, value in self.fields if name == key]

    def total(self, key):
        return sum(int(value) for value in self.values(key))


def events_of(text):
    """All events of a dump; a process is (world, rank)."""
    process = thread = None
    for line in text.decode().splitlines():
        kind = line.split(" ", 1)[0]
        if kind == "process":
            words = dict(word.split("=") for word in line.split()[1:])
            process = (words["world"], words["rank"])
        elif kind == "thread":
            thread = int(line.split()[1])
        elif kind.lstrip("-").isdigit():
            yield Event(line, process, thread)


def dump(tarry, trace, *options):
    code, text, errors = run(tarry, "dump", "--no-source", *options, trace)
    check(code == 0, "dump of %s said: %s" % (trace, errors))
    return text


def lines_of(text, kind):
    return [line for line in text.decode().splitlines() if line.startswith(kind + " ")]


ODD = '''process rank=0
property host "a, b"
comm 0x1 parent=0x0 kind=intra rank=0 size=2 remote=0 members=1:0-1 "with \\"quotes\\", commas\\nand lines"
thread 0 tid=7 main "main"
0 0 MPI_Init
5 9 "a,b\\n\\"c\\"" comm=0x1 sent=3
10 20 MPI_Waitall count=2 done=0 source=1 source_tag=1 received=5 done=1 source=1 source_tag=2 received=6
20 30 tarry_region_begin region="x, \\"y\\"\\nz"
process rank=1
0 0 MPI_Init
'''

# The number of a request is free before MPI_Wait has ended, and another thread already has it.
REUSED = '''process rank=0
comm 0x1 members=1:0-1 "MPI_COMM_WORLD"
thread 0 main
0 0 MPI_Init
10 20 MPI_Irecv comm=0x1 peer=1 tag=1 request=0
30 100 MPI_Wait done=0 source=1 source_tag=1 received=4
thread 1
50 60 MPI_Isend comm=0x1 peer=1 tag=2 sent=8 request=0
110 120 MPI_Wait done=0
process rank=1
comm 0x1 members=1:0-1 "MPI_COMM_WORLD"
0 0 MPI_Init
40 45 MPI_Send comm=0x1 peer=0 tag=1 sent=4
55 70 MPI_Recv comm=0x1 peer=0 tag=2 received=8
'''

# A thread reads the clock for the end of its call and only then takes the number, which another thread releases in
# between.
PREEMPTED = REUSED.replace("50 60 MPI_Isend", "15 25 MPI_Isend")


def traces(tarry, folder):
    """(name, trace, dump) of the golden texts, an odd one and those whose threads share the number of a request."""
    sources = {name: os.path.join(GOLDEN, name) for name in sorted(os.listdir(GOLDEN)) if name.endswith(".txt")}
    texts = {"odd": ODD.encode(), "reused": REUSED.encode(), "preempted": PREEMPTED.encode()}
    for name, path in sources.items():
        with open(path, "rb") as file:
            texts[name] = file.read()
    for name, text in texts.items():
        trace = os.path.join(folder, name + ".tarry")
        assemble(tarry, text, trace, "--chunk", "300")
        yield name, trace, dump(tarry, trace)

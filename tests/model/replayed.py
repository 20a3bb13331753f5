"""Makes traces of small programs, replays them and reads the result."""

import os
import subprocess
import sys
import tempfile

WORLD = 0xc0


class Trace:
    """A trace in text: processes of one world, with communicators and events."""

    def __init__(self, size, missing=()):
        self.size, self.missing = size, set(missing)
        self.heads = {rank: [] for rank in range(size)}
        self.events = {rank: {0: []} for rank in range(size)}
        self.comm(WORLD, range(size), name="MPI_COMM_WORLD")

    def comm(self, identity, ranks, others=(), name=""):
        """A communicator of these ranks of the world; with others it is an intercommunicator."""
        for local, remote in ((list(ranks), list(others)), (list(others), list(ranks))):
            for at, rank in enumerate(local):
                groups = "".join(" %s=%s" % (key, ",".join("1:%d" % r for r in group))
                                 for key, group in (("members", local), ("others", remote)) if group and not at)
                self.heads[rank].append('comm 0x%x kind=%s rank=%d size=%d remote=%d%s "%s"' % (
                    identity, "inter" if others else "intra", at, len(local), len(remote), groups, name))

    def head(self, rank, line):
        self.heads[rank].append(line)

    def add(self, rank, start, end, text, thread=0):
        self.events[rank].setdefault(thread, []).append("%d %d %s" % (start, end, text))

    def mark(self, rank, line, thread=0):
        self.events[rank].setdefault(thread, []).append(line)

    def lines(self):
        for rank in range(self.size):
            if rank in self.missing:
                continue
            yield "process world=1 rank=%d size=%d run=1" % (rank, self.size)
            yield from self.heads[rank]
            for thread, events in self.events[rank].items():
                yield "thread %d" % thread
                yield from events

    def text(self):
        return "\n".join(self.lines()) + "\n"


class Told:
    """The output of print-replay, in order."""

    def __init__(self, output):
        self.lines = [line.split() for line in output.splitlines()]
        self.messages = [self.message(line) for line in self.lines if line[0] == "message" and line[-1] != "probed"]
        self.probed = [self.message(line) for line in self.lines if line[0] == "message" and line[-1] == "probed"]
        self.collectives = [(int(p), int(start), int(end), None if cause == "-" else int(cause))
                            for _, p, start, end, cause, _ in (l for l in self.lines if l[0] == "collective")]
        self.counts = dict((key, int(value)) for key, _, value in
                           (word.partition("=") for line in self.lines if line[0] == "counts" for word in line[1:]))

    @staticmethod
    def message(line):
        """(sender, start of the send, receiver, start of the receive, end of what completed it)"""
        return tuple(int(word) for word in line[1:6])

    def place(self):
        """The position of each start and end of a call in the order."""
        at = {}
        for number, line in enumerate(self.lines):
            if line[0] in ("enter", "leave"):
                at[line[0], int(line[1]), int(line[2])] = number
        return at


def assemble(tarry, text, path):
    done = subprocess.run([tarry, "assemble", "-o", path, "-"], input=text.encode(), capture_output=True)
    if done.returncode:
        sys.exit("cannot assemble: %s\n%s" % (done.stderr.decode(), text))


def replay(tarry, printer, text, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.tarry")
        assemble(tarry, text, path)
        done = subprocess.run([printer, path, *options], capture_output=True, timeout=200)
    if done.returncode:
        sys.exit("print-replay died (%d): %s\n%s" % (done.returncode, done.stderr.decode(), text))
    return Told(done.stdout.decode())

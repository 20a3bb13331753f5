"""Analysers are connected as a tree: none has many connections, and frames of all of them reach the leader. An analyser that is lost takes
those below it with it, and nothing is reported that is a guess.

usage: tree.py SOURCE BUILD
"""
import os
import shutil
import signal
import socket
import sys
import time

from protocol import BYE, HELLO, PARENT, VIA, Link, Process, Reader, Run, frame, greet, number, text, word
from suite import NAMES, PROGRAM, checks, expect, run_tests, start, test


def sockets(pid):
    folder = "/proc/%d/fd" % pid
    links = [os.readlink(os.path.join(folder, name)) for name in os.listdir(folder)]
    return sum(link.startswith("socket:") for link in links)


def mismatch(p, sender, receiver):
    p[sender].send(receiver, data=("DOUBLE", 1))
    p[receiver].receive(sender)


def end(run, p, *expected):
    for q in p:
        q.bye()
    run.wait()
    expect(checks(run), sorted(expected))
    expect(run.notes(), "")
    shutil.rmtree(run.folder)


@test
def connections_are_few():
    for parts in ("0", "1"):
        run, p = start(12, hang_timeout=0, nodes=12, parts=parts, children=2)
        mismatch(p, 5, 11)
        mismatch(p, 11, 0)
        p[11].wait_until_heard()
        # Two of them listen; then a parent, two children and an agent.
        counts = [sockets(pid) for pid in run.pids()]
        expect([count for count in counts if count > 6], [])
        end(run, p, "message.type-mismatch", "message.type-mismatch")


@test
def a_chain():
    """Frames pass through all of them."""
    for parts in ("0", "1"):
        run, p = start(7, hang_timeout=0, nodes=7, parts=parts, children=1)
        mismatch(p, 6, 3)
        p[4].collective("Bcast", root=0, send=("INT", 1))
        for q in p:
            if q.rank != 4:
                q.collective("Bcast", root=1 + q.rank // 6, send=("INT", 1))
        end(run, p, "collective.root-mismatch", "message.type-mismatch")


# Analysers that are lost

def lose(parts, node, children, *expected):
    """The analyser of a node is killed. What the others said is checked, and nothing is concluded from the silence of the lost processes."""
    run, p = start(4, hang_timeout=0, nodes=4, parts=parts, children=children)
    p[0].send(0, tag=3, data=("DOUBLE", 1), function="Isend")
    p[0].receive(0, tag=3, function="Irecv")
    for q in p[1:]:
        q.receive(0, tag=7, function="Irecv")
        q.send(0, tag=8, function="Isend")
    p[3].wait_until_heard()
    pid = next(pid for path, pid in zip(run.logs(), run.pids()) if "-node%d-" % node in path)
    os.kill(pid, signal.SIGKILL)
    time.sleep(0.3)
    for q in p:
        try:
            q.bye()
        except OSError:
            pass
    run.wait()
    expect(checks(run, complete=False), sorted([*expected, "message.type-mismatch"]))
    assert "an analyser" in run.notes(), run.notes()
    shutil.rmtree(run.folder)


@test
def a_child_is_killed():
    lose("0", 2, 16, *["message.lost", "message.unmatched-receive"] * 2)
    lose("1", 2, 16)


@test
def one_between_others_is_killed():
    for parts in ("0", "1"):
        lose(parts, 2, 1)


# Parents that cannot be reached

class FakeAnalyser:
    """A child of the leader that says that it listens at this address."""

    def __init__(self, run, address):
        self.link = greet(run, run.addresses("node1"))
        self.input = b""
        self.link.sendall(frame(HELLO, number(1) + word(0) + number(0) + number(0) + number(1) + text("fake") + text(address)))
        kind, body = self.receive()
        expect((kind, Reader(body).text()), (PARENT, ""))

    def receive(self):
        return Link.receive(self)

    @property
    def socket(self):
        return self.link


def direct_to(address, settle=lambda: None):
    """The leader has room for the fake one only: it directs the next analyser there, and has to take it in the end."""
    run = Run(PROGRAM, NAMES, parts="0", children=1)
    fake = FakeAnalyser(run, address)
    run.nodes = 2
    run.start("node2")
    settle()
    p = [Process(run, rank, 2) for rank in range(2)]
    mismatch(p, 0, 1)
    p[1].wait_until_heard()
    fake.link.close()
    end(run, p, "message.type-mismatch")


@test
def a_parent_that_cannot_be_reached():
    direct_to("tcp:127.0.0.1:1")


@test
def a_parent_that_closes_the_connection():
    listener = socket.create_server(("127.0.0.1", 0))
    direct_to("tcp:127.0.0.1:%d" % listener.getsockname()[1], lambda: listener.accept()[0].close())
    listener.close()


@test
def a_child_that_breaks_a_rule():
    """Invalid numbers, frames of unknown processes: the connection ends. If an analyser below breaks a rule, only that one is refused."""
    for content in (frame(VIA, number(2) + number(HELLO)), frame(VIA, number(1) + number(BYE)), frame(VIA, b""), frame(VIA, number(0) + number(HELLO)),
                    frame(PARENT, text("")), frame(99)):
        run = Run(PROGRAM, NAMES)
        fake = FakeAnalyser(run, "")
        fake.link.sendall(content)
        try:
            while True:
                fake.receive()
        except (EOFError, ConnectionError):
            pass
        process = Process(run, 0, 1)
        end(run, [process])
    run = Run(PROGRAM, NAMES, parts="0")
    fake = FakeAnalyser(run, "")
    for content in (number(1) + number(HELLO), number(2) + number(HELLO), number(2) + number(99), number(2) + number(99)):
        fake.link.sendall(frame(VIA, content))
    while True:
        kind, body = fake.receive()
        if kind == VIA and body == number(2) + number(BYE):
            break
    process = Process(run, 0, 1)
    fake.link.close()
    end(run, [process])


if __name__ == "__main__":
    sys.exit(run_tests())

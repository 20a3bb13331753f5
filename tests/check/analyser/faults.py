"""Failures around tarry-analyser: processes that vanish, strangers and garbage, a killed analyser, a full disk. No received data is
lost, and no guess is reported.

usage: faults.py SOURCE BUILD [TEST…]
"""
import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

from protocol import (ABORTED, BYE, CALL, CHALLENGE, COMM, EVENTS, FINALIZED, FINDING, GATHER, HELLO, IN_FINALIZE, PARENT, PROOF, RECEIVE, RELAY, RESPONSE,
                      TYPE, VANISHED, VERSION, WILDCARD, Process, Run, Tape, agent_hello, challenge, connect, finding_body, frame, greet, number, prove,
                      receive_exactly, tcp_only, text, word)
from suite import BUILD, NAMES, PROGRAM, checks, expect, run_tests, start, test


# Ends of processes

@test
def who_vanishes_is_told_and_nothing_else():
    run, p = start(2)
    p[0].collective("Barrier", line=5)
    p[0].send(1, tag=1)
    p[1].receive(0, tag=2)
    p[0].collective("Barrier", line=6)
    time.sleep(0.2)
    p[1].vanish()
    time.sleep(0.2)
    p[0].vanish()
    run.wait()
    found = run.findings()
    expect([(f["check"], f["calls"][0]["rank"], f["calls"][0]["stack"][0][3]) for f in found], [("end.crash", 1, 2)])
    return run


def killed_in_finalize(exits_well):
    run, p = start(3)
    for q in p:
        q.collective("Finalize", line=30 + q.rank)
    time.sleep(0.1)
    p[0].bye(exits_well=exits_well)
    p[2].bye(exits_well=True)
    time.sleep(0.1)
    p[1].vanish()
    run.wait()
    return run


@test
def launchers_kill_in_finalize_when_another_process_fails_behind_it():
    run = killed_in_finalize(exits_well=False)
    expect(checks(run), [])
    expect(run.ends(), {0: FINALIZED, 1: IN_FINALIZE, 2: FINALIZED})
    return run


@test
def a_crash_in_finalize_is_told_if_all_others_end_well():
    run = killed_in_finalize(exits_well=True)
    expect([(f["check"], f["calls"][0]["rank"], f["calls"][0]["stack"][0][3]) for f in run.findings()],
           [("end.crash", 1, 31)])
    expect(run.ends(), {0: FINALIZED, 1: VANISHED, 2: FINALIZED})
    return run


@test
def abort_explains_the_others():
    run, p = start(3)
    p[0].send(1, tag=1)
    time.sleep(0.1)
    p[2].vanish()
    p[0].bye(ABORTED)
    p[1].vanish()
    run.wait()
    expect(checks(run), [])
    return run


@test
def mpi_ending_a_process_explains_the_others():
    run, p = start(2)
    p[1].home.socket.sendall(frame(9, number(1) + number(0)))
    time.sleep(0.1)
    p[0].vanish()
    time.sleep(0.1)
    p[1].vanish()
    run.wait()
    expect(checks(run), [])
    return run


@test
def all_wait_for_ever():
    """A blocking receive with another tag: neither continues, and the job is killed."""
    run, p = start(2)
    p[0].send(1, tag=1)
    p[1].receive(0, tag=2)
    p[0].receive(1, tag=3, line=7)
    for q in p:
        q.state(1)
    time.sleep(0.2)
    for q in p:
        q.vanish()
    run.wait()
    expect(checks(run), ["message.tag-mismatch"])
    return run


@test
def one_still_computes():
    """The same, but rank 0 is in no call: it might have sent the message for rank 1."""
    run, p = start(2)
    p[0].send(1, tag=1)
    p[1].receive(0, tag=2)
    p[1].state(1)
    p[0].state(1)
    p[0].home.socket.sendall(frame(9, number(0) + number(0)))
    time.sleep(0.2)
    p[1].vanish()
    p[0].vanish()
    run.wait()
    expect(checks(run), [])
    return run


@test
def who_waits_for_one_that_has_finalized():
    run, p = start(2)
    p[1].receive(0, tag=2)
    p[1].state(1)
    p[0].bye(FINALIZED)
    time.sleep(0.2)
    p[1].vanish()
    run.wait()
    expect(checks(run), ["message.unmatched-receive"])
    return run


@test
def a_process_that_never_came():
    run = Run(PROGRAM, NAMES)
    process = Process(run, 0, 2)
    process.send(1)
    process.bye()
    run.wait()
    expect(checks(run), [])
    return run


@test
def processes_that_do_not_listen():
    """They leave before the analyser has answered: it still reads that they finalized."""
    run = Run(PROGRAM, NAMES)
    keeper = Process(run, 0, 1, world=99)
    for world in range(200, 300):
        for _ in range(2):
            link = greet(run, run.addresses())
            link.sendall(frame(HELLO, agent_hello(0, 1, world)) + frame(BYE, number(FINALIZED)))
            link.close()
    keeper.bye()
    run.wait()
    expect(checks(run), [])
    return run


@test
def a_process_without_a_rank():
    """It reports something before it knows its rank, reports the rank, and ends; another one never reports it."""
    run = Run(PROGRAM, NAMES)
    known = Process(run, 0xFFFFFFFF, 0)
    unknown = Process(run, 0xFFFFFFFF, 0)
    known.home.socket.sendall(frame(FINDING, finding("argument.negative-count")))
    known.rank, known.size = 0, 1
    known.home.socket.sendall(frame(HELLO, known.hello()))
    known.add_comm(1, "MPI_COMM_WORLD", 0, 1)
    known.send(0)
    unknown.vanish()
    known.bye()
    run.wait()
    expect(checks(run), ["argument.negative-count", "message.lost"])
    return run


def finding(check, rank=0):
    return finding_body(NAMES, check, rank)


# Events that a process had not sent

KEPT_TAIL = (1 << 16) - 1


def kept_events(tape, words, current=0, crash=None):
    """As in src/check/protocol/unsent_ring.h. `crash`: content of struct unsent_crash, and the number of later words."""
    ring = 1 << 16
    definitions = b"".join(data for _, data in tape if data[4] in (COMM, TYPE, CALL))
    file = os.memfd_create("kept")
    os.ftruncate(file, 192 + 8 * ring + (8 << 20) + 16 + (1 << 16))
    # The ring is wrapped: it begins shortly before its end.
    tail = KEPT_TAIL
    os.pwrite(file, struct.pack("<QQQ", 0x31746e7672726174, len(definitions), current), 0)
    os.pwrite(file, struct.pack("<Q", tail + len(words)), 64)
    os.pwrite(file, struct.pack("<Q", tail), 128)
    for i, value in enumerate(words):
        os.pwrite(file, struct.pack("<Q", value), 192 + 8 * ((tail + i) % ring))
    os.pwrite(file, definitions, 192 + 8 * ring)
    if crash:
        os.pwrite(file, struct.pack("<QQ", len(crash[0]), tail + len(words) - crash[1]) + crash[0], 192 + 8 * ring + (8 << 20))
    return file


def vanish_with(crash, host="node1"):
    """A process vanishes after a barrier, with this in its memory; the finding about it."""
    run = Run(PROGRAM, NAMES, nodes=2)
    tape = []
    process = Tape(NAMES, 0, 1, 0x1234, tape)
    process.add_comm(1, "MPI_COMM_WORLD", 0, 1)
    process.collective("Barrier", line=40)
    link = greet(run, run.addresses(host))
    socket.send_fds(link, [frame(HELLO, agent_hello(0, 1, host=host))], [kept_events(tape, [1 << 4], current=1 << 1, crash=crash)])
    time.sleep(0.2)
    link.close()
    run.wait()
    return run, run.findings()


CRASH = (text("SIGFPE") + word(0) + number(7) + number(0) + text("crashed") + text("") + number(1) + text("app") + text("") + number(16) +
         number(50))


@test
def the_signal_and_its_place_survive():
    for host in ("node1", "node2"):
        run, found = vanish_with((CRASH, 0), host)
        expect([f["check"] for f in found], ["end.crash"])
        expect(found[0]["values"], {"cause": "SIGFPE"})
        expect([(call["note"], call["rank"], call["stack"][0][3]) for call in found[0]["calls"]], [("crashed", 0, 50), ("earlier", 0, 40)])
        shutil.rmtree(run.folder)


@test
def a_signal_that_was_survived_is_no_cause():
    """It was still active afterwards. Garbage is not a crash either."""
    for crash in ((CRASH, 1), (CRASH[:9], 0)):
        run, found = vanish_with(crash)
        expect([(f["check"], len(f["calls"])) for f in found], [("end.crash", 1)])
        expect("killed" in found[0]["values"]["cause"], True)
        shutil.rmtree(run.folder)


@test
def who_was_outside_of_calls_is_to_blame():
    """A process killed by the launcher may be reported first: it was in a call."""
    run = Run(PROGRAM, NAMES)
    links = []
    for rank, inside in ((0, 1), (1, 0), (2, 1)):
        tape = []
        process = Tape(NAMES, rank, 3, 0x1234, tape)
        process.add_comm(1, "MPI_COMM_WORLD", rank, 3)
        process.collective("Barrier", line=40 + rank)
        link = greet(run, run.addresses())
        socket.send_fds(link, [frame(HELLO, agent_hello(rank, 3))], [kept_events(tape, [1 << 4], current=1 << 1 | inside)])
        links.append(link)
    time.sleep(0.2)
    for link in links:
        link.close()
        time.sleep(0.05)
    run.wait()
    expect([(f["check"], f["calls"][0]["rank"], f["calls"][0]["stack"][0][3]) for f in run.findings()], [("end.crash", 1, 41)])
    return run


@test
def events_survive_their_process():
    return survive("node1")


@test
def events_of_other_nodes_survive_their_process():
    return survive("node2")


@test
def events_that_were_sent_are_not_sent_again():
    """It vanished before it could note that it had sent them."""
    return survive("node1", is_sent=True)


@test
def events_that_were_sent_on_another_node_are_not_sent_again():
    return survive("node2", is_sent=True)


def survive(host, is_sent=False):
    """Rank 0 sends only HELLO. A send, a receive with a wildcard and a collective call are in its memory."""
    run = Run(PROGRAM, NAMES, nodes=2)
    tape = []
    process = Tape(NAMES, 0, 2, 0x1234, tape)
    process.add_comm(1, "MPI_COMM_WORLD", 0, 2)
    process.add_comm(2, "other", 0, 2)
    process.send(1, data=("DOUBLE", 1), line=8)
    process.receive_any(1, 4, data=("INT", 1), line=9)
    process.collective("Bcast", comm=2, root=0, send=("INT", 1), line=10)
    file = kept_events(tape, [1 << 4, 2 << 4, 1 << 4 | 4, 1 << 32 | 4, 3 << 4], current=2 << 1 | 1)
    link = greet(run, run.addresses(host))
    socket.send_fds(link, [frame(HELLO, agent_hello(0, 2, host=host))], [file])
    other = Process(run, 1, 2)
    other.add_comm(2, "other", 1, 2)
    if is_sent:
        link.sendall(b"".join(data for _, data in tape) + frame(EVENTS, number(0) + number(2) + number(KEPT_TAIL + 5)))
    other.send(0, tag=4, data=("INT", 5), line=12)
    other.receive(0, data=("INT", 1), line=13)
    other.collective("Bcast", comm=2, root=1, send=("INT", 1), line=14)
    other.collective("Barrier", comm=2, line=15)
    link.close()
    time.sleep(0.2)
    other.bye()
    run.wait()
    expect([(f["check"], [c["stack"][0][3] for c in f["calls"]]) for f in sorted(run.findings(), key=lambda f: f["check"])],
           [("collective.root-mismatch", [10, 14]), ("end.crash", [9]), ("message.truncated", [12, 9]),
            ("message.type-mismatch", [8, 13])])
    return run


@test
def kept_memory_that_makes_no_sense():
    run = Run(PROGRAM, NAMES)
    for content in (b"", b"x" * 100, struct.pack("<QQQ", 0x31746e7672726174, 1 << 60, 7),
                    struct.pack("<QQQ", 0x31746e7672726174, 0, 7) + bytes(40) + struct.pack("<Q", 1 << 62)):
        file = os.memfd_create("kept")
        os.write(file, content)
        if len(content) > 90:
            os.ftruncate(file, 10 << 20)
        link = greet(run, run.addresses())
        socket.send_fds(link, [frame(HELLO, agent_hello(0, 1, world=9))], [file, file, file])
        time.sleep(0.1)
        link.close()
        os.close(file)
    p = [Process(run, rank, 2) for rank in range(2)]
    p[0].send(1, data=("DOUBLE", 1))
    p[1].receive(0)
    for q in p:
        q.bye()
    run.wait()
    assert "message.type-mismatch" in checks(run)
    return run


# Strangers

def is_refused(link):
    link.settimeout(20)
    try:
        while link.recv(4096):
            pass
    except ConnectionError:
        pass
    return True


@test
def strangers_are_refused_and_nothing_is_lost():
    run, p = start(2)
    addresses = tcp_only(run.addresses())
    silent = [connect(addresses) for _ in range(80)]
    garbage = []
    for content in (b"GET / HTTP/1.0\r\n\r\n", b"\0" * 5000, b"\xff" * 100, os.urandom(3000),
                    frame(HELLO, agent_hello(0, 1)), frame(EVENTS, b"\1"), frame(BYE, b"\0"),
                    struct.pack("<IB", 1 << 20, CHALLENGE) + bytes(2000), frame(CHALLENGE, number(VERSION) + bytes(31)),
                    frame(PROOF, prove(run.key, b"agent", bytes(32), bytes(32))),
                    frame(CHALLENGE, number(VERSION) + bytes(32)) * 2, frame(CHALLENGE, number(VERSION + 1) + bytes(32))):
        link = connect(addresses)
        link.sendall(content)
        garbage.append(link)
    p[0].send(1, data=("DOUBLE", 1), times=1000)
    p[1].receive(0, times=1000)
    third = Process(run, 0, 1, world=77)
    third.bye()
    assert all(is_refused(link) for link in garbage)
    for q in p:
        q.bye()
    run.wait()
    found = run.findings()
    expect({f["check"] for f in found}, {"message.type-mismatch"})
    expect(sum(f["times"] for f in found), 1000)
    for link in silent:
        link.close()
    return run


def sleeps(pid):
    """One that spins never does."""
    for _ in range(100):
        with open("/proc/%d/stat" % pid) as file:
            if file.read().rsplit(")", 1)[1].split()[0] == "S":
                return True
        time.sleep(0.01)
    return False


def more_connections_than_it_takes(count, **limits):
    run = Run(PROGRAM, NAMES, **limits)
    links = [connect(run.addresses()) for _ in range(count)]
    time.sleep(0.5)
    assert all(sleeps(pid) for pid in run.pids()), "the analyser is busy"
    for link in links:
        link.close()
    p = [Process(run, rank, 2) for rank in range(2)]
    p[0].send(1, data=("DOUBLE", 1))
    p[1].receive(0)
    for q in p:
        q.bye()
    run.wait()
    expect(checks(run), ["message.type-mismatch"])
    return run


@test
def who_cannot_be_accepted_waits():
    return more_connections_than_it_takes(100)


@test
def too_few_files_are_noted_once():
    run = more_connections_than_it_takes(40, files=24)
    expect(run.notes().count("raise the limit of open files"), 1)
    return run


@test
def interfaces_without_addresses():
    """Those of some tunnels have none."""
    run = Run(PROGRAM, NAMES, preload=BUILD + "/tests/check/analyser/no_address.so")
    expect(run.addresses().count("tcp:127.0.0.1:"), 1)
    process = Process(run, 0, 1)
    process.bye()
    run.wait()
    expect(checks(run), [])
    return run


@test
def proofs_are_worth_nothing_elsewhere():
    """Wrong, sent back to its owner, or seen on another connection: rejected. The key is never sent."""
    run, p = start(2)
    own, replayed = os.urandom(32), None
    for attempt in ("right", "replayed", "sent back", "wrong", "before its time"):
        link = connect(tcp_only(run.addresses()))
        other, theirs = challenge(link, own)
        assert theirs == prove(run.key, b"analyser", own, other) and run.key not in other + theirs
        right = prove(run.key, b"agent", other, own)
        replayed = replayed or right
        proof = {"right": right, "replayed": replayed, "sent back": theirs,
                 "wrong": prove(os.urandom(32), b"agent", other, own), "before its time": b""}[attempt]
        link.sendall(frame(PROOF, proof) + frame(HELLO, agent_hello(0, 1, world=5)) + frame(FINDING, finding("argument.negative-count")))
        if attempt == "right":
            link.sendall(frame(BYE, number(FINALIZED)))
            link.close()
        else:
            assert is_refused(link)
    for q in p:
        q.bye()
    run.wait()
    expect([(f["check"], f["times"]) for f in run.findings()], [("argument.negative-count", 1)])
    return run


@test
def who_breaks_a_rule_is_alone():
    """Unknown calls and types, invalid ranks, truncated frames: that connection ends, no other."""
    for content in (frame(EVENTS, number(77)), frame(EVENTS, b"\xff" * 11), frame(TYPE, number(1) + number(0) + number(1)),
                    frame(COMM, word(5) + number(9) + number(2)), frame(CALL, b"\0" * 40), frame(99, b""),
                    frame(FINDING, finding("argument.negative-count")[:20]), struct.pack("<IB", 0, EVENTS),
                    struct.pack("<IB", 1 << 31, EVENTS)):
        run, p = start(3)
        p[2].home.socket.sendall(content)
        assert is_refused(p[2].home.socket)
        p[0].send(1, data=("DOUBLE", 1))
        p[1].receive(0)
        for q in p[:2]:
            q.bye()
        run.wait()
        assert "message.type-mismatch" in checks(run)
        assert "process 2 is no longer checked" in run.notes(), run.notes()
        shutil.rmtree(run.folder)
    return None


# A leader that reads slowly

class SlowLeader:
    """Accepts the connection of the analyser of node1, and reads only when a test says so."""

    def __init__(self, run):
        self.run, self.input = run, bytearray()
        name = "tarry-test-" + os.urandom(8).hex()
        listener = socket.socket(socket.AF_UNIX)
        listener.bind("\0" + name)
        listener.listen()
        descriptor = os.open(os.path.join(run.folder, "leader"), os.O_WRONLY | os.O_CREAT, 0o600)
        os.write(descriptor, b"unix:@%s\n" % name.encode())
        os.close(descriptor)
        run.start("node1")
        self.link = listener.accept()[0]
        self.link.settimeout(30)
        listener.close()

    def prove(self, gathers=True):
        other, own = receive_exactly(self.link, 5 + 1 + 32)[-32:], os.urandom(32)
        self.link.sendall(frame(RESPONSE, own + prove(self.run.key, b"analyser", other, own)))
        receive_exactly(self.link, 5 + 32)
        # It is the parent, and may execute all processes.
        self.link.sendall(frame(PARENT, text("")) + (frame(GATHER, number(5)) if gathers else b""))

    def read(self, size=256 << 10):
        more = self.link.recv(size)
        assert more, "the analyser closed its connection to the leader"
        self.input += more

    def read_until_bye(self):
        """The sizes of the EVENTS frames that were relayed."""
        sizes, at = [], 0
        while True:
            while len(self.input) < at + 7 or len(self.input) < at + 4 + struct.unpack_from("<I", self.input, at)[0]:
                self.read()
            length, kind, _, relayed = struct.unpack_from("<IBBB", self.input, at)
            if (kind, relayed) == (RELAY, BYE):
                return sizes
            if (kind, relayed) == (RELAY, EVENTS):
                sizes.append(length - 3)
            at += 4 + length


def push(link, data):
    """As much of it as the analyser takes now. Returns the rest."""
    link.settimeout(0.002)
    try:
        while data:
            data = data[link.send(data):]
    except (TimeoutError, BlockingIOError):
        pass
    link.settimeout(30)
    return data


def memory_bytes(pid):
    """At most so far; 0 with the address sanitizer, which keeps freed memory."""
    with open("/proc/%d/maps" % pid) as maps:
        if "libasan" in maps.read():
            return 0
    with open("/proc/%d/status" % pid) as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))


def push_until_note(run, link, data, words):
    """Returns the rest of the data."""
    end = time.time() + 30
    while words not in run.notes():
        assert time.time() < end, "nothing is said: " + run.notes()
        data = push(link, data)
        time.sleep(0.05)
    return data


def relay_slowly(sizes, proves_late=False, gathers_late=False):
    """The analyser always has data left for the leader. It loses nothing, and its processes wait for it."""
    run = Run(PROGRAM, NAMES, nodes=0)
    if gathers_late:
        run.environment["TARRY_CHECK_PARTS"] = "1"
    leader = SlowLeader(run)
    if not proves_late:
        leader.prove(gathers=not gathers_late)
    process = Process(run, 0, 1)
    if gathers_late:  # a call that only the leader can execute
        process.call_number(process.home, "Recv", RECEIVE, 1, flags=WILDCARD)
    rest = memoryview(b"".join(frame(EVENTS, bytes(size)) for size in sizes))
    for _ in range(20):
        rest = push(process.home.socket, rest)
        time.sleep(0.01)
    assert memory_bytes(run.pids()[0]) < 48 << 20, "the analyser keeps all that comes"
    if proves_late:
        leader.prove()
    if gathers_late:
        rest = push_until_note(run, process.home.socket, rest, "processes wait")
        leader.link.sendall(b"".join(frame(GATHER, number(i)) for i in (1, 2, 3, 4, 5)))
    # The analyser may have nothing for the leader before it has the rest of a frame.
    while rest:
        if select.select([leader.link], [process.home.socket], [], 30)[0]:
            leader.read()
        rest = push(process.home.socket, rest)
    process.bye()
    # If the analyser has executed calls, their state comes first.
    expect(leader.read_until_bye()[-len(sizes):], sizes)
    leader.link.close()
    run.wait()
    expect(checks(run), [])
    return run


@test
def a_slow_leader_does_not_lose_a_node():
    return relay_slowly([1 << 20] * 100)


@test
def a_leader_that_proves_itself_late_does_not_lose_a_node():
    return relay_slowly([1 << 20] * 100, proves_late=True)


@test
def a_leader_that_takes_over_late_does_not_lose_a_node():
    """Frames that are kept until then have a limit, and a note says that processes wait."""
    return relay_slowly([1 << 20] * 100, gathers_late=True)


@test
def the_largest_frame_is_relayed():
    return relay_slowly([(4 << 20) - 1] * 3)


# Machines

@test
def findings_of_a_killed_analyser_are_there():
    run, p = start(2)
    p[0].send(1, data=("DOUBLE", 1))
    p[1].receive(0)
    end = time.time() + 20
    while checks(run, complete=False) != ["message.type-mismatch"]:
        assert time.time() < end
        time.sleep(0.02)
    os.kill(run.pids()[0], signal.SIGKILL)
    run.wait()
    expect(checks(run, complete=False), ["message.type-mismatch"])
    return run


@test
def another_job_in_the_same_folder():
    run, p = start(2)
    for q in p:
        q.bye()
    run.wait()
    assert not os.path.exists(os.path.join(run.folder, "node-node1"))
    run.start("node1")
    p = [Process(run, rank, 2) for rank in range(2)]
    p[0].send(1)
    for q in p:
        q.bye()
    run.wait()
    expect(checks(run), ["message.lost"])
    expect(len(run.logs()), 2)
    return run


@test
def two_nodes():
    """Their analysers find each other; sends of one process match receives of the other."""
    run, p = start(4, nodes=2)
    for rank in range(4):
        p[rank].send((rank + 1) % 4, data=("DOUBLE", 1), line=rank, function="Isend")
        p[rank].receive((rank + 3) % 4, line=10 + rank)
        p[rank].collective("Bcast", root=rank // 3, send=("INT", 1))
    p[0].send(1, tag=9, line=20)
    for q in p:
        q.bye()
    run.wait()
    expect(checks(run), ["collective.root-mismatch", "message.lost"] + ["message.type-mismatch"] * 4)
    return run


@test
def the_leader_is_killed():
    """The other analyser ends, reports it, and does not guess."""
    run = Run(PROGRAM, NAMES)
    leader = run.pids()[0]
    run.nodes = 2
    run.start("node2")
    p = [Process(run, rank, 2) for rank in range(2)]
    p[1].wait_until_heard()
    os.kill(leader, signal.SIGKILL)
    time.sleep(0.2)
    for q in p:
        q.vanish()
    run.wait()
    expect(checks(run, complete=False), [])
    assert "vanished" in run.notes(), run.notes()
    return run


@test
def a_full_disk():
    """Findings wait in memory until there is room again."""
    folder = os.path.join(os.getcwd(), "small-disk")
    os.makedirs(folder, exist_ok=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k,mode=0700", "none", folder], stderr=subprocess.DEVNULL).returncode:
        print("a_full_disk: no file system can be mounted here")
        return None
    try:
        run, p = start(2, folder=folder)
        filler = open(os.path.join(folder, "filler"), "wb", buffering=0)
        try:
            while filler.write(bytes(4096)):
                pass
        except OSError:
            pass
        for line in range(100):
            p[0].send(1, data=("DOUBLE", 1), line=line)
            p[1].receive(0, line=1000 + line)
        time.sleep(0.5)
        filler.close()
        os.unlink(filler.name)
        p[0].send(1, tag=8, data=("DOUBLE", 1))
        p[1].receive(0, tag=8)
        for q in p:
            q.bye()
        run.wait()
        expect(len(run.findings()), 101)
    finally:
        # A remaining analyser, after a failed test, must not break later tests.
        subprocess.run(["umount", "--lazy", folder], check=True)
    return None


if __name__ == "__main__":
    sys.exit(run_tests())

"""The findings do not depend on the number of analysers, on how they divide the run, or on how they are connected. Agents without a program tell the same calls to
one analyser that executes all processes, and to 1 to 16 analysers that execute their own. Their findings are compared byte for byte.

usage: divided.py SOURCE BUILD [all]
"""
import concurrent.futures
import functools
import random
import shutil
import sys

from deadlocks import Agent, all_stopped, serve
from protocol import (BUFFERED, COLLECTIVE, CONTENT, EVENTS, FINDING, IN_PLACE, MATCHED_PROBE, NONBLOCKING, PERSISTENT, PROBE, READY, RECEIVE, RECEIVES, SYNCHRONOUS, TAKES, TOGETHER, WILDCARD, Run, finding_body, frame, number, signed)
from scenarios import SCENARIOS
from suite import NAMES, PROGRAM

RANKS = 16
AT_ONCE = 4
ROOTED = ("Bcast", "Reduce")


class Program:
    """Calls of each rank, in order. Ranks make them in an order that the seed gives."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.queues = [[] for _ in range(RANKS)]
        self.line = 100

    def add(self, rank, method, *positional, **named):
        self.queues[rank].append((method, positional, named))

    def play(self, p):
        queues = [list(reversed(queue)) for queue in self.queues]
        order = random.Random(len(queues[0]))
        while any(queues):
            rank = order.randrange(RANKS)
            if queues[rank]:
                method, positional, named = queues[rank].pop()
                getattr(p[rank], method)(*positional, **named)

    def two(self):
        self.line += 10
        return self.random.sample(range(RANKS), 2)

    def message(self, sent=("INT", 4), received=("INT", 4), **named):
        a, b = self.two()
        tag = self.random.randrange(3)
        self.add(a, "send", b, tag=tag, data=sent, line=self.line, **named)
        self.add(b, "receive", a, tag=tag, data=received, line=self.line + 1)

    def requests(self):
        a, b = self.two()
        for me, other in ((a, b), (b, a)):
            self.add(me, "send", other, tag=5, function="Isend", line=self.line)
            self.add(me, "receive", other, tag=5, function="Irecv", line=self.line + 1)
        for me in (a, b):
            self.add(me, "wait_for", 2, line=self.line + 2)

    def collective(self, wrong=None, values=None, comm=1):
        """`wrong`: the name of an argument that one rank passes another value of."""
        self.line += 10
        function = self.random.choice(("Bcast", "Reduce", "Allreduce", "Barrier")) if not wrong else "Reduce"
        bad = self.random.randrange(RANKS)
        for rank in range(RANKS):
            named = {} if function == "Barrier" else {"send": ("INT", 3), "arguments": "op=MPI_SUM"}
            if function in ROOTED:
                named["root"] = 2
            if function in ("Reduce", "Allreduce"):
                named["operator"] = 1
            call = function
            if wrong and rank == bad:
                named.update(values)
                call = named.pop("function", call)
            self.add(rank, "collective", call, line=self.line, comm=comm, **named)

    def lists(self, wrong=0):
        """A v-collective: what one rank sends to or expects of another one has `wrong` more elements."""
        self.line += 10
        function, root = self.random.choice(("Gatherv", "Scatterv", "Allgatherv", "Alltoallv", "Reduce_scatter")), self.random.randrange(RANKS)
        bad = root if function == "Scatterv" else self.random.randrange(RANKS)
        in_place = function == "Alltoallv" and not wrong and self.random.randrange(2)
        for rank in range(RANKS):
            more = wrong if rank == bad else 0
            by_rank = [("INT", i + more * (i == 3)) for i in range(RANKS)]
            pairs = [("INT", (rank + i) % 5 + more * (i == 3)) for i in range(RANKS)]
            named = {
                "Gatherv": {"root": root, "send": ("INT", rank + more), "receives": [("INT", i) for i in range(RANKS)] if rank == root else []},
                "Scatterv": {"root": root, "receive": ("INT", rank), "sends": by_rank if rank == root else []},
                # Built in another way, but the same sequence
                "Allgatherv": {"send": ((("INT", 1),), rank), "receives": by_rank},
                "Alltoallv": {"flags": IN_PLACE, "receives": pairs} if in_place else
                             {"sends": pairs, "receives": [("INT", (rank + i) % 5) for i in range(RANKS)]},
                "Reduce_scatter": {"operator": 1, "arguments": "op=MPI_SUM", "receives": by_rank},
            }[function]
            self.add(rank, "collective", function, line=self.line, comm=4, **named)

    def neighbours(self, wrong=0):
        self.line += 10
        function, bad = self.random.choice(("Neighbor_alltoallv", "Neighbor_allgather", "Neighbor_alltoall")), self.random.randrange(RANKS)
        for rank in range(RANKS):
            more = wrong if rank == bad else 0
            # To the next and the one after it
            named = ({"sends": [("INT", rank), ("INT", 2 * rank + more)], "receives": [("INT", (rank - 1) % RANKS), ("INT", 2 * ((rank - 2) % RANKS))]}
                     if function == "Neighbor_alltoallv" else {"send": ("INT", 3 + more), "receive": ((("INT", 3),), 1)})
            self.add(rank, "collective", function, line=self.line, comm=5, **named)

    def persistent(self, wrong=0):
        """A request that is created once and started twice."""
        self.line += 10
        bad, starts = self.random.randrange(RANKS), self.line + 1000
        for rank in range(RANKS):
            self.add(rank, "add_comm", starts, "starts", rank, RANKS)
            self.add(rank, "collective", "Bcast_init", flags=PERSISTENT, root=1, line=self.line, send=("INT", 2 + (wrong if rank == bad else 0)))
            for line in (self.line + 1, self.line + 2):
                self.add(rank, "collective", "Start", comm=starts, flags=PERSISTENT | NONBLOCKING, line=line)
                self.add(rank, "wait_for", 1, line=self.line + 3)

    def between(self, wrong=0):
        """Both halves of the ranks are the groups of an intercommunicator."""
        self.line += 10
        half, bad = RANKS // 2, self.random.randrange(RANKS // 2, RANKS)
        a, b = self.random.randrange(half), self.random.randrange(half, RANKS)
        self.add(a, "send", b - half, comm=6, peer_in_world=b, line=self.line)
        self.add(b, "receive", a, comm=6, peer_in_world=a, line=self.line + 1)
        for rank in range(RANKS):
            is_root = rank == 3
            self.add(rank, "collective", "Bcast", comm=6, root=3 if rank >= half else -2 if is_root else -3, line=self.line + 2,
                     send=("INT", 3 + (wrong if rank == bad else 0)) if rank >= half or is_root else None)
            self.add(rank, "collective", "Allreduce", comm=6, operator=1, send=("INT", 1), arguments="op=MPI_SUM", line=self.line + 3)
            self.add(rank, "collective", "Barrier", comm=6, line=self.line + 4)

    def creation(self):
        """MPI_Intercomm_create: leaders exchange messages on a communicator that only they announce, then each sends to its group."""
        self.line += 10
        half, bridge, leaders = RANKS // 2, self.line + 2000, (1, RANKS // 2 + 2)
        call = {"function": "Intercomm_create", "line": self.line}
        for rank in range(RANKS):
            leader = leaders[rank // half]
            self.add(rank, "collective", "Intercomm_create", comm=7 + rank // half, flags=TOGETHER, line=self.line)
            if rank == leader:
                other = leaders[rank < half]
                self.add(rank, "add_comm", bridge, "leaders", rank, RANKS)
                self.add(rank, "send", other, comm=bridge, flags=TOGETHER, **call)
                self.add(rank, "receive", other, comm=bridge, flags=TOGETHER, **call)
            else:
                self.add(rank, "receive", leader % half, comm=7 + rank // half, peer_in_world=leader, flags=TOGETHER, **call)
            self.add(rank, "wait_for", 3 if rank == leader else 2, line=self.line)
            for i in range(half if rank == leader else 0):
                member = rank // half * half + i
                if member != rank:
                    self.add(rank, "send", i, comm=7 + rank // half, peer_in_world=member, flags=BUFFERED, **call)

    def probe(self):
        """A probe of any source, then a receive of what it found."""
        a, b = self.two()
        tag = 40 + self.line % 20
        self.add(a, "send", b, tag=tag, comm=4, line=self.line)
        self.add(b, "probe_any", a, tag, line=self.line + 1)
        self.add(b, "receive", a, tag=tag, comm=4, line=self.line + 2)

    def head_to_head(self):
        """Both send first: right only if MPI buffers the messages."""
        a, b = self.two()
        for me, other in ((a, b), (b, a)):
            self.add(me, "send", other, tag=6, line=self.line)
            self.add(me, "receive", other, tag=6, line=self.line + 1)

    def any_tag(self):
        """On a communicator where no message is lost: that would be taken first."""
        a, b = self.two()
        tag = self.random.randrange(3)
        self.add(a, "send", b, tag=tag, comm=4, line=self.line)
        self.add(b, "receive_any_tag", a, tag, line=self.line + 1)

    def ready(self):
        """The receive is posted before, and the sender knows it."""
        a, b = self.two()
        self.add(b, "receive", a, tag=21, comm=4, function="Irecv", line=self.line)
        self.add(b, "send", a, tag=22, comm=4, line=self.line + 1)
        self.add(a, "receive", b, tag=22, comm=4, line=self.line + 2)
        self.add(a, "send", b, tag=21, comm=4, function="Rsend", flags=READY, line=self.line + 3)
        self.add(b, "wait_for", 2, line=self.line + 4)

    def ready_too_early(self):
        """The receive is certainly posted later."""
        a, b = self.two()
        self.add(a, "send", b, tag=21, comm=4, function="Irsend", flags=READY | NONBLOCKING, line=self.line)
        self.add(a, "send", b, tag=22, comm=4, line=self.line + 1)
        self.add(b, "receive", a, tag=22, comm=4, line=self.line + 2)
        self.add(b, "receive", a, tag=21, comm=4, line=self.line + 3)
        self.add(a, "wait_for", 2, line=self.line + 4)

    def wildcards(self):
        a, b = self.two()
        c = next(rank for rank in range(RANKS) if rank not in (a, b))
        for source in (a, c):
            self.add(source, "send", b, tag=7, line=self.line)
        for source in (c, a):
            self.add(b, "receive_any", source, 7, line=self.line + 1)

    def matched_probe(self, received="INT"):
        """The message is received later, after another one."""
        a, b = self.two()
        for tag in (23, 24):
            self.add(a, "send", b, tag=tag, comm=4, line=self.line)
        self.add(b, "matched_probe", a, tag=23, line=self.line + 1)
        self.add(b, "receive", a, tag=24, comm=4, line=self.line + 2)
        self.add(b, "receive_matched", a, tag=23, data=(received, 1), line=self.line + 3)

    def cancelled(self):
        """No message was sent for this receive."""
        a, b = self.two()
        self.add(b, "receive_cancelled", a, line=self.line)

    def data(self, received=17, times=2):
        """Messages whose data is compared."""
        a, b = self.two()
        for _ in range(times):
            self.add(a, "send_content", b, 17, line=self.line)
            self.add(b, "receive_content", a, received, line=self.line + 1)

    def broadcast_data(self, wrong=0):
        """What one rank gets, or what the root sends, is not what all others have."""
        self.line += 10
        bad = self.random.randrange(RANKS)
        for rank in range(RANKS):
            self.add(rank, "broadcast_content", 17 + (wrong if rank == bad else 0), line=self.line)

    def lost(self):
        a, b = self.two()
        self.add(a, "send", b, tag=8, function="Isend", line=self.line)

    def unmatched(self):
        a, b = self.two()
        self.add(b, "receive", a, tag=9, function="Irecv", line=self.line)

    def other_tags(self):
        a, b = self.two()
        self.add(a, "send", b, tag=11, function="Isend", line=self.line)
        self.add(b, "receive", a, tag=12, function="Irecv", line=self.line + 1)

    def leak(self):
        a, _ = self.two()
        self.add(a, "tell_leak")

    def missing(self):
        """Nobody comes later."""
        self.line += 10
        for rank in self.random.sample(range(RANKS), RANKS - 2):
            self.add(rank, "collective", "Barrier", comm=3, line=self.line)


RIGHT = (Program.message, Program.message, Program.requests, Program.collective, Program.any_tag, Program.ready, Program.lists, Program.neighbours, Program.persistent, Program.between, Program.creation, Program.probe, Program.matched_probe, Program.cancelled, Program.data, Program.broadcast_data,
         functools.partial(Program.message, function="Ssend", flags=SYNCHRONOUS))
WRONG = (
    functools.partial(Program.message, sent=("DOUBLE", 4)),
    functools.partial(Program.matched_probe, received="DOUBLE"),
    functools.partial(Program.message, sent=("INT", 9)),
    functools.partial(Program.collective, wrong="root", values={"root": 3}),
    functools.partial(Program.collective, wrong="operator", values={"operator": 2, "arguments": "op=MPI_MAX"}),
    functools.partial(Program.collective, wrong="send", values={"send": ("INT", 5)}),
    functools.partial(Program.collective, wrong="send", values={"send": ("FLOAT", 3)}),
    functools.partial(Program.collective, wrong="function", values={"function": "Bcast"}, comm=2),
    *(functools.partial(step, wrong=2) for step in (Program.lists, Program.neighbours, Program.persistent, Program.between)),
    Program.lost, Program.unmatched, Program.other_tags, Program.leak, Program.wildcards, functools.partial(Program.data, received=18), functools.partial(Program.broadcast_data, wrong=1), Program.head_to_head, Program.ready_too_early,
)


class Teller(Agent):
    def __init__(self, *positional, **named):
        super().__init__(*positional, **named)
        self.broadcasts = self.probed = 0
        for comm in (2, 3, 4):
            self.add_comm(comm, "other", self.rank, self.size)
        self.add_comm(5, "ring", self.rank, self.size, sources=[(self.rank - i) % self.size for i in (1, 2)],
                      dests=[(self.rank + i) % self.size for i in (1, 2)])
        half = self.size // 2
        if half:
            self.add_comm(6, "between", self.rank % half, half, half, self.rank // half)
            self.add_comm(7 + self.rank // half, "half", self.rank % half, half)

    def receive_any_tag(self, peer, tag, line):
        operation = self.receive(peer, tag=-1, comm=4, flags=WILDCARD, line=line)
        self.change(TAKES, operation, signed(peer) + signed(tag))

    def probe_any(self, peer, tag, line):
        operation = self.begin(self.call_number(self.home, "Probe", PROBE, 4, flags=WILDCARD, tag=tag, line=line))
        self.change(TAKES, operation, signed(peer) + signed(tag))

    def matched_probe(self, peer, tag, line):
        self.probed = self.begin(self.call_number(self.home, "Mprobe", MATCHED_PROBE, 4, peer=peer, tag=tag, line=line))

    def receive_matched(self, peer, tag, data, line):
        call = self.call_number(self.home, "Mrecv", RECEIVE, 4, peer=peer, tag=tag, receive=data, line=line)
        self.home.socket.sendall(frame(EVENTS, number(0) + number(RECEIVES) + number(call) + number(self.operations + 1 - self.probed)))

    def receive_cancelled(self, peer, line):
        self.cancel(self.receive(peer, tag=25, comm=4, function="Irecv", line=line))

    def send_content(self, peer, value, line):
        call = self.call_number(self.home, "Send", 1, 1, flags=CONTENT, peer=peer, tag=13, send=("INT", 1), line=line)
        self.home.socket.sendall(frame(EVENTS, number(call) + number(value)))
        self.operations += 1

    def receive_content(self, peer, value, line):
        call = self.call_number(self.home, "Recv", 2, 1, flags=CONTENT, peer=peer, tag=13, receive=("INT", 1), line=line)
        self.begin(call)
        self.home.socket.sendall(frame(EVENTS, number(0) + number(12) + number(call) + number(1) + number(4) + number(value)))

    def broadcast_content(self, value, line):
        call = self.call_number(self.home, "Bcast", COLLECTIVE, 4, root=3, send=("INT", 1), line=line)
        self.begin(call)
        self.broadcasts += 1
        self.home.socket.sendall(frame(EVENTS, number(0) + number(12) + number(call) + number(self.broadcasts) + number(4) + number(value)))

    def tell_leak(self):
        self.home.socket.sendall(frame(FINDING, finding_body(NAMES, "leak.request", self.rank)))


def generated(seed):
    program = Program(seed)
    steps = [program.random.choice(RIGHT) for _ in range(12)]
    # Parts are gathered at different moments: before, between and after the errors.
    for i in range(seed % 4):
        steps.insert(program.random.randrange(len(steps) + 1), WRONG[(seed // 4 + 5 * i) % len(WRONG)])
    for step in steps:
        step(program)
    if seed % 3 == 0:
        program.missing()
    return program.play


# Deadlocks

def ring(p):
    for q in p:
        q.receive_from((q.rank + 1) % len(p), line=20 + q.rank)


def barrier_and_receive(p):
    p[0].send_to(5)
    p[5].receive_from(0)
    p[5].receive_from(0, line=9)
    for q in p:
        if q.rank != 5:
            q.collective_of_all("Barrier")


def two_rings(p):
    for q in p:
        q.receive_from(q.rank ^ 1, line=30 + q.rank // 8)


def other_tag(p):
    p[0].send_to(9, tag=1, function="Ssend", flags=SYNCHRONOUS)
    p[9].receive_from(0, tag=2)
    for q in p:
        if q.rank not in (0, 9):
            q.collective_of_all("Barrier")


def requests(p):
    for q in p:
        for distance in (1, 3):
            q.receive_from((q.rank + distance) % len(p), function="Irecv", line=5, flags=NONBLOCKING)
        q.wait_for(2)


DEADLOCKS = (ring, barrier_and_receive, two_rings, other_tag, requests)


# Playing

def text_of(run):
    """All findings with all that they hold; equal ones of several analysers are one."""
    totals = {}
    for finding in run.findings():
        key = repr((finding["check"], finding["calls"], finding["values"], finding["waits"]))
        totals[key] = totals.get(key, 0) + finding["times"]
    return "\n".join("%d times %s" % (totals[key], key) for key in sorted(totals))


def play(tell, size, is_stopped, **how):
    run = Run(PROGRAM, NAMES, hang_timeout=0, **how)
    agents = [Teller(run, rank, size) for rank in range(size)]
    if is_stopped:
        for agent in agents:
            agent.call_number(agent.home, "Barrier", COLLECTIVE, 1)
    tell(agents)
    if is_stopped:
        assert serve(agents, all_stopped(agents)), "nobody said STOP"
    else:
        for agent in agents:
            agent.bye()
    run.wait()
    assert not run.notes(), run.notes()
    text = text_of(run)
    shutil.rmtree(run.folder)
    return text


def ways(is_long):
    """How a run may be divided: all analysers, some of them, connected to one or as a deep tree."""
    for nodes in (1, 2, 4, 8, 16) if is_long else (1, 4, 16):
        yield {"nodes": nodes, "parts": "1"}
    yield {"nodes": 4, "parts": "1010"}
    yield {"nodes": 8, "parts": "1", "children": 2}
    if is_long:
        yield {"nodes": 4, "parts": "0111"}
        yield {"nodes": 8, "parts": "11110000", "children": 1}
        yield {"nodes": 16, "parts": "0", "children": 3}


def programs(is_long):
    """(kind, number): functions cannot be sent to other processes."""
    for seed in range(1, 121 if is_long else 5):
        yield "generated", seed
    for i in range(len(DEADLOCKS) if is_long else 1):
        yield "deadlock", i
    for i in range(0, len(SCENARIOS), 1 if is_long else 12):
        yield "scenario", i


def find(kind, i):
    if kind == "generated":
        return generated(i), RANKS, False
    if kind == "deadlock":
        return DEADLOCKS[i], RANKS, True
    function, _, size = SCENARIOS[i]
    return function, size, False


def problems_of(program, is_long):
    tell, size, is_stopped = find(*program)
    problems, one = [], ""
    try:
        one = play(tell, size, is_stopped, nodes=1, parts="0")
        if is_stopped and not one:
            problems.append("%s %d: nothing is found" % program)
        for way in ways(is_long):
            other = play(tell, size, is_stopped, **way)
            if other != one:
                problems.append("%s %d: %r finds\n%s\ninstead of\n%s" % (*program, way, other, one))
    except Exception as error:
        problems.append("%s %d: %s: %s" % (*program, type(error).__name__, error))
    return problems, bool(one)


def main():
    is_long = sys.argv[3:] == ["all"]
    chosen = list(programs(is_long))
    with concurrent.futures.ProcessPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(problems_of, chosen, [is_long] * len(chosen)))
    problems = [problem for found, _ in results for problem in found]
    print("\n".join([*problems, "%d programs, %d of them with findings, %d problems" % (len(chosen), sum(right for _, right in results), len(problems))]))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())

"""Verdicts of tarry-analyser on deadlocks: agents that report executions, answer questions or not, and are stopped. The verdicts on one node
and on four are the same.

usage: deadlocks.py SOURCE BUILD
"""
import concurrent.futures
import os
import select
import sys
import time

from protocol import COLLECTIVE, EVENTS, FINALIZED, NONBLOCKING, RECEIVE, SEND, Process, Reader, Run, frame, number, text, word
from suite import NAMES, PROGRAM, expect, run_tests, test

ASK, ANSWER, STOP, STACK = 14, 15, 16, 17
WAITS = 6
STOPPED = 5
WAIT = 6
# Longer than any wait, even on a loaded machine.
PATIENCE = 40
AT_ONCE = 6


class Agent(Process):
    """Reports the calls of its process, and its position: in its last call, or as in `state`."""

    def __init__(self, *positional, **named):
        super().__init__(*positional, **named)
        self.last = self.answers = 0
        self.state = "in call"
        self.is_stopped = False

    def emit(self, *positional, **named):
        self.last = self.call_number(self.home, *positional, **named)
        self.begin(self.last)

    def send_to(self, peer, tag=0, function="Send", line=1, flags=0):
        self.emit(function, SEND, 1, peer=peer, tag=tag, line=line, flags=flags, send=("INT", 1))

    def receive_from(self, peer, tag=0, function="Recv", line=2, flags=0):
        self.emit(function, RECEIVE, 1, peer=peer, tag=tag, line=line, flags=flags, receive=("INT", 1))

    def collective_of_all(self, function, line=3):
        self.emit(function, COLLECTIVE, 1, line=line)

    def wait_for(self, count, line=4):
        self.last = self.call_number(self.home, "Waitall", WAIT, 1, line=line)
        self.home.socket.sendall(frame(EVENTS, number(0) + number(WAITS) + number(self.last) + number(count) +
                                          b"".join(number(i + 1) for i in range(count))))

    def answer(self, body):
        reader = Reader(body)
        question, wants_stacks = reader.number(), reader.number()
        self.answers += 1
        thread = number(0) + number(self.last) + number(self.state == "in call") + number(self.answers if self.state == "polls" else 1)
        if self.state == "silent":
            return
        if self.state == "vanishes":
            self.vanish()
            self.is_stopped = True
            return
        if self.state == "nonsense":
            self.home.socket.sendall(frame(ANSWER, number(question + 7) + number(1 << 60) + number(1) + number(1 << 31) +
                                              number(1 << 31) + number(3) + number(1 << 60)))
            thread = number(99) + number(1 << 20) + number(3) + number(0)
        self.home.socket.sendall(frame(ANSWER, number(question) + number(0) + number(1) + thread))
        if wants_stacks:
            note = "waits" if self.state == "in call" else "runs"
            call = (word(self.world) + number(self.rank) + number(NAMES.call("Recv" if note == "waits" else "Iprobe")) + text(note) + text("") +
                    number(1) + text("app.c") + text("") + number(0) + number(50 + self.rank))
            self.home.socket.sendall(frame(STACK, number(question) + number(1) + call))

    def hear(self, link):
        """Input from a connection. False: it is closed."""
        more = link.socket.recv(65536)
        link.input += more
        self.take(link)
        return bool(more)

    def take(self, link):
        while len(link.input) >= 5:
            length = int.from_bytes(link.input[:4], "little")
            if len(link.input) < 4 + length:
                break
            kind, body, link.input = link.input[4], link.input[5:4 + length], link.input[4 + length:]
            if kind == ASK:
                self.answer(body)
            elif kind == STOP and not self.is_stopped:
                self.is_stopped = True
                self.bye(STOPPED)
            if self.is_stopped:
                break


def serve(processes, is_enough, seconds=PATIENCE):
    """Agents answer until the condition is true. False: it never was."""
    end = time.time() + seconds
    while not is_enough():
        links = {p.home.socket: (p, p.home) for p in processes if not p.is_stopped}
        if time.time() > end:
            return False
        # Input received together with an earlier frame.
        for process, link in links.values():
            if not process.is_stopped:
                process.take(link)
        links = {socket: whose for socket, whose in links.items() if not whose[0].is_stopped}
        for ready in select.select(list(links), [], [], 0.05)[0]:
            process, link = links[ready]
            if not process.is_stopped and not process.hear(link):
                process.is_stopped = True
    return True


def start(size, nodes=1, timeout=0):
    os.environ["TARRY_HANG_TIMEOUT"] = str(timeout)
    run = Run(PROGRAM, NAMES, nodes=nodes)
    agents = [Agent(run, rank, size) for rank in range(size)]
    for agent in agents:
        agent.call_number(agent.home, "Barrier", COLLECTIVE, 1)
    return run, agents


def all_stopped(processes):
    return lambda: all(p.is_stopped for p in processes)


def shown(run):
    """Check, rank and line of each call."""
    return sorted((f["check"], tuple((call["rank"], call["stack"][0][3] if call["stack"] else 0, call["note"]) for call in f["calls"]))
                  for f in run.findings())


def stops(run, agents, *expected):
    assert serve(agents, all_stopped(agents)), "nobody said STOP"
    run.wait()
    expect(shown(run), sorted(expected))
    assert os.path.exists(run.folder + "/stopped")
    expect(run.notes(), "")
    return run


def goes_on(run, agents, seconds, *expected):
    """No process is stopped for a while; then all finalize."""
    assert not serve(agents, lambda: any(p.is_stopped for p in agents), seconds), "somebody was stopped"
    for agent in agents:
        agent.bye()
    run.wait()
    expect(shown(run), sorted(expected))
    assert not os.path.exists(run.folder + "/stopped")
    return run


CYCLE = ("deadlock.cycle", ((0, 2, "waits"), (1, 2, "waits")))


def both_receive(nodes):
    run, p = start(4, nodes)
    p[0].receive_from(1)
    p[1].receive_from(0)
    p[2].send_to(3)
    p[3].receive_from(2)
    p[2].receive_from(0, line=7)
    p[3].receive_from(2, line=8)
    return stops(run, p, (CYCLE[0], CYCLE[1] + ((2, 7, "behind"), (3, 8, "behind"))))


@test
def a_cycle():
    return both_receive(1)


@test
def a_cycle_on_four_nodes():
    return both_receive(4)


def other_tag(nodes):
    """The reason that keeps them apart is reported, too."""
    run, p = start(2, nodes)
    p[0].send_to(1, tag=1, function="Ssend", flags=32)
    p[1].receive_from(0, tag=2)
    return stops(run, p, ("deadlock.cycle", ((0, 1, "waits"), (1, 2, "waits"))),
                 ("message.tag-mismatch", ((0, 1, "sent"), (1, 2, "received"))))


@test
def tags_that_differ():
    return other_tag(1)


@test
def tags_that_differ_on_four_nodes():
    return other_tag(4)


@test
def a_process_that_has_finalized():
    """The receive that waits for it is not reported again."""
    run, p = start(3)
    p[0].receive_from(1)
    p[1].collective_of_all("Finalize")
    p[1].bye(FINALIZED)
    p[1].is_stopped = True
    p[2].collective_of_all("Finalize", line=9)
    assert serve(p, all_stopped(p)), "nobody said STOP"
    run.wait()
    expect([f[0] for f in shown(run)], ["deadlock.finished-process"])
    expect(run.findings()[0]["values"]["finished"], "1")
    return run


@test
def a_collective_call_that_one_never_comes_to():
    run, p = start(3)
    p[0].collective_of_all("Barrier")
    p[1].collective_of_all("Finalize", line=9)
    p[2].collective_of_all("Barrier")
    assert serve(p, all_stopped(p)), "nobody said STOP"
    run.wait()
    expect([f[0] for f in shown(run)], ["deadlock.finished-process"])
    return run


@test
def requests():
    run, p = start(2)
    p[0].receive_from(1, function="Irecv", line=5, flags=NONBLOCKING)
    p[0].wait_for(1)
    p[1].receive_from(0)
    return stops(run, p, ("deadlock.cycle", ((0, 4, "waits"), (0, 5, "began"), (1, 2, "waits"))))


def doubtful(state):
    run, p = start(2)
    p[1].state = state
    p[0].receive_from(1)
    p[1].receive_from(0)
    assert not serve(p, lambda: any(q.is_stopped for q in p), 3), "somebody was stopped"
    assert p[0].answers and p[1].answers
    return run, p


@test
def an_agent_that_does_not_answer_at_first():
    run, p = doubtful("silent")
    p[1].state = "in call"
    return stops(run, p, CYCLE)


@test
def an_agent_that_answers_nonsense():
    run, p = doubtful("nonsense")
    p[1].state = "in call"
    return stops(run, p, CYCLE)


@test
def a_process_that_is_elsewhere():
    """It has left the call: its message may be in transit."""
    run, p = doubtful("elsewhere")
    p[1].send_to(0)
    p[0].send_to(1)
    return goes_on(run, p, 1)


@test
def a_process_that_vanishes_when_it_is_asked():
    run, p = start(2)
    p[1].state = "vanishes"
    p[0].receive_from(1)
    p[1].receive_from(0)
    assert serve(p, lambda: p[1].is_stopped)
    assert not serve(p, lambda: p[0].is_stopped, 2), "a process that waits for one that crashed was stopped"
    p[0].vanish()
    run.wait()
    expect([f[0] for f in shown(run)], ["end.crash"])
    return run


@test
def sends_that_were_buffered():
    run, p = start(2)
    for q in p:
        q.send_to(1 - q.rank)
        q.receive_from(1 - q.rank)
        q.collective_of_all("Barrier")
    return goes_on(run, p, 1, ("deadlock.potential-send", ((0, 1, "waits"), (1, 1, "waits"))))


@test
def right_programs():
    run, p = start(2)
    for _ in range(100):
        p[0].send_to(1)
        p[1].receive_from(0)
        p[1].send_to(0)
        p[0].receive_from(1)
        for q in p:
            q.collective_of_all("Barrier")
    return goes_on(run, p, 0.5)


def hang(nodes):
    run, p = start(3, nodes, timeout=2)
    p[1].state = "polls"
    p[0].receive_from(1)
    p[2].receive_from(0)
    return stops(run, p, ("deadlock.hang", ((1, 51, "late"), (0, 50, "waits"), (2, 52, "waits"))))


@test
def polling():
    return hang(1)


@test
def polling_on_four_nodes():
    return hang(4)


@test
def a_hang_without_all_answers():
    run, p = start(2, timeout=1)
    p[1].state = "silent"
    p[0].receive_from(1)
    assert serve(p, lambda: p[0].is_stopped), "nobody said STOP"
    p[1].vanish()
    run.wait()
    expect([(f[0], [call[0] for call in f[1]]) for f in shown(run)], [("deadlock.hang", [1, 0])])
    return run


@test
def computing_is_no_hang():
    run, p = start(2, timeout=1)
    for q in p:
        q.state = "computes"
        q.send_to(1 - q.rank, function="Isend", flags=NONBLOCKING)
        q.receive_from(1 - q.rank)
    return goes_on(run, p, 4)


@test
def who_comes_when_the_run_is_stopped():
    """A process that was not involved is informed at once, and a process killed meanwhile has not crashed."""
    run, p = start(2)
    p[0].receive_from(1)
    p[1].receive_from(0)
    assert serve(p, lambda: os.path.exists(run.folder + "/stopped"))
    late = Agent(run, 0, 1, world=77)
    assert serve([late], lambda: late.is_stopped), "nobody said STOP"
    for q in p:
        if not q.is_stopped:
            q.vanish()
    run.wait()
    expect(shown(run), [CYCLE])
    return run


if __name__ == "__main__":
    # They mostly wait for silence, so several run at once.
    with concurrent.futures.ProcessPoolExecutor(AT_ONCE) as workers:
        sys.exit(run_tests(workers.map))

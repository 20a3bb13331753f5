"""Analysers that execute the calls of their own processes do not believe each other everything. One that gets a fact that cannot be says so, and its
processes are not checked any more. Nothing is reported that is a guess.

usage: contradictions.py SOURCE BUILD
"""
import shutil
import sys
import time

from faults import SlowLeader
from protocol import FINALIZED, UNCHECKED, WORLD, Process, Run, frame, number, word
from tree import NAMES, PROGRAM, FakeAnalyser, checks, expect, mismatch

FACTS, REACHED = 22, 23
TO_NOBODY = frame(FACTS, word(WORLD) + number(0) + number(2) + number(77))  # a receive took send 77 of rank 0
SENTENCE = "analysers contradict each other"
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def end(run, is_checked, *expected):
    run.wait()
    expect(run.ends(), {rank: FINALIZED if is_checked else UNCHECKED for rank in range(2)})
    expect(checks(run), sorted(expected))
    assert SENTENCE in run.notes(), run.notes()
    shutil.rmtree(run.folder)


def say(run, p):
    """A message of the wrong type. Returns when it has been found: what is only heard is not executed after a contradiction."""
    mismatch(p, 0, 1)
    until = time.monotonic() + 60
    while checks(run, complete=False) != ["message.type-mismatch"]:
        assert time.monotonic() < until, "the mismatch is not found"
        time.sleep(0.02)


def go_on(p):
    """Calls that look unmatched."""
    p[0].send(1, tag=7, function="Isend")
    p[1].receive(0, tag=8, function="Irecv")
    p[0].collective("Barrier")
    for q in p:
        q.bye()


def with_fake_analyser(content, is_checked):
    run = Run(PROGRAM, NAMES, parts="1")
    fake = FakeAnalyser(run, "")
    p = [Process(run, rank, 2) for rank in range(2)]
    say(run, p)
    fake.link.sendall(content)
    for q in p:
        q.wait_until_heard()
    fake.link.close()
    go_on(p)
    end(run, is_checked, "message.type-mismatch")


@test
def a_wrong_fact_at_the_leader():
    with_fake_analyser(TO_NOBODY, is_checked=False)


@test
def a_damaged_frame_to_the_leader():
    """That one is not heard any more. Nothing is concluded from its silence."""
    with_fake_analyser(frame(REACHED, b"x"), is_checked=True)


@test
def a_wrong_fact_at_another_analyser():
    """No call before it: if a process waits for long enough, the leader takes over, and finds what is wrong."""
    for content in (TO_NOBODY, frame(REACHED, word(77) + number(0)), frame(FACTS, b"x")):
        run = Run(PROGRAM, NAMES, nodes=0, parts="1")
        run.environment["TARRY_CHECK_PARTS"] = "1"
        leader = SlowLeader(run)
        leader.prove(gathers=False)
        p = [Process(run, rank, 2, host="node1") for rank in range(2)]
        for q in p:
            q.wait_until_heard()
        leader.link.sendall(content)
        try:
            while True:
                leader.read()
        except AssertionError:  # it has closed the connection
            pass
        go_on(p)
        end(run, False)


def main():
    failed = 0
    for function in TESTS:
        try:
            function()
        except Exception as error:
            failed += 1
            print("%s: %s: %s" % (function.__name__, type(error).__name__, error))
    print("%d tests, %d failed" % (len(TESTS), failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

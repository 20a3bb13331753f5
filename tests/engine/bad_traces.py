"""Incomplete traces, or traces whose clocks jump: the analysis reports what is missing, and never finds more waiting
than the available time, or negative waiting.

Usage: bad_traces.py TARRY PRINT_FINDINGS RULES STEP     every STEP-th of the damages is tried
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import defaultdict

from analyzed import Told, analyze
from clockwork import run_cases
from programs import Program
from replayed import WORLD, Trace, assemble
from waits import STATES

TARRY, PRINTER, RULES = sys.argv[1:4]
STEP = int(sys.argv[4])
W = "comm=0x%x" % WORLD
HEADER, CAPACITY = 64, 28
CASES = []


def case(function):
    CASES.append(function)
    return function


FREE = ("mpi.ready-send-error",)  # charged with nothing: they are errors


def check_sums(told):
    """The waits of one process, in one state, are sequential: together they are not longer than the run."""
    per_process = defaultdict(int)
    for (state, rank, *_), (count, total, largest) in told.findings.items():
        assert count > 0 and largest <= total <= count * largest, (state, rank, count, total, largest)
        assert (largest > 0) == (state not in FREE), (state, rank, largest)
        if state in STATES:
            per_process[state, rank] += total
    for key, total in per_process.items():
        assert total <= told.run["length"], "%s: %d ns of %d" % (key, total, told.run["length"])
    for name, (count, total) in {**told.metrics, **told.problems}.items():
        assert total >= 0 and ((count > 0) == (total > 0) or name in FREE), (name, count, total)
        assert name not in STATES or total <= told.run["time"], (name, total, told.run)


def analyzed(text):
    told = analyze(TARRY, PRINTER, text, shipped=RULES)
    check_sums(told)
    return told


def reported(path, is_damaged=False):
    """The messages of `tarry analyze` besides its findings. It reports damage like all commands, and continues."""
    done = subprocess.run([TARRY, "analyze", "--json", "-", path], capture_output=True, timeout=200)
    assert done.returncode == is_damaged, (done.returncode, done.stderr.decode())
    assert ("is damaged" in done.stderr.decode()) == is_damaged, done.stderr.decode()
    return " ".join(json.loads(done.stdout)["notes"])


def notes_of(text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.tarry")
        assemble(TARRY, text, path)
        return reported(path)


def message(trace, sent, received):
    if sent:
        trace.add(0, 5000000, 5001000, "MPI_Send peer=1 tag=1 sent=8 " + W)
    if received:
        trace.add(1, 1000000, 5002000, "MPI_Recv peer=0 tag=1 received=8 " + W)
    return trace.text()


@case
def a_whole_message():
    told = analyzed(message(Trace(2), True, True))
    assert told.metrics["late-sender"] == (1, 4000000), told.metrics
    assert not notes_of(message(Trace(2), True, True))


@case
def a_message_without_its_receive():
    told = analyzed(message(Trace(2), True, False))
    assert told.metrics["late-sender"] == told.metrics["late-receiver"] == (0, 0)
    assert "no matching receive in the trace" in notes_of(message(Trace(2), True, False))


@case
def a_message_without_its_send():
    told = analyzed(message(Trace(2), False, True))
    assert told.metrics["late-sender"] == (0, 0)
    assert "no matching send in the trace" in notes_of(message(Trace(2), False, True))


@case
def one_rank_out_of_many():
    program = Program(5, 6, 80)
    whole = analyzed(program.trace.text())
    assert not notes_of(program.trace.text())
    program.trace.missing = set(range(1, 6))
    told = analyzed(program.trace.text())
    assert "only 1 of 6 processes" in notes_of(program.trace.text()), notes_of(program.trace.text())
    # Waiting for messages to itself is known.
    assert told.metrics["late-sender"][1] <= whole.metrics["late-sender"][1]
    assert {rank for _, rank, *_ in told.findings} <= {0}


@case
def some_ranks_out_of_many():
    for seed in range(30, 36):
        program = Program(seed, 6, 40, is_plain=True)
        program.trace.missing = set(random.Random(seed).sample(range(6), seed % 4 + 1))
        analyzed(program.trace.text())


def with_jump(program, rank, place, jump):
    """From an event on, the clock of a process is wrong."""
    lines = program.trace.events[rank][0]
    for i in range(place, len(lines)):
        start, end, rest = lines[i].split(" ", 2)
        lines[i] = "%d %d %s" % (max(0, int(start) + jump), max(0, int(end) + jump), rest)
    return program.trace.text()


@case
def a_clock_that_jumps():
    moved = 0
    for seed in range(40, 52):
        pick = random.Random(seed)
        program = Program(seed, 4, 40, is_plain=True)
        rank = pick.randrange(4)
        jump = pick.choice((-1, 1)) * pick.choice((1000, 300000, 9000000))
        text = with_jump(program, rank, pick.randrange(len(program.trace.events[rank][0])), jump)
        analyzed(text)
        moved += "times were corrected" in notes_of(text)
    assert moved > 3, "most of them should have moved an effect before its cause"


@case
def times_without_end():
    trace = Trace(2)
    trace.add(0, 2**63, 2**64 - 2, "MPI_Send peer=1 tag=1 sent=8 " + W)
    trace.add(1, 1, 2**64 - 1, "MPI_Recv peer=0 tag=1 received=8 " + W)
    analyze(TARRY, PRINTER, trace.text(), shipped=RULES)


def written(program, folder):
    path = os.path.join(folder, "t.tarry")
    done = subprocess.run([TARRY, "assemble", "--chunk=512", "-o", path, "-"], input=program.trace.text().encode(),
                          capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    with open(path, "rb") as file:
        return path, file.read()


def try_file(path):
    """It is analysed, or rejected with a message."""
    done = subprocess.run([PRINTER, "--shipped", RULES, path], capture_output=True, timeout=200)
    if done.returncode == 1 and done.stderr:
        return None
    assert done.returncode == 0, "ended with %d: %s" % (done.returncode, done.stderr.decode())
    told = Told(done.stdout.decode())
    check_sums(told)
    return told


@case
def a_trace_that_is_cut():
    pick = random.Random(60)
    with tempfile.TemporaryDirectory() as folder:
        path, whole = written(Program(60, 5, 60, is_plain=True), folder)
        all_events = try_file(path).run["events"]
        for _ in range(0, 40, STEP):
            with open(path, "wb") as file:
                file.write(whole[:pick.randrange(len(whole))])
            told = try_file(path)
            assert told is None or told.run["events"] <= all_events
        with open(path, "wb") as file:
            file.write(whole[:len(whole) // 2])
        assert "the trace contains only" in reported(path, is_damaged=True), "half of it is missing"


def parts_of(whole):
    """process -> its chunks"""
    parts, at = defaultdict(bytes), 0
    while at + HEADER <= len(whole):
        size = HEADER + int.from_bytes(whole[at + CAPACITY:at + CAPACITY + 4], "little")
        size = (size + 7) // 8 * 8
        parts[int.from_bytes(whole[at + 16:at + 20], "little")] += whole[at:at + size]
        at += size
    return parts


@case
def a_job_that_was_killed():
    pick = random.Random(70)
    with tempfile.TemporaryDirectory() as folder:
        path, whole = written(Program(70, 5, 60, is_plain=True), folder)
        os.remove(path)
        parts = path + ".parts"
        os.mkdir(parts)
        for _ in range(0, 20, STEP):
            for rank, content in parts_of(whole).items():
                keep = len(content) if pick.random() < 0.3 else pick.randrange(HEADER, len(content))
                with open(os.path.join(parts, "%d.part" % rank), "wb") as file:
                    file.write(content[:keep])
            try_file(path)
        assert "killed" in reported(path, is_damaged=True)


@case
def bytes_that_were_changed():
    pick = random.Random(80)
    with tempfile.TemporaryDirectory() as folder:
        path, whole = written(Program(80, 4, 40, is_plain=True), folder)
        for _ in range(0, 30, STEP):
            damaged = bytearray(whole)
            for _ in range(pick.randrange(1, 8)):
                damaged[pick.randrange(len(damaged))] = pick.randrange(256)
            with open(path, "wb") as file:
                file.write(damaged)
            try_file(path)


run_cases(CASES)

"""Replays random programs and compares matches, order, violations and corrected times with a simulation.

Usage: random_replays.py TARRY PRINT_REPLAY PRINT_TIMES PRINT_RELATIONS [COUNT [FIRST_SEED]]
"""

import os
import random
import subprocess
import sys
import tempfile

from replayed import Told, assemble
from simulated import Simulation


def run(program, path):
    done = subprocess.run([program, path], capture_output=True, timeout=200)
    if done.returncode:
        sys.exit("%s died: %s" % (program, done.stderr.decode()))
    return done.stdout.decode()


def check_matches(simulation, told):
    assert sorted((m[0], m[1], m[2], m[4]) for m in told.messages) == sorted(simulation.messages), "matches"
    probes = sorted((m.source, simulation.tick(m.source, m.start), rank, end) for m, rank, end in simulation.probes)
    assert sorted((m[0], m[1], m[2], m[4]) for m in told.probed) == probes, "probes"
    for key in ("unmatched_sends", "unmatched_receives", "forced", "mixed_collectives", "incomplete_collectives"):
        assert told.counts[key] == 0, "%s is %d" % (key, told.counts[key])


def check_order(simulation, told):
    at = told.place()
    for rank, own in enumerate(simulation.order):
        places = [at[what, rank, start] for start, _ in own for what in ("enter", "leave")]
        assert places == sorted(places), "order of process %d" % rank
    ends = {(rank, end): at["leave", rank, start] for rank, own in enumerate(simulation.order) for start, end in own}
    for sender, sent, receiver, end in simulation.messages:
        assert at["enter", sender, sent] < ends[receiver, end], "a message before it was sent"
    for rank, _, end, needed in simulation.leaves:
        for other, start in needed.items():
            assert at["enter", other, start] < ends[rank, end], "a collective call before a member came"


def call(text):
    """(process, start, end) of FUNCTION@PROCESS.THREAD:START-END#POSITION"""
    where, _, times = text.partition("@")[2].partition(":")
    start, end = times.partition("#")[0].split("-")
    return int(where.split(".")[0]), int(start), int(end)


def check_relations(simulation, text):
    *lines, counts = text.splitlines()
    first = int(counts.rpartition("=")[2])
    told, left = {"receive": [], "send": [], "probe": []}, []
    for line in lines:
        head, _, members = line.partition(": ")
        for words in (member.split() for member in members.split("; ") if member):
            if head.startswith("gathering"):
                begun, over = call(words[-2]), call(words[-1])
                left.append((begun[0], begun[1] + first, over[2] + first))
            elif head.startswith("completion"):
                source, dest, over = call(words[1]), call(words[2]), call(head.split()[1])
                ends = (source[0], source[1] + first, dest[0])
                told[words[0]].append(ends + (over[2] + first,) * (words[0] != "send"))
    probes = {(m.source, simulation.tick(m.source, m.start), rank, end) for m, rank, end in simulation.probes}
    assert sorted(told["receive"]) == sorted(simulation.messages), "completions of receives"
    assert sorted(told["send"]) == sorted(m[:3] for m in simulation.messages), "completions of sends"
    assert set(told["probe"]) <= probes and len(set(told["probe"])) == len(told["probe"]), "probes that waited"
    assert sorted(left) == sorted(l[:3] for l in simulation.leaves), "gatherings"


def violations(simulation, when):
    """(messages, collectives, worst) by brute force; when(process, tick) is the time."""
    early = [when(s, sent) - when(r, end) for s, sent, r, end in simulation.messages]
    early += [when(m.source, simulation.tick(m.source, m.start)) - when(r, end) for m, r, end in simulation.probes]
    late = [max(when(p, start) for p, start in needed.items()) - when(rank, end)
            for rank, _, end, needed in simulation.leaves if needed]
    return (sum(e > 0 for e in early), sum(e > 0 for e in late), max([0] + early + late))


def check_times(simulation, text):
    times, told = {}, {}
    for line in text.splitlines():
        words = line.split()
        if words[0] == "event":
            process, start, end, start_ns, end_ns, clock_start, clock_end = map(int, words[1:8])
            times[process, start], times[process, end] = start_ns, end_ns
            assert (clock_start, clock_end) == (start, end), "without a clock a tick is 1 ns"
        elif words[0] == "violations":
            told = {key: int(value) for key, _, value in (word.partition("=") for word in words[1:])}
    before = violations(simulation, lambda process, tick: tick)
    assert before == (told["before_messages"], told["before_collectives"], told["worst"]), "violations before"
    assert told["after_messages"] == told["after_collectives"] == 0, "violations after"
    after = violations(simulation, lambda process, tick: times[process, tick])
    assert after[:2] == (0, 0), "violations after, by brute force: %s" % (after,)
    if not any(before[:2]):
        assert all(tick == ns for (_, tick), ns in times.items()), "times were moved for nothing"
    for rank, own in enumerate(simulation.order):
        moved = [times[rank, tick] for step in own for tick in step]
        assert moved == sorted(moved), "corrected times of process %d go backwards" % rank
        assert all(times[rank, tick] >= tick for step in own for tick in step), "a time was moved to the past"
    return before[0] + before[1]


def main():
    tarry, print_replay, print_times, print_relations = sys.argv[1:5]
    count = int(sys.argv[5]) if len(sys.argv) > 5 else 60
    first = int(sys.argv[6]) if len(sys.argv) > 6 else 1
    found = 0
    for seed in range(first, first + count):
        pick = random.Random(seed)
        simulation = Simulation(pick.randrange(2, 9), seed, pick.choice((5, 20, 80)))
        simulation.run()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.tarry")
            assemble(tarry, simulation.trace.text(), path)
            try:
                told = Told(run(print_replay, path))
                check_matches(simulation, told)
                check_order(simulation, told)
                check_relations(simulation, run(print_relations, path))
                found += check_times(simulation, run(print_times, path))
            except (AssertionError, KeyError) as wrong:
                sys.exit("seed %d: %r" % (seed, wrong))
    if count >= 20 and not found:
        sys.exit("no program had a violation: the test tests nothing")


main()

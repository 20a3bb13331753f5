"""Planted mismatches and their correct twins, reported to tarry-analyser by agents without a program: the findings on one node
and on four are the same, and nothing is found in correct twins.

usage: mismatches.py SOURCE BUILD
"""
import shutil
import sys

from protocol import Process, Run
from scenarios import SCENARIOS, in_world
from suite import NAMES, PROGRAM


def shown(findings):
    result = []
    for finding in findings:
        lines = [call["stack"][0][3] for call in finding["calls"]]
        ranks = [call["rank"] for call in finding["calls"]]
        result.append((finding["calls"][0]["world"], finding["check"], lines, ranks, finding["values"], finding["times"]))
    return sorted(result, key=str)


def play(nodes):
    """All of them in one run, each in its own world."""
    run = Run(PROGRAM, NAMES, nodes=nodes)
    for world, (function, _, size) in enumerate(SCENARIOS, 100):
        processes = [in_world(Process(run, rank, size, world)) for rank in range(size)]
        function(processes)
        for process in processes:
            process.bye()
    run.wait()
    found = run.findings()
    assert not run.notes(), run.notes()
    shutil.rmtree(run.folder)
    return found


def judge(found):
    wrong = 0
    for world, (function, expected, _) in enumerate(SCENARIOS, 100):
        of_world = [f for f in found if f["calls"][0]["world"] == world]
        left = list(of_world)
        for check, lines, values in expected:
            fitting = [f for f in left if f["check"] == check and
                       [call["stack"][0][3] for call in f["calls"]] == lines and
                       values.items() <= f["values"].items()]
            if not fitting:
                print("%s: %s at %s %s is missing" % (function.__name__, check, lines, values))
                wrong += 1
            left = [f for f in left if f not in fitting]
        for finding in left:
            print("%s: %s" % (function.__name__, shown([finding])))
            wrong += 1
    return wrong


def strip(found):
    totals = {}
    for world, check, lines, ranks, values, times in shown(found):
        key = (world, check, tuple(lines), tuple(ranks), tuple(sorted(values.items())))
        totals[key] = totals.get(key, 0) + times
    return totals


def main():
    one, four = play(1), play(4)
    wrong = judge(one)
    if strip(one) != strip(four):
        print("on one node and on four different things are found:", set(strip(one).items()) ^ set(strip(four).items()))
        wrong += 1
    print("%d scenarios, %d wrong" % (len(SCENARIOS), wrong))
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())

"""Clocks with known errors: offsets, drift, several hops, bad comparisons, none at all; and the logical clock in
addition. Each planted trace has a clean twin.

Usage: clock_cases.py TARRY PRINT_TIMES
"""

import json
import os
import re
import subprocess
import sys
import tempfile

from clockwork import run_cases
from replayed import Trace, WORLD, assemble

W = "comm=0x%x" % WORLD
SECOND = 10**9
CASES = []


def case(function):
    CASES.append(function)
    return function


class Times:
    def __init__(self, text):
        self.clocks, self.corrected, self.by_clock, self.uncertainty, self.violations = {}, {}, {}, {}, {}
        for line in text.splitlines():
            words = line.split()
            numbers = dict(re.findall(r"(\w+)=(\S+)", line))
            if words[0] == "clock":
                self.clocks[re.search('"(.*)"', line).group(1)] = {k: float(v) for k, v in numbers.items()}
            elif words[0] == "event":
                process, start, end, start_ns, end_ns, clock_start, clock_end = map(int, words[1:8])
                self.corrected[process, start], self.corrected[process, end] = start_ns, end_ns
                self.by_clock[process, start], self.by_clock[process, end] = clock_start, clock_end
                self.uncertainty[process, start] = float(words[8])
            elif words[0] == "violations":
                self.violations = {k: int(v) for k, v in numbers.items()}

    def found(self):
        return self.violations["before_messages"], self.violations["before_collectives"]

    def left(self):
        return self.violations["after_messages"] + self.violations["after_collectives"]


def times(trace):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.tarry")
        assemble(sys.argv[1], trace.text(), path)
        done = subprocess.run([sys.argv[2], path], capture_output=True, timeout=200)
    assert done.returncode == 0, done.stderr.decode()
    return Times(done.stdout.decode())


class Clock:
    """One that was at `offset` at true time 0 and drifts; ticks are of `rate`."""

    def __init__(self, name, offset=0, ppm=0.0, rate=SECOND):
        self.name, self.offset, self.ppm, self.rate = name, offset, ppm, rate

    def tick(self, true):
        return round((100 * SECOND + self.offset + true * (1 + self.ppm * 1e-6)) * self.rate / SECOND)


def with_clocks(clocks, moments=(SECOND, 2 * SECOND, 5 * SECOND), date=True):
    """A trace in which each process has a clock and makes calls at true moments."""
    trace = Trace(len(clocks))
    for rank, clock in enumerate(clocks):
        if clock.name:
            trace.head(rank, 'property clock "%s"' % clock.name)
        points = " tick=%d ns=%d" % (clock.tick(0), 1000 * SECOND) if date else ""
        trace.head(rank, "clock tsc %d%s" % (clock.rate, points))
        for moment in moments:
            trace.add(rank, clock.tick(moment), clock.tick(moment + 10), "MPI_Comm_rank " + W)
    return trace


def compare(trace, rank, own, other, moment, error=0, uncertainty=50):
    trace.head(rank, 'compare tick=%d other=%d rate=%d uncertainty=%d "%s"' % (
        own.tick(moment), other.tick(moment) + error, other.rate, uncertainty, other.name))


def error(told, clocks, rank, moment):
    """The error of the corrected time of a true moment relative to the first clock."""
    return told.by_clock[rank, clocks[rank].tick(moment)] - told.by_clock[0, clocks[0].tick(moment)]


@case
def one_clock_for_all():
    clocks = [Clock("a", 500), Clock("a", 500)]
    told = times(with_clocks(clocks))
    assert len(told.clocks) == 1 and told.clocks["a"]["compared"]
    assert error(told, clocks, 1, SECOND) == 0
    assert told.by_clock[0, clocks[0].tick(SECOND)] == 1001 * SECOND, "the date of the reference"
    assert set(told.uncertainty.values()) == {0}


@case
def an_offset():
    clocks = [Clock("a"), Clock("b", 123456789)]
    trace = with_clocks(clocks)
    compare(trace, 1, clocks[1], clocks[0], SECOND // 2)
    told = times(trace)
    for moment in (SECOND, 2 * SECOND, 5 * SECOND):
        assert abs(error(told, clocks, 1, moment)) <= 1, error(told, clocks, 1, moment)
    # One comparison does not show the drift, so distant times are uncertain.
    assert 50 <= told.uncertainty[1, clocks[1].tick(SECOND)] < told.uncertainty[1, clocks[1].tick(5 * SECOND)]


@case
def the_same_without_comparison():
    clocks = [Clock("a"), Clock("b", 123456789)]
    told = times(with_clocks(clocks))
    assert told.clocks["a"]["compared"] and not told.clocks["b"]["compared"]
    assert error(told, clocks, 1, SECOND) == 0, "both have the time of day"
    assert told.uncertainty[1, clocks[1].tick(SECOND)] < 0, "how well it is right is not known"


@case
def a_drift():
    clocks = [Clock("a"), Clock("b", -5 * SECOND + 77, ppm=40), Clock("b", -5 * SECOND + 77, ppm=40)]
    trace = with_clocks(clocks)
    # Each process of a clock may compare it, and either side may.
    compare(trace, 1, clocks[1], clocks[0], 6 * SECOND)
    compare(trace, 0, clocks[0], clocks[1], 7 * SECOND)
    compare(trace, 2, clocks[2], clocks[0], 16 * SECOND)
    told = times(trace)
    assert abs(told.clocks["b"]["drift_ppm"] - 40) < 0.1, told.clocks
    for rank in (1, 2):
        for moment in (SECOND, 2 * SECOND, 5 * SECOND):
            assert abs(error(told, clocks, rank, moment)) <= 2


@case
def another_rate():
    clocks = [Clock("a", rate=24 * 10**6), Clock("b", SECOND, ppm=-30, rate=3 * SECOND)]
    trace = with_clocks(clocks)
    compare(trace, 1, clocks[1], clocks[0], 0)
    compare(trace, 1, clocks[1], clocks[0], 5 * SECOND)
    told = times(trace)
    assert abs(told.clocks["b"]["drift_ppm"] + 30) < 0.1, told.clocks
    for moment in (SECOND, 2 * SECOND, 5 * SECOND):
        assert abs(error(told, clocks, 1, moment)) <= 50, "a tick of the slower one is 42 ns"


@case
def several_hops():
    clocks = [Clock("a"), Clock("b", 10**6, ppm=10), Clock("c", -10**7, ppm=-20)]
    trace = with_clocks(clocks)
    for moment in (0, 10 * SECOND):
        compare(trace, 1, clocks[1], clocks[0], moment, uncertainty=100)
        compare(trace, 1, clocks[1], clocks[2], moment, uncertainty=70)
    told = times(trace)
    assert told.clocks["c"]["hops"] == 2
    assert abs(error(told, clocks, 2, 5 * SECOND)) <= 2
    assert told.uncertainty[2, clocks[2].tick(SECOND)] >= 170


@case
def through_a_clock_that_no_process_uses():
    clocks = [Clock("a"), Clock("b", 10**6, ppm=10)]
    between = Clock("between", 42)
    trace = with_clocks(clocks)
    for moment in (0, 10 * SECOND):
        for rank in range(2):
            compare(trace, rank, clocks[rank], between, moment)
    told = times(trace)
    assert abs(error(told, clocks, 1, 5 * SECOND)) <= 2


@case
def most_processes_choose_the_reference():
    clocks = [Clock("lonely"), Clock("a", 10), Clock("b", 20)]
    trace = with_clocks(clocks)
    compare(trace, 1, clocks[1], clocks[2], SECOND)
    told = times(trace)
    assert told.clocks["a"]["compared"] and told.clocks["b"]["compared"] and not told.clocks["lonely"]["compared"]
    assert told.clocks["a"]["hops"] == 0


@case
def a_bad_comparison_that_says_so():
    clocks = [Clock("a"), Clock("b", 1000, ppm=5)]
    trace = with_clocks(clocks)
    for moment in (0, 5 * SECOND, 10 * SECOND):
        compare(trace, 1, clocks[1], clocks[0], moment)
    compare(trace, 1, clocks[1], clocks[0], 2 * SECOND, error=30000, uncertainty=40 * 10**6)
    told = times(trace)
    assert told.clocks["b"]["used"] == 3 and told.clocks["b"]["measured"] == 4
    assert abs(error(told, clocks, 1, 2 * SECOND)) <= 2


@case
def a_wrong_comparison():
    clocks = [Clock("a"), Clock("b", 1000, ppm=5)]
    trace = with_clocks(clocks)
    for moment in (0, 5 * SECOND, 10 * SECOND):
        compare(trace, 1, clocks[1], clocks[0], moment)
    # 100 ms within a second are more than any drift.
    compare(trace, 1, clocks[1], clocks[0], 6 * SECOND, error=10**8, uncertainty=60)
    told = times(trace)
    assert told.clocks["b"]["used"] == 3
    assert abs(error(told, clocks, 1, 5 * SECOND)) <= 2


@case
def comparisons_close_together():
    clocks = [Clock("a"), Clock("b", 1000, ppm=5)]
    trace = with_clocks(clocks)
    # Their errors would be a drift of hundreds of parts per million.
    for i in range(10):
        compare(trace, 1, clocks[1], clocks[0], i * 100000, error=(-1)**i * 90, uncertainty=100 - i)
    compare(trace, 1, clocks[1], clocks[0], 10 * SECOND)
    told = times(trace)
    assert told.clocks["b"]["used"] == 2
    assert abs(error(told, clocks, 1, 5 * SECOND)) <= 100
    for moment in (SECOND, 2 * SECOND, 5 * SECOND):
        stated = told.uncertainty[1, clocks[1].tick(moment)]
        assert abs(error(told, clocks, 1, moment)) <= stated <= 1000, "the stated uncertainty covers the error"


@case
def nothing_known_of_any_clock():
    trace = Trace(2)
    trace.add(0, 5, 6, "MPI_Comm_rank " + W)
    trace.add(1, 7, 8, "MPI_Comm_rank " + W)
    assert times(trace).by_clock == {(0, 5): 5, (0, 6): 6, (1, 7): 7, (1, 8): 8}


# The logical clock


def exchange(early):
    """Process 0 receives `early` ns before process 1 has sent, and both continue for a while."""
    trace = Trace(2)
    for i in range(10):
        trace.add(0, 10**6 + 1000 * i, 10**6 + 1000 * i + 10, "MPI_Comm_rank " + W)
        trace.add(0, 2 * 10**6 + 1000 * i + 600, 2 * 10**6 + 1000 * i + 610, "MPI_Comm_rank " + W)
    trace.events[0][0][10:10] = ["1999000 2000000 MPI_Recv peer=1 tag=1 " + W]
    trace.events[0][0].sort(key=lambda line: int(line.split()[0]))
    trace.add(1, 2 * 10**6 + early, 2 * 10**6 + early + 50, "MPI_Send peer=0 tag=1 " + W)
    return trace


@case
def a_message_that_comes_too_early():
    told = times(exchange(5000))
    assert told.found() == (1, 0) and told.left() == 0 and told.violations["worst"] == 5000
    assert told.corrected[0, 2000000] == 2005100, "just behind its cause"
    moved = [told.corrected[0, t] - t for _, t in sorted(k for k in told.corrected if k[0] == 0)]
    peak = moved.index(max(moved))
    assert moved[:peak + 1] == sorted(moved[:peak + 1]) and moved[peak:] == sorted(moved[peak:], reverse=True)
    assert 0 < moved[peak - 1] < 5100, "what precedes is drawn along"
    assert 0 < moved[-1] < 5100, "and what follows decays"
    assert all(told.corrected[1, t] == t for p, t in told.corrected if p == 1), "the cause stays"


@case
def a_message_in_time():
    told = times(exchange(-10))
    assert told.found() == (0, 0) and told.corrected == told.by_clock


@case
def a_ramp_stops_at_the_own_sends():
    # Process 0 sends at 1990000, which is received at once: it must not move after its effect.
    trace = exchange(5000)
    trace.events[0][0].insert(10, "1990000 1990005 MPI_Send peer=1 tag=2 " + W)
    trace.events[1][0].insert(0, "1990000 1990020 MPI_Recv peer=0 tag=2 " + W)
    told = times(trace)
    assert told.left() == 0 and told.found() == (1, 0)
    assert told.corrected[0, 1990000] <= told.corrected[1, 1990020] == 1990020


@case
def collectives_left_too_early():
    for text, expected in (("MPI_Barrier", 1), ("MPI_Bcast root=1", 1), ("MPI_Bcast root=0", 0),
                           ("MPI_Reduce root=0", 1), ("MPI_Reduce root=1", 0), ("MPI_Scan", 0), ("MPI_Alltoallv", 0)):
        trace = Trace(2)
        trace.add(0, 100, 200, "%s %s" % (text, W))
        trace.add(1, 1000, 2000, "%s %s" % (text, W))
        told = times(trace)
        assert told.found() == (0, expected) and told.left() == 0, text
    trace = Trace(2)
    trace.add(0, 1000, 2000, "MPI_Scan " + W)
    trace.add(1, 100, 200, "MPI_Scan " + W)
    assert times(trace).found() == (0, 1), "of a scan, the lower ranks come first"


@case
def nobody_needs_who_gives_nothing():
    """Rank 0 arrives when the others have left: they could not know whether it had data for them."""
    for function in ("MPI_Gatherv root=1", "MPI_Allgatherv"):
        for sent, is_needed in ((0, False), (8, True)):
            trace = Trace(3)
            for rank, (start, end) in enumerate(((4000, 5000), (1000, 3000), (2000, 3000))):
                received = 16 if rank == 1 or function == "MPI_Allgatherv" else 0
                trace.add(rank, start, end, "%s sent=%d received=%d %s" % (
                    function, sent if rank == 0 else 8, received, W))
            told = times(trace)
            assert (told.found()[1] > 0) == is_needed, (function, sent, told.violations)
            assert (told.corrected[1, 3000] == told.by_clock[1, 3000]) != is_needed, (function, sent)


@case
def a_coarse_clock():
    # Everything at once: the moved end is at the time of the send before it.
    trace = Trace(3)
    trace.add(0, 100, 100, "MPI_Send peer=2 tag=1 " + W)
    trace.add(0, 100, 100, "MPI_Recv peer=1 tag=1 " + W)
    trace.add(1, 500, 500, "MPI_Send peer=0 tag=1 " + W)
    trace.add(2, 100, 100, "MPI_Recv peer=0 tag=1 " + W)
    told = times(trace)
    assert told.found() == (1, 0) and told.left() == 0


def tarry(trace, *words):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.tarry")
        assemble(sys.argv[1], trace.text(), path)
        done = subprocess.run([sys.argv[1], *words, path], capture_output=True, timeout=200)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@case
def what_info_says():
    clocks = [Clock("a"), Clock("b", 123456789, ppm=20), Clock("c", 5)]
    trace = with_clocks(clocks)
    for moment in (0, 6 * SECOND):
        compare(trace, 1, clocks[1], clocks[0], moment, uncertainty=420)
    trace.add(0, clocks[0].tick(7 * SECOND), clocks[0].tick(7 * SECOND + 100), "MPI_Recv peer=1 tag=0 " + W)
    trace.add(1, clocks[1].tick(7 * SECOND + 3100), clocks[1].tick(7 * SECOND + 3200), "MPI_Send peer=0 tag=0 " + W)
    text = tarry(trace, "info")
    for words in ("tsc, 1000 MHz\n", "2 clocks, compared 2 times: corrected to within 5", "drift from 0 to 20 ppm",
                  "1 more were not compared", "1 message received before being sent, by up to 3.00 us;",
                  "corrected times have none"):
        assert words in text, (words, text)
    told = json.loads(tarry(trace, "info", "--json"))
    assert [(c["identity"], c["compared"], c["reference"], c["comparisons"]) for c in told["clocks"]] == [
        ("a", True, True, 0), ("b", True, False, 2), ("c", False, False, 0)]
    assert told["clocks"][1]["drift_ppb"] == 20000 and told["clocks"][1]["uncertainty_ns"] >= 420
    assert told["clocks"][2]["uncertainty_ns"] is None
    assert told["violations"] == {"messages": 1, "collectives": 0, "worst_ns": 3000}
    assert told["violations_left"] == {"messages": 0, "collectives": 0, "worst_ns": 0}


@case
def what_info_says_of_one_clock():
    trace = with_clocks([Clock("a"), Clock("a")])
    trace.add(0, 200 * SECOND, 200 * SECOND + 5, "MPI_Barrier " + W)
    trace.add(1, 200 * SECOND, 200 * SECOND + 5, "MPI_Barrier " + W)
    text = tarry(trace, "info")
    assert "tsc, 1000 MHz, the same for all processes\n" in text, text
    assert "no message arrives before it was sent" in text and "compared" not in text, text


@case
def a_corrected_dump():
    trace = exchange(5000)
    plain, corrected = tarry(trace, "dump"), tarry(trace, "dump", "--corrected")
    assert "1999000 2000000 MPI_Recv" in plain
    assert re.search(r"^2004084 2005100 MPI_Recv", corrected, re.M), corrected
    assert "2005000 2005050 MPI_Send" in corrected


run_cases(CASES)

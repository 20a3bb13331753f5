"""Random links between nodes: what the engine makes of messages, most of which were disturbed, is what the link is. The
smallest and the largest message of a link are not: no line that is below both is nearer. Messages that no memory could move so fast
tell nothing, and small ones nothing of large ones.

Usage: estimates.py TARRY
"""

import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "model"))

from replayed import Trace, WORLD, assemble  # noqa: E402

LINKS = 40
COMM = "comm=0x%x" % WORLD
RULES = """
declare composite event late member( transfer as m where not m.is_send )
parameters( takes = m.estimate, lost = m.wait.start - m.send.start + 0 * m.wait.end_delay, at = m.wait );
declare problem late for late when lost > 0 s parameters( name = "late", duration = lost, advice = "{takes}" );
"""
UNITS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1}


class Link:
    """Between ranks 2n and 2n + 1, each on a node of its own."""

    def __init__(self, number, pick):
        self.ranks, self.pick, self.now = (2 * number, 2 * number + 1), pick, 1000
        self.latency, self.per_byte = pick.randrange(200, 20000), pick.choice((0.02, 0.1, 1, 3))
        self.asked = pick.randrange(1, 1 << 22)

    def time(self, size):
        return self.latency + size * self.per_byte

    def send(self, trace, size, waits, takes, line):
        """The receiver comes `waits` before the sender, or after it."""
        source, dest = self.pick.sample(self.ranks, 2)
        start = self.now + 10**6
        end = max(start, start - waits) + round(takes)
        trace.add(source, start, start + 10, "MPI_Isend site=1+1 peer=%d tag=0 request=0 sent=%d %s" % (dest, size, COMM))
        trace.add(source, start + 11, start + 12, "MPI_Wait site=1+1 done=0")
        trace.add(dest, start - waits, end, "MPI_Recv site=1+%d peer=%d tag=0 received=%d %s" % (line, source, size, COMM))
        self.now = end

    def add_to(self, trace, line):
        sizes = [8, *(self.pick.randrange(9, 1 << 23) for _ in range(12)), 1 << 24]
        for size in sizes:
            is_exact = size in (sizes[0], sizes[-1])
            self.send(trace, size, self.pick.randrange(1, 1000), self.time(size) * (is_exact or self.pick.uniform(1, 3)), 1)
            self.send(trace, size, 100, self.time(size) * self.pick.uniform(1.1, 3), 1)
        self.send(trace, self.asked, -5000, 100, line)


def told(tarry, text):
    with tempfile.TemporaryDirectory() as folder:
        rules, path = os.path.join(folder, "late.rules"), os.path.join(folder, "t.tarry")
        with open(rules, "w") as file:
            file.write(RULES)
        assemble(tarry, text, path)
        done = subprocess.run([tarry, "analyze", "--no-shipped", "--rules", rules, "--all", "--json", "-", path],
                              capture_output=True, timeout=200, check=True)
    return {finding["line"]: finding["advice"] for finding in json.loads(done.stdout)["findings"]}


def told_of(tarry, messages, asked):
    """The estimate of this many bytes, if receivers that wait get messages of (bytes, ns)."""
    trace, link = Trace(2), Link(0, random.Random(1))
    for rank in range(2):
        trace.head(rank, 'property host "node%d"' % rank)
        trace.head(rank, 'source 1 "program.c" "step"')
    for size, takes in messages:
        link.send(trace, size, 100, takes, 1)
    link.send(trace, asked, -5000, 20, 100)
    return told(tarry, trace.text())[100]


def check_without_cpu(tarry):
    """Receivers that had no CPU for most of a transfer do not show how long it takes: measured delays are not exact. Here a rank also completes a send
    whose receiver comes 40 us after the message."""
    large, trace, now = 3 << 19, Trace(2), 10**6
    for rank in range(2):
        trace.head(rank, 'property host "node%d"' % rank)
        trace.head(rank, 'source 1 "program.c" "step"')
    for takes_us, delay_us in ((2000, 1950), (600, 100), (2000, 1900), (900, 0)):
        end = now + 1000 * takes_us
        for start, call in ((-200, "MPI_Irecv site=1+1 peer=0 tag=0 request=0"), (-150, "MPI_Issend site=1+1 peer=0 tag=1 request=1 sent=8")):
            trace.add(1, now + start, now + start + 10, f"{call} {COMM}")
        trace.add(1, now - 100, end, f"MPI_Waitall site=1+1 done=0 received={large} done=1 delay_before=0 delay_inside={delay_us}")
        trace.add(0, now, now + 10, f"MPI_Isend site=1+1 peer=1 tag=0 request=0 sent={large} {COMM}")
        trace.add(0, now + 11, now + 12, "MPI_Wait site=1+1 done=0")
        trace.add(0, now + 40000, now + 40010, f"MPI_Recv site=1+1 peer=1 tag=1 received=8 {COMM}")
        now = end + 10**6
    link = Link(0, random.Random(1))
    link.now = now
    link.send(trace, large, -5000, 20, 100)
    found = told(tarry, trace.text())[100]
    if found != "500 us":
        sys.exit("receivers without a CPU: %s, should be 500 us" % found)


def check_impossible(tarry):
    large = 3 << 19
    for what, messages, asked, wanted in (
            ("measured", [(8, 1000), (large, 100000)], large, "100 us"),
            ("faster than memory", [(large, 38)], large, "an unknown time"),
            ("faster than any message", [(8, 38)], 8, "an unknown time"),
            ("only small ones", [(8, 1000), (8, 1100)], large, "an unknown time"),
            ("only small ones, and asked for such", [(8, 1000), (8, 1100)], 16, "1.00 us"),
            ("too fast and not", [(large, 38), (large, 90000)], large, "90.0 us")):
        found = told_of(tarry, messages, asked)
        if found != wanted:
            sys.exit("%s: %s, should be %s" % (what, found, wanted))


def main():
    check_impossible(sys.argv[1])
    check_without_cpu(sys.argv[1])
    pick = random.Random(1)
    trace = Trace(2 * LINKS)
    links = [Link(number, pick) for number in range(LINKS)]
    for rank in range(2 * LINKS):
        trace.head(rank, 'property host "node%d"' % rank)
        trace.head(rank, 'source 1 "program.c" "step"')
    for number, link in enumerate(links):
        link.add_to(trace, 100 + number)
    advice = told(sys.argv[1], trace.text())
    for number, link in enumerate(links):
        value, unit = advice[100 + number].split()
        right = link.time(link.asked)
        if abs(float(value) * UNITS[unit] - right) > 0.01 * right:
            sys.exit("link %d: %s for %d bytes, which take %d ns" % (number, advice[100 + number], link.asked, right))


main()

"""Random networks in the LogGP model: 'tarry whatif' finds latency, overheads, gaps and bandwidth of messages within nodes and between them, although most
messages are disturbed.

Usage: network_model.py TARRY
"""

import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "model"))

from replayed import Trace, WORLD, assemble  # noqa: E402

COMM = "comm=0x%x" % WORLD
NETWORKS = 6
SIZES = (0, 8, 100, 1000, 30000, 500000, 4000000)
# Of a figure, what rounding to 1 ns may change.
MARGIN = 0.02


class Link:
    """From rank `source` to rank `dest`."""

    def __init__(self, trace, pick, source, dest):
        self.trace, self.pick, self.ranks, self.now = trace, pick, (source, dest), 10**6
        self.latency, self.send, self.receive = pick.randrange(500, 20000), pick.randrange(100, 900), pick.randrange(100, 900)
        self.gap, self.per_byte = self.send + pick.randrange(100, 2000), pick.choice((0.02, 0.1, 1))

    def message(self, size, slower, early=None, post_line=2):
        """The receiver waits, or asks for the message `early` ns after it was sent."""
        source, dest = self.ranks
        sent = self.now
        self.trace.add(source, sent, sent + round(self.send * slower), f"MPI_Isend site=1+1 peer={dest} tag=0 request=0 sent={size} {COMM}")
        self.trace.add(source, sent + 2 * self.gap, sent + 2 * self.gap + 5, "MPI_Wait site=1+3 done=0")
        took = round((self.send + self.latency + self.receive + size * self.per_byte) * slower)
        begin = sent - 50 if early is None else sent + early
        end = sent + took if early is None else begin + round(self.receive * slower)
        self.trace.add(dest, begin, end, f"MPI_Recv site=1+{post_line} peer={source} tag=0 received={size} {COMM}")
        self.now = max(end, sent + 3 * self.gap) + 10**4

    def burst(self, slower):
        """Small messages, one after the other."""
        source, dest = self.ranks
        step = round(self.gap * slower)
        starts = [self.now + i * step for i in range(4)]
        for i, start in enumerate(starts):
            self.trace.add(source, start, start + round(self.send * slower), f"MPI_Send site=1+4 peer={dest} tag=1 sent=8 {COMM}")
            received = starts[-1] + 10**5 + 10**4 * i
            self.trace.add(dest, received, received + round(self.receive * slower), f"MPI_Recv site=1+5 peer={source} tag=1 received=8 {COMM}")
        self.now = starts[-1] + 10**6

    def messages(self):
        slowness = [1, *(self.pick.uniform(1, 3) for _ in range(6))]
        for slower in self.pick.sample(slowness, len(slowness)):
            self.burst(slower)
            for size in SIZES:
                self.message(size, slower)
            self.message(8, slower, early=10**6)

    def expected(self):
        return {"latency_s": self.latency, "send_overhead_s": self.send, "receive_overhead_s": self.receive, "gap_s": self.gap, "gap_per_byte_s": self.per_byte}


def networks_of(tarry, text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.tarry")
        assemble(tarry, text, path)
        done = subprocess.run([tarry, "whatif", "--json", "-", path], capture_output=True, timeout=200, check=True)
    return {network["distance"]: network for network in json.loads(done.stdout)["networks"]}


def check(tarry, seed):
    pick, trace = random.Random(seed), Trace(4)
    for rank in range(4):
        trace.head(rank, f'property host "node{rank // 2}"')
        trace.head(rank, "eager 65536 node")
        trace.head(rank, "eager 16384 network")
        trace.head(rank, 'source 1 "program.c" "step"')
    within, between = Link(trace, pick, 0, 1), Link(trace, pick, 2, 0)
    within.messages()
    between.now = within.now + 10**6
    between.messages()
    found = networks_of(tarry, trace.text())
    for name, link, eager in (("within", within, 65536), ("between", between, 16384)):
        for key, ns in link.expected().items():
            value = found[name][key]
            if value is None or abs(value * 1e9 - ns) > MARGIN * ns + 1:
                sys.exit(f"seed {seed}, {name}: {key} is {value}, should be {ns} ns")
        if found[name]["eager_bytes"] != eager:
            sys.exit(f"seed {seed}, {name}: {found[name]}")


def main():
    for seed in range(NETWORKS):
        check(sys.argv[1], seed)


main()

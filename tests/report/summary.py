"""The summary of a report against a second evaluation of random programs: time by function, messages by size, traffic between ranks,
and the figures of efficiency by their formulas.

    summary.py TARRY"""

import collections
import math
import random
import sys

from traces import head, report_of

TARRY = sys.argv[1]
PROGRAMS = 12


class Program:
    """Ranks that compute, then send and receive one message after the other."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.size = self.random.randint(1, 7)
        self.calls = [[] for _ in range(self.size)]
        self.clock = [0] * self.size
        self.matrix = collections.Counter()
        self.bytes = collections.Counter()
        self.sizes = collections.Counter()
        for rank in range(self.size):
            self.call(rank, "MPI_Init", 1000)
        if self.size > 1:
            self.prepare()
            for _ in range(self.random.randint(0, 60)):
                self.message()
                self.call(self.random.randrange(self.size), "MPI_Comm_rank comm=0x1", 1000)
        for rank in range(self.size):
            self.call(rank, "MPI_Finalize", 1000)

    def call(self, rank, text, inside, not_before=0, end_after=0):
        start = max(self.clock[rank] + self.random.randint(0, 5000), not_before)
        end = max(start + self.random.randint(0, inside), end_after)
        self.calls[rank].append((start, end, text))
        self.clock[rank] = end
        return start

    def count(self, source, dest, size):
        self.matrix[source, dest] += 1
        self.bytes[source, dest] += size
        self.sizes[size.bit_length()] += 1

    def prepare(self):
        """Rank 0 has a request to rank 1 for all of the run, which may never be started."""
        self.prepared = self.random.choice((0, 3, 4096))
        self.call(0, f"MPI_Send_init site=1+0x1 comm=0x1 peer=1 tag=9 sent={self.prepared} request=7 persistent=1", 100)

    def message(self):
        source, dest = self.random.sample(range(self.size), 2)
        size = self.random.choice((0, 1, 7, 8, 1000, 1 << 20))
        how = self.random.choice(("MPI_Send", "MPI_Isend", "MPI_Start"))
        if how == "MPI_Start":
            source, dest, size = 0, 1, self.prepared
            sent = self.call(source, "MPI_Start request=7", 100)
            self.call(source, "MPI_Wait done=7", 3000)
        elif how == "MPI_Isend":
            sent = self.call(source, f"MPI_Isend site=1+0x2 comm=0x1 peer={dest} tag=1 sent={size} request=0", 100)
            self.call(source, "MPI_Wait done=0", 3000)
        else:
            sent = self.call(source, f"MPI_Send site=1+0x{self.random.randint(3, 5)} comm=0x1 peer={dest} tag=1 sent={size}", 3000)
        tag = 9 if how == "MPI_Start" else 1
        self.call(dest, f"MPI_Recv site=2+0x1 comm=0x1 peer={source} tag={tag} received={size}", 3000, end_after=sent + 1)
        self.count(source, dest, size)

    def lines(self):
        for rank in range(self.size):
            yield from head(rank, self.size)
            yield "thread 0"
            yield from (f"{start} {end} {text}" for start, end, text in self.calls[rank])

    def functions(self):
        """Calls, ns inside, and of the rank that has most of these."""
        calls, inside = collections.Counter(), collections.Counter()
        for rank in range(self.size):
            for start, end, text in self.calls[rank]:
                calls[text.split()[0]] += 1
                inside[text.split()[0], rank] += end - start
        return {name: (count, sum(inside[name, rank] for rank in range(self.size)),
                       max(inside[name, rank] for rank in range(self.size))) for name, count in calls.items()}

    def places(self):
        inside = collections.Counter()
        for calls in self.calls:
            for start, end, text in calls:
                site = [word for word in text.split() if word.startswith("site=")]
                inside[text.split()[0], int(site[0].split("+")[1], 16) if site else None] += end - start
        return inside

    def efficiency(self):
        """Between the end of MPI_Init and the last start of MPI_Finalize. Local calls are computing."""
        last = max(calls[-1][0] for calls in self.calls)
        waits = [min(last, calls[-1][1]) - calls[-1][0] for calls in self.calls]
        self.lengths = [calls[-1][0] + wait - calls[0][1] for wait, calls in zip(waits, self.calls)]
        inside = [wait + sum(end - start for start, end, text in calls[1:-1] if "MPI_Comm_rank" not in text)
                  for wait, calls in zip(waits, self.calls)]
        self.computing = [length - time for length, time in zip(self.lengths, inside)]
        balance = sum(self.computing) / self.size / max(self.computing)
        length = max(self.lengths)
        return {"load_balance": balance, "communication": max(self.computing) / length,
                "parallel": sum(self.computing) / self.size / length}


def ns(seconds):
    return round(seconds * 1e9)


def compare(program, summary):
    functions = {row["call"]: (row["calls"], ns(row["total_s"]), ns(row["most"]["total_s"])) for row in summary["functions"]}
    assert functions == program.functions(), (functions, program.functions())
    places = collections.Counter({(row["call"], row["line"]): ns(row["total_s"]) for row in summary["call_paths"]})
    assert places == program.places(), (places, program.places())
    totals = [row["total_s"] for row in summary["functions"]]
    assert totals == sorted(totals, reverse=True), totals
    matrix = {(row["from"], row["to"]): (row["messages"], row["bytes"]) for row in summary["matrix"]}
    assert matrix == {pair: (count, program.bytes[pair]) for pair, count in program.matrix.items()}, (matrix, program.matrix)
    sizes = {row["from_bytes"].bit_length(): row["messages"] for row in summary["message_sizes"]}
    assert sizes == program.sizes, (sizes, program.sizes)
    for key, value in program.efficiency().items():
        assert math.isclose(summary["efficiency"][key], value, abs_tol=1e-5), (key, summary["efficiency"], value)
    assert [ns(rank["length_s"]) for rank in summary["ranks"]] == program.lengths
    assert [ns(rank["computing_s"]) for rank in summary["ranks"]] == program.computing
    assert [rank["calls"] for rank in summary["ranks"]] == [len(calls) for calls in program.calls]
    assert sum(rank["sent_bytes"] for rank in summary["ranks"]) == sum(program.bytes.values())
    assert sum(rank["received_bytes"] for rank in summary["ranks"]) == sum(program.bytes.values())
    parts = sum(ns(summary[key]) for key in ("computing_s", "communication_s", "tool_s", "unrecorded_s"))
    assert parts == ns(summary["time_s"]), (parts, summary["time_s"])


def main():
    for seed in range(PROGRAMS):
        program = Program(seed)
        compare(program, report_of(TARRY, program.lines())["summary"])
    print(f"{PROGRAMS} programs agree")


main()

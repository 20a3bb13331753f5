"""Removes calls from random programs, like --from, --to and --only, and counts them in SKIPPED records: the rest must be matched as in the
whole program.

Usage: random_skips.py TARRY PRINT_REPLAY PRINT_RELATIONS [COUNT [FIRST_SEED]]
"""

import os
import random
import re
import subprocess
import sys
import tempfile

from replayed import Told, assemble
from simulated import KINDS, Simulation

MEETS = set(KINDS) | {"MPI_I" + name[4:].lower() for name in KINDS}


class Call:
    """A line of the trace."""

    def __init__(self, line):
        start, end, self.name, *words = line.split()
        self.line, self.start, self.end = line, int(start), int(end)
        self.fields = dict(word.split("=") for word in words if "=" in word and not word.startswith("done"))
        self.done = [dict(word.split("=") for word in group.split())
                     for group in re.findall(r"done=\S+(?: source=\S+ source_tag=\S+)?", line)]
        self.recorded = True

    def text(self):
        return self.line.split(" ", 2)[2]


class Counter:
    """The recorder's data about excluded calls: their number by kind, and requests that others refer to."""

    def __init__(self, live):
        self.live = set(live)  # numbers of requests and messages that were recorded and are under way
        self.counts, self.ended, self.open = {}, [], {}

    def count(self, text):
        self.counts[text] = self.counts.get(text, 0) + 1

    def receive(self, comm, source, tag):
        self.count("MPI_Recv peer=%s tag=%s comm=%s" % (source, tag, comm))

    def add(self, call):
        fields = call.fields
        for done in call.done:
            self.end(int(done["done"]), done)
        if call.name in MEETS:
            self.count("MPI_Barrier comm=" + fields["comm"])
        elif call.name in ("MPI_Send", "MPI_Ssend", "MPI_Isend"):
            self.count("MPI_Send peer=%(peer)s tag=%(tag)s comm=%(comm)s" % fields)
        elif call.name in ("MPI_Recv", "MPI_Mprobe"):
            self.receive(fields["comm"], fields.get("source", fields["peer"]), fields.get("source_tag", fields["tag"]))
        elif call.name == "MPI_Irecv" and (fields["peer"] == "any" or fields["tag"] == "-1"):
            self.open[int(fields["request"])] = (fields["comm"], call.text())
        elif call.name == "MPI_Irecv":
            self.receive(fields["comm"], fields["peer"], fields["tag"])
        elif call.name == "MPI_Mrecv" and int(fields["message"]) in self.live:
            self.live.remove(int(fields["message"]))
            self.ended.append("MPI_Mrecv message=" + fields["message"])

    def end(self, number, done):
        if number in self.live:
            self.live.remove(number)
            self.ended.append("MPI_Wait " + " ".join("%s=%s" % pair for pair in done.items()))
        elif number in self.open:
            self.receive(self.open.pop(number)[0], done["source"], done["source_tag"])

    def lines(self, tick):
        yield from ("skipped %d 1 %s" % (tick, text) for text in self.ended)
        yield from ("skipped %d %d %s" % (tick, count, text) for text, count in self.counts.items())
        yield from ("skipped %d 1 %s" % (tick, text) for _, text in self.open.values())


def live_before(calls, at):
    """Requests and messages under way, of calls that were recorded."""
    live = set()
    for call in calls[:at]:
        live -= {int(done["done"]) for done in call.done}
        if call.name == "MPI_Mrecv":
            live.discard(int(call.fields["message"]))
        number = call.fields.get("message" if call.name == "MPI_Mprobe" else "request")
        if number is not None:
            live.discard(int(number))
            if call.recorded:
                live.add(int(number))
    return live


def paused(calls, pick, counts):
    """Lines of a thread with pauses, each as counts, or call by call."""
    edges = sorted(pick.sample(range(len(calls)), min(len(calls), pick.choice((0, 2, 2, 4)))))
    for first, last in zip(edges[::2], edges[1::2]):
        for call in calls[first:last]:
            call.recorded = False
    lines = []
    for at, call in enumerate(calls):
        if call.recorded:
            lines.append(call.line)
            continue
        if not at or calls[at - 1].recorded:
            counter, skipped = Counter(live_before(calls, at)), []
            lines.append("pause %d counted" % (calls[at - 1].end if at else call.start))
        counter.add(call)
        skipped.append("skipped %d 1 " + call.text())
        if calls[at + 1].recorded:
            tick = calls[at + 1].start
            lines.append("resume %d counted" % tick)
            lines += counter.lines(tick) if counts else (line % tick for line in skipped)
    return lines


def selected(calls, names):
    """Lines of a thread without some functions."""
    lines, skipped = [], []
    for call in calls:
        call.recorded = call.name not in names or call.name == "MPI_Finalize"
        if not call.recorded:
            skipped.append("skipped %d 1 " + call.text())
            continue
        lines += [line % call.start for line in skipped] + [call.line]
        skipped = []
    return lines


def reduce(simulation, pick):
    """The text of the trace without some calls, and all calls by process."""
    trace, all_calls = simulation.trace, {}
    names = sorted({line.split()[2] for own in trace.events.values() for line in own[0]})
    how, names = pick.choice(("counts", "calls", "functions")), set(pick.sample(names, max(1, len(names) // 3)))
    for rank, own in trace.events.items():
        end = int(own[0][-1].split()[1]) if own[0] else 100000
        calls = all_calls[rank] = [Call(line) for line in own[0] + ["%d %d MPI_Finalize" % (end + 10, end + 20)]]
        own[0] = selected(calls, names) if how == "functions" else paused(calls, pick, how == "counts")
        if how == "functions":
            trace.head(rank, 'property selection "--not %s"' % ",".join(sorted(names)))
            trace.head(rank, 'property counted "SKIPPED"')
    return trace.text(), all_calls


def run(program, path):
    done = subprocess.run([program, path], capture_output=True, timeout=200)
    if done.returncode:
        sys.exit("%s died: %s" % (program, done.stderr.decode()))
    return done.stdout.decode()


def expected(full, calls):
    """Messages of which the send, the receive and its completion were recorded."""
    starts = {(rank, call.start): call for rank, own in calls.items() for call in own}
    ends = {(rank, call.end): call for rank, own in calls.items() for call in own}
    found = {}
    for rank, own in calls.items():
        for call in own:
            if call.name == "MPI_Mprobe":
                found[rank, call.fields["message"]] = call
            elif call.name == "MPI_Mrecv" and not found[rank, call.fields["message"]].recorded:
                call.recorded = False
    return sorted(m for m in full if all(c.recorded for c in (starts[m[0], m[1]], starts[m[2], m[3]], ends[m[2], m[4]])))


def check_collectives(simulation, told, calls):
    starts = {(rank, call.start) for rank, own in calls.items() for call in own if call.recorded}
    ends = {(rank, call.end) for rank, own in calls.items() for call in own if call.recorded}
    causes = {(p, start, end): cause for p, start, end, cause in told.collectives}
    whole = 0
    for rank, start, end, needed in simulation.leaves:
        if (rank, start) not in starts or (rank, end) not in ends:
            continue
        assert (rank, start, end) in causes, "a collective call of process %d at %d was not left" % (rank, start)
        if needed and all(member in starts for member in needed.items()):
            last = max(needed, key=lambda other: needed[other])
            assert needed[causes[rank, start, end]] == needed[last], "the cause of process %d at %d" % (rank, start)
            whole += 1
    return whole


def received(text):
    """Of relations: (sender, start of the send, receiver, end of the completion) of each message that was received."""
    *lines, counts = text.splitlines()
    first, rows = int(counts.rpartition("=")[2]), []
    for line in lines:
        head, _, members = line.partition(": ")
        for words in (member.split() for member in members.split("; ") if member and head.startswith("completion")):
            if words[0] == "receive":
                sent, over = (re.fullmatch(r".*@(\d+)\.\d+:(\d+)-(\d+)#\d+", word) for word in (words[1], head.split()[1]))
                rows.append((int(sent[1]), int(sent[2]) + first, int(over[1]), int(over[3]) + first))
    return sorted(rows)


def check(simulation, seed, tools, folder):
    tarry, print_replay, print_relations = tools
    path = os.path.join(folder, "t.tarry")
    assemble(tarry, simulation.trace.text(), path)
    full = Told(run(print_replay, path)).messages
    text, calls = reduce(simulation, random.Random(seed))
    assemble(tarry, text, path)
    told = Told(run(print_replay, path))
    wanted = expected(full, calls)
    assert sorted(told.messages) == wanted, "matches: %s, not %s" % (
        sorted(set(told.messages) - set(wanted)), sorted(set(wanted) - set(told.messages)))
    for key in ("unmatched_receives", "unmatched_sends", "forced", "mixed_collectives", "incomplete_collectives", "passed_over"):
        assert told.counts[key] == 0, "%s is %d" % (key, told.counts[key])
    assert received(run(print_relations, path)) == sorted((m[0], m[1], m[2], m[4]) for m in wanted), "rows"
    return len(full) - len(wanted), check_collectives(simulation, told, calls)


def main():
    tools, count = sys.argv[1:4], int(sys.argv[4]) if len(sys.argv) > 4 else 60
    first = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    missing = whole = 0
    for seed in range(first, first + count):
        pick = random.Random(seed)
        simulation = Simulation(pick.randrange(2, 7), seed, pick.choice((10, 30, 80)))
        simulation.run()
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = check(simulation, seed, tools, folder)
            except (AssertionError, KeyError) as wrong:
                sys.exit("seed %d: %r\n%s" % (seed, wrong, simulation.trace.text()))
        missing, whole = missing + found[0], whole + found[1]
    if count >= 20 and not (missing and whole):
        sys.exit("nothing was taken out, or no collective call was left: the test tests nothing")


main()

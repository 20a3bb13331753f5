"""Random programs: the model's calls, messages, collective operations and requests must be correct.

Usage: random_relations.py TARRY PRINT_RELATIONS [COUNT [FIRST_SEED]]
"""

import os
import random
import re
import subprocess
import tempfile
from collections import defaultdict

from programs import KINDS, Program
from replayed import assemble
from seeds import try_all

CALL = re.compile(r"(\S+)@(\d+)\.\d+:(-?\d+)-(-?\d+)#")
TRANSFERS = re.compile(r"MPI_(S|Bs|Ss|Rs|Is|Ibs|Iss|Irs)end|MPI_(R|Ir|Mr|Imr|Sendr)ecv")
ALWAYS = ("count", "inside", "before")
ENVELOPE = re.compile(r"(\d+)->(\d+) tag=(-?\d+)")


def calls_in(text):
    """(function, process, start, end) of each"""
    return [(name, int(process), int(start), int(end)) for name, process, start, end in CALL.findall(text)]

COMPLETE = re.compile("MPI_(Wait|Test)")


class Told:
    def __init__(self, text):
        self.calls, self.completions, self.gatherings, self.lives = defaultdict(list), {}, [], []
        self.sites, self.pairs = [], []
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            getattr(self, "read_" + word)(rest)

    def read_call(self, rest):
        call = calls_in(rest)[0]
        self.calls[call[1]].append(call)

    def read_completion(self, rest):
        wait, _, sides = rest.partition(": ")
        transfers = [(side.strip().startswith("send"), *calls_in(side), *map(int, ENVELOPE.search(side).groups()))
                     for side in sides.split(";")]
        call = calls_in(wait)[0]
        assert call not in self.completions, "told twice: %s" % (call,)
        self.completions[call] = sorted(transfers)

    def read_inversion(self, rest):
        """random_waits.py looks at these."""

    def read_gathering(self, rest):
        calls = calls_in(rest)
        self.gatherings.append(sorted(zip(calls[::2], calls[1::2])))

    def read_request(self, rest):
        self.lives.append((*calls_in(rest), "persistent" in rest))

    def read_site(self, rest):
        figures = [word.split("=") for word in rest.split() if "=" in word]
        self.sites.append((*calls_in(rest), sorted((name, int(value)) for name, value in figures)))

    def read_pair(self, rest):
        """Behind none, if there is one call only."""
        figures = [word.split("=") for word in rest.split() if "=" in word]
        self.pairs.append((*([None] * (len(calls_in(rest)) == 1) + calls_in(rest)),
                           sorted((name, int(value)) for name, value in figures)))

    def read_counts(self, rest):
        for lost in ("unmatched_sends", "unmatched_receives", "violations"):
            assert lost + "=0" in rest.split(), rest


class Truth:
    def __init__(self, program):
        first = min(call.start for own in program.calls for call in own)

        def seen(call):
            return call.shown, call.rank, call.start - first, call.end - first

        self.calls = {rank: [seen(call) for call in own] for rank, own in enumerate(program.calls) if own}
        self.gatherings = [sorted((seen(m.calls[rank]), seen(m.waits[rank])) for rank in m.members)
                           for m in program.meetings]
        self.lives = [(seen(start), seen(wait), is_persistent) for start, wait, is_persistent in program.lives]
        self.completions = defaultdict(list)
        for m in program.messages:
            for is_send, wait in ((False, m.receive_wait), (True, m.send_wait)):
                self.completions[seen(wait)].append((is_send, seen(m.send), seen(m.post), m.source, m.dest, m.tag))
            if m.probe and m.send.start > m.probe.start:
                self.completions[seen(m.probe)].append((False, seen(m.send), seen(m.probe), m.source, m.dest, m.tag))
        extras = Extras(program)
        self.sites = sorted(self.site_of(alike, seen, extras) for own in program.calls for alike in by_text(own).values())
        self.pairs = [pair for own in program.calls for pair in pairs_of(own, seen, extras)]

    @staticmethod
    def site_of(alike, seen, extras):
        """Of pairs of a call and the one before it: all that they add up to."""
        calls = [call for call, _ in alike]
        name, rank, start, _ = seen(calls[0])
        starts = sum(call.starts for call in calls)
        sent = re.search(r" sent=(\d+)", calls[0].text)
        figures = {"count": len(calls), "starts": starts, "inside": sum(call.end - call.start for call in calls),
                   "before": sum(call.start - before.end for call, before in alike if before),
                   "bytes": int(sent[1]) * starts if sent else 0}
        for call, before in alike:
            for name_of, value in (*extras.of[id(call)].items(), *extras.of_repeated(before, call).items()):
                figures[name_of] = figures.get(name_of, 0) + value
        always = ("count", "starts", "inside", "before", "bytes")
        return ((name, rank, start, seen(calls[-1])[3]),
                sorted((key, value) for key, value in figures.items() if value or key in always))


class Extras:
    """The events of messages and collective operations of single calls: figures by name, per call."""

    def __init__(self, program):
        self.of = defaultdict(lambda: defaultdict(int))
        sent = {id(m.send): m for m in program.messages}
        received = {id(m.post): m for m in program.messages if m.post is m.receive_wait}
        self.received = received
        self.blocking = {}  # meetings by the call that entered and ended them
        self.peer = {call: m.post.rank for call, m in sent.items()} | {
            id(m.post): m.send.rank for m in program.messages if id(m.post) not in sent and knows_source(m.post)}
        for m in received.values():
            self.of[id(m.post)]["active"] += m.post.end - max(m.post.start, m.send.start)
        for meeting in program.meetings:
            self.note_meeting(meeting)
        for own in program.calls:
            for before, call in zip(own, own[1:]):
                self.note_next(before, call)

    def of_pair(self, before, call):
        """What only those know that are behind each other."""
        figures, m = defaultdict(int), self.received.get(id(call))
        figures["same_peer"] = int(before is not None and id(call) in self.peer and
                                   self.peer.get(id(before)) == self.peer[id(call)])
        if m:
            figures["active"] = call.end - max(call.start, m.send.start)
            figures["overlap"] = min(before.end - before.start, figures["active"]) if before else 0
        if m and m.send.start <= call.start:
            figures |= {"ready": 1, "ready_inside": call.end - call.start, "ready_since": call.start - m.send.start}
        return figures

    def note_next(self, before, call):
        """Work after requests are complete, and barriers before a call that enforces the same order."""
        one, other = self.blocking.get(id(before)), self.blocking.get(id(call))
        if COMPLETE.match(before.function) and " done=" in before.text:
            self.of[id(before)]["after"] += max(0, call.start - before.end)
        if one and other and one.name == "MPI_Barrier" and KINDS[other.name] == "all" and other.name != "MPI_Comm_split" and one.comm == other.comm:
            self.of[id(before)]["covered"] += call.start - before.end < 1000 + (call.end - before.start) // 20

    def of_repeated(self, before, call):
        """Of a blocking collective call that follows an equal one with next to nothing in between."""
        one, other = self.blocking.get(id(before)), self.blocking.get(id(call))
        inside = call.end - call.start
        if not one or not other or call.start - before.end >= 1000 + inside // 20 or (
                (before.line, *self.meant(one)) != (call.line, *self.meant(other))):
            return {}
        return {"repeated": 1, "repeated_inside": inside}

    @staticmethod
    def meant(meeting):
        return meeting.name, meeting.comm, meeting.root if KINDS[meeting.name].startswith("root") else None

    def note_meeting(self, meeting):
        latest = max(meeting.calls[rank].start for rank in meeting.members)
        for rank in meeting.members:
            if meeting.calls[rank] is meeting.waits[rank]:
                self.blocking[id(meeting.calls[rank])] = meeting
                self.of[id(meeting.calls[rank])]["active"] += max(0, meeting.calls[rank].end - latest)


def knows_source(call):
    return call.function != "MPI_Mrecv" and ("peer=any" not in call.text or " source=" in call.text)


def by_text(calls):
    alike = defaultdict(list)
    for call, before in zip(calls, [None] + calls):
        alike[call.text].append((call, before))
    return alike


def pairs_of(own, seen, extras):
    """Of the calls of a process that send or receive: behind which such call each was, added up."""
    whole = {text: (*seen(alike[0][0])[:3], seen(alike[-1][0])[3]) for text, alike in by_text(own).items()}
    sums = defaultdict(lambda: defaultdict(int))
    for call, before in zip(own, [None] + own):
        if not TRANSFERS.fullmatch(call.function):
            continue
        last = before if before and TRANSFERS.fullmatch(before.function) else None
        figures = sums[whole[last.text] if last else None, whole[call.text]]
        more = extras.of_pair(last, call)
        figures["same_peer"] = more.pop("same_peer")
        for name, value in {"count": 1, "inside": call.end - call.start,
                            "before": call.start - before.end if before else 0, **more}.items():
            figures[name] += value
    return [(*key, sorted((name, value) for name, value in figures.items() if value or name in ALWAYS))
            for key, figures in sums.items()]


def check(tools, seed):
    tarry, printer = tools
    pick = random.Random(seed)
    program = Program(seed, pick.randrange(2, 9), pick.choice((5, 20, 80)))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.tarry")
        assemble(tarry, program.trace.text(), path)
        options = ["--all", "--sites", "--pairs"] + ["--in-order"] * (seed % 2)
        done = subprocess.run([printer, path, *options], capture_output=True, text=True, timeout=200, check=True)
    told, truth = Told(done.stdout), Truth(program)
    assert dict(told.calls) == truth.calls, "calls"
    assert told.completions == {call: sorted(sides) for call, sides in truth.completions.items()}, "completions"
    for rank in range(program.size * (seed % 2)):
        ends = [end for _, process, _, end in told.completions if process == rank]
        assert ends == sorted(ends), "order of completions"
    assert sorted(told.gatherings) == sorted(truth.gatherings), "gatherings"
    assert sorted(told.sites) == truth.sites, "sites"
    assert sorted(told.pairs, key=str) == sorted(truth.pairs, key=str), "pairs"
    assert sorted(told.lives) == sorted(truth.lives), "requests"
    return set()


if __name__ == "__main__":
    try_all(check, 2, ())

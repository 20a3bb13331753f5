"""The expected content of an archive, counted from the text of a trace: messages, collective calls and accesses
with their bytes, for each process."""

import collections
import os
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mpi")]

import dumped  # noqa: E402

SENDS = ("Send", "Bsend", "Ssend", "Rsend", "Sendrecv", "Sendrecv_replace")
RECEIVES = ("Recv", "Sendrecv", "Sendrecv_replace")
COLLECTIVES = ("Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Alltoallw", "Barrier", "Bcast", "Exscan",
               "Gather", "Gatherv", "Reduce", "Reduce_scatter", "Reduce_scatter_block", "Scan", "Scatter", "Scatterv")


def base_of(function):
    """(name without I, _init and _c, whether it makes a request)"""
    name = function[len("MPI_"):] if function.startswith("MPI_") else ""
    for suffix in ("_c", "_init"):
        name = name[:-len(suffix)] if name.endswith(suffix) else name
    asked = name.startswith("I") and not name.startswith("Intercomm")
    return (name[1:].capitalize() if asked else name), asked or function.endswith("_init")


def real(rank):
    return rank is not None and rank.isdigit()


class Expectation:
    def __init__(self, process):
        self.process = process
        self.totals = collections.Counter()
        self.calls = collections.Counter()
        self.requests, self.messages = {}, {}
        events = [(event, thread) for thread, events in enumerate(process.threads) for event in events]
        for event, self.thread in sorted(events, key=lambda one: one[0].end):
            self.take(event)

    def add(self, kind, **values):
        self.totals[kind] += 1
        for key, value in values.items():
            self.totals[kind + " " + key] += int(value or 0)

    def meets(self, event):
        """Collective calls on intercommunicators are regions only."""
        return event.first("comm") and self.process.comms.get(event.first("comm"), {}).get("kind") != "inter"

    def take(self, event):
        self.calls[event.function] += 1
        base, asked = base_of(event.function)
        request = event.first("request")
        if event.first("message") is not None and event.first("comm"):
            self.messages[event.first("message")] = event
        if asked and request is not None:
            self.requests[request] = self.requests[self.thread, request] = event
            if not event.first("persistent"):
                self.begin(event)
        elif base in ("Start", "Startall"):
            for number in event.values("request"):
                if number in self.requests:
                    self.begin(self.requests[number])
        elif not asked:
            self.take_blocking(event, base)
        for group in event.groups:
            self.end(dict(group))

    def take_blocking(self, event, base):
        if base in SENDS and real(event.first("peer")) and event.first("comm"):
            self.add("send", bytes=event.first("sent"))
        matched = self.messages.get(event.first("message")) if base == "Mrecv" else None
        posted = matched or event
        source = event.first("source") or posted.first("source") or posted.first("recv_peer") or posted.first("peer")
        if base in (*RECEIVES, "Mrecv") and real(source) and posted.first("comm"):
            self.add("receive", bytes=event.first("received"))
        if base in COLLECTIVES and self.meets(event):
            self.add("collective", sent=event.first("sent"), received=event.first("received"))
        if base in ("Put", "Rput") and real(event.first("target")):
            self.add("put", bytes=event.first("sent"))
        if base in ("Get", "Rget") and real(event.first("target")):
            self.add("get", bytes=event.first("received"))

    def begin(self, event):
        base, _ = base_of(event.function)
        if base in SENDS and real(event.first("peer")):
            self.add("send", bytes=event.first("sent"))

    def end(self, group):
        """The number of a request is free before the call that completed it ends: another thread may have it by then."""
        event = self.requests.pop((self.thread, group["done"]), None) or self.requests.get(group["done"])
        base = base_of(event.function)[0] if event else ""
        posted = self.messages.get(event.first("message"), event) if event else None
        source = group.get("source") or (posted and (posted.first("recv_peer") or posted.first("peer")))
        if group.get("cancelled") == "1":
            return
        if base in (*RECEIVES, "Mrecv") and real(source) and "null" not in (posted.first("recv_peer"), posted.first("peer")):
            self.add("receive", bytes=group.get("received"))
        if base in COLLECTIVES and self.meets(event):
            self.add("collective", sent=event.first("sent"), received=event.first("received"))


def count_threads_from_0(text):
    """As in recorded traces."""
    number, known = 0, {}
    for line in text.splitlines():
        if line.startswith("process "):
            known = {}
        if line.startswith("thread "):
            number = known.setdefault(line.split()[1], len(known))
            line = "thread %d" % number
        yield line


def expectations(text):
    text = "\n".join(count_threads_from_0(text))
    return [Expectation(process) for process in dumped.read_dump(text)]

"""Findings about messages, which are of special kinds, over the truth of a simulated program. A message can begin when both sides are
there, or its sender if its send is local. Of what one call completes, that which could begin last is charged: in a call that waits for
requests with all of the time in it, in others with how late its partner was. A partner that was late by less than a tenth of that time
is not the cause: the call waited for the transfer.
"""

from collections import defaultdict

from programs import EAGER, KINDS as KINDS_OF_MEETINGS, mode_of
from waits import PROBES, Wait, by_completion, came

MODES = {"standard": "", "buffered": "b", "synchronous": "s", "ready": "r"}
BLOCKING = tuple("mpi.late-%s-send" % mode for mode in MODES) + tuple(
    "mpi.early-%s-send" % mode for mode in MODES if mode != "buffered")
BY_REQUEST = tuple("mpi.wait-irecv-i%ssend" % letter for letter in MODES.values()) + tuple(
    "mpi.wait-i%ssend" % letter for letter in MODES.values() if letter != "b") + ("mpi.wait-for-transfer",)
ORDER = {"standard": "mpi.wrong-order-send", "buffered": "mpi.wrong-order-bsend"}
WRONG_ORDER = ("late-sender-wrong-order-same", "late-sender-wrong-order-different")
LATE_KEPT = 128  # model/completions.h
FIXED_ORDER = "mpi.wrong-order-sources"
HELD_MAX = 8  # model/completions.h
KINDS = BLOCKING + BY_REQUEST + tuple(ORDER.values()) + (FIXED_ORDER,)


class Side:
    """A message as seen by the call that completed one side of it."""

    def __init__(self, message, is_send, call, times, eager):
        self.is_send, self.message = is_send, message
        self.mode = mode_of(message.send.function)
        self.order = message.order[is_send], is_send
        self.sent, self.posted = times.start(message.send), times.start(message.post)
        self.start, self.end = times.start(call), times.end(call)
        self.is_small = message.size <= eager
        self.is_local = is_send and (self.end <= self.posted or (self.is_small and self.mode != "synchronous"))

    def can_wait(self):
        ready = self.mode == "ready" and (self.is_small or self.posted <= self.sent)
        return not (self.is_send and (self.mode == "buffered" or ready))

    def begin(self):
        return self.sent if self.is_local else max(self.sent, self.posted)

    def late(self):
        if self.is_send:
            return 0 if self.is_local else self.posted - self.start
        return min(self.sent, self.end) - self.start

    def partner(self):
        return self.message.post if self.is_send else self.message.send

    def overtakes(self, call, others):
        """Others that the same process sent before lie there: their receives are posted after this one is over."""
        return any(m.comm == self.message.comm and m.source == self.message.source and m.send.start < self.message.send.start
                   and (m.taken or m.post).number > call.number for m in others)

    def name(self, by_request):
        if by_request:
            return "mpi.wait-%si%ssend" % ("" if self.is_send else "irecv-", MODES[self.mode])
        return "mpi.%s-%s-send" % ("early" if self.is_send else "late", self.mode)


def to_each(program):
    to = defaultdict(list)
    for message in program.messages:
        to[message.dest].append(message)
    return to


def latest_of(call, received, times):
    """The message sent last of those that a call waited for, or None."""
    last = max(received, key=lambda m: times.start(m.send), default=None)
    return last if last and times.start(last.send) > times.start(call) else None


def sources_of_earlier(message, received, times):
    return {m.source for m in received if times.start(m.send) < times.start(message.send)}


def wrong_order(program, times):
    """metric -> (occurrences, total) of late senders, while messages that were received later had been sent earlier. Those
    count that come before this many others have waited for their messages."""
    kept, late = defaultdict(list), []
    for call, received, _ in by_completion(program.messages):
        taken = [m for m in received if call is m.receive_wait]
        for message, _, sources in kept[call.rank][-LATE_KEPT:]:
            sources |= sources_of_earlier(message, taken, times)
        message = latest_of(call, received, times)
        if message:
            late.append((message, call, set()))
            kept[call.rank].append(late[-1])
    totals = {name: (0, 0) for name in WRONG_ORDER}
    for message, call, sources in late:
        if sources and call.function not in PROBES:
            name = WRONG_ORDER[message.source not in sources]
            duration = min(times.start(message.send), times.end(call)) - times.start(call)
            totals[name] = totals[name][0] + (duration > 0), totals[name][1] + max(0, duration)
    return totals


def in_fixed_order(program, times):
    """Calls that received one message, for which they waited, while one of another process lay there that the same line received
    later, and how long after them that was."""
    kept, found = defaultdict(list), {}
    for call, received, sent in by_completion(program.messages):
        taken = [m for m in received if call is m.receive_wait]
        for message, late in kept[call.rank][-HELD_MAX:]:
            sources = sources_of_earlier(message, taken, times) - {message.source}
            if late in found and found[late] is None and sources and (late.line, late.function) == (call.line, call.function):
                found[late] = times.start(call) - times.end(late)
        message = latest_of(call, received, times)
        if message:
            kept[call.rank].append((message, call))
            if len(received) == 1 and not sent:
                found[call] = None
    return {call: after for call, after in found.items() if after is not None}


def when_met(call, times):
    """When all members that the completed collective operations needed had arrived."""
    ends = [times.end(call) if KINDS_OF_MEETINGS[meeting.name] == "some" else came(meeting, call.rank, times)
            for meeting in call.met]
    return max([times.start(call)] + ends)


def eager_limit(program, times):
    """As the trace tells it, or else the largest standard send that was complete before its receive was posted. Clocks that may be
    off show nothing."""
    if program.knows_eager:
        return EAGER
    if not program.shares_clock:
        return -1
    standard = ("MPI_Send", "MPI_Isend", "MPI_Send_init")
    return max((m.size for call, _, sent in by_completion(program.messages) for m in sent if m.send.function in standard
                and m.source != m.dest and times.end(call) <= times.start(m.post)), default=-1)


def message_findings(program, times, eps):
    to, eager, fixed = to_each(program), eager_limit(program, times), in_fixed_order(program, times)
    for call, received, sent in by_completion(program.messages):
        sides = [Side(m, is_send, call, times, eager)
                 for is_send, messages in ((False, received), (True, sent)) for m in messages]
        sides = sorted((side for side in sides if side.can_wait()), key=lambda side: side.order)
        if not sides:
            continue
        last = max(sides, key=Side.begin)
        by_request = call.function.startswith(("MPI_Wait", "MPI_Test"))
        name, duration = last.name(by_request), last.late()
        met = when_met(call, times)
        if met > times.start(call):
            # Up to this, the time after the last sender belongs to collective operations.
            name = "mpi.late-receiver" if last.is_send else "mpi.late-sender"
            duration -= met - times.start(call) if last.is_send else 0
        elif not last.is_send and 10 * fixed.get(call, -1) >= last.late() > 0 and not last.overtakes(call, to[call.rank]):
            name = FIXED_ORDER
        elif by_request:
            duration = times.end(call) - times.start(call)
            if last.late() < eps or 10 * last.late() < duration:
                name = "mpi.wait-for-transfer"
        elif not last.is_send and last.mode in ORDER and last.overtakes(call, to[call.rank]):
            name = ORDER[last.mode]
        if duration >= eps:
            yield Wait(name, duration, call, last.partner())

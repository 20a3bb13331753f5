"""The general wait states by their formulas, over the truth of a simulated program. E is when a call is entered, L when
it is left; of what a request completes, waiting is the time in the call that completes it, and of a collective operation
only what messages and other operations leave of it that the same call completes.

    late sender      min(E of the send, L) - E of the receive or wait; of what one call completes, the largest
    late receiver    E of the call that posted the receive - E of the send or wait, if the latter ends after it; the
                     largest, and only where no sender was late
    barrier wait     min(latest E, my L) - my E
    all to all       the same if all overlap; otherwise the latest is of those that send, and those that receive wait
    late broadcast   min(E of the root, my L) - my E, of a member that receives
    early reduce     min(latest E of those that send, L) - E, of the root
    early scan       min(latest E of the ranks up to mine, my L) - my E
    completion       of barriers and all to all: my L - max(earliest L, latest E)
"""

from collections import defaultdict

from programs import KINDS

NXN = ("MPI_Allreduce", "MPI_Allgather", "MPI_Alltoall", "MPI_Reduce_scatter", "MPI_Alltoallv")
ONE_TO_ALL = ("MPI_Bcast", "MPI_Scatter")
ALL_TO_ONE = ("MPI_Reduce", "MPI_Gather")
PREFIX = ("MPI_Scan", "MPI_Exscan")
PROBES = ("MPI_Probe", "MPI_Mprobe")  # no wait states, but findings
MESSAGE_STATES = ("late-sender", "late-receiver")
STATES = MESSAGE_STATES + ("barrier-wait", "late-broadcast", "early-reduce", "nxn-wait", "early-scan",
          "communicator-create-wait")
# Counted, but never a finding.
COMPLETIONS = {"barrier-wait": "barrier-completion", "nxn-wait": "nxn-completion"}
METRICS = STATES + tuple(COMPLETIONS.values())


class Wait:
    """Of the call `at` for the call `partner`; a duration of 0 or less is none."""

    def __init__(self, state, duration, at, partner):
        self.state, self.duration, self.at, self.partner = state, duration, at, partner


class Times:
    """Times of calls, as the analysis should see them: ticks, or corrected by the clocks."""

    def __init__(self, corrected=None):
        self.corrected = corrected

    def of(self, rank, tick):
        return self.corrected[rank, tick] if self.corrected else tick

    def start(self, call):
        return self.of(call.rank, call.start)

    def end(self, call):
        return self.of(call.rank, call.end)


def by_completion(messages):
    """(call, messages that it received or found, messages that it sent), for each call that completed any."""
    calls, received, sent = {}, defaultdict(list), defaultdict(list)
    for message in messages:
        for call, side in ((message.receive_wait, received), (message.probe, received), (message.send_wait, sent)):
            if call:
                calls[call.rank, call.number] = call
                side[call.rank, call.number].append(message)
    return [(call, received[key], sent[key]) for key, call in sorted(calls.items())]


def completion_waits(messages, times):
    for call, received, sent in by_completion(messages):
        if call.function in PROBES:
            continue
        start, end = times.start(call), times.end(call)
        senders = [Wait("late-sender", min(times.start(m.send), end) - start, call, m.send) for m in received]
        receivers = [Wait("late-receiver", times.start(m.post) - start, call, m.post)
                     for m in sent if end > times.start(m.post)]
        worst = max(senders, key=lambda wait: wait.duration, default=None)
        if worst and worst.duration > 0:
            yield worst
        elif receivers:
            yield max(receivers, key=lambda wait: wait.duration)


def came(meeting, rank, times):
    """The last of the members that a member needs."""
    return max((times.start(meeting.calls[other]) for other in meeting.needed(rank)), default=0)


def met_before(meeting, call):
    """Calls whose needed members are unknown are last, and of these the last one is first."""
    known = [other for other in call.met if KINDS[other.name] != "some"]
    order = known + [other for other in reversed(call.met) if other not in known]
    return order[:order.index(meeting)] if order else []


def since(meeting, rank, received, times):
    """From when on a call waits for this: what comes before is for messages, and for what it met before."""
    call = meeting.waits[rank]
    before = [times.start(m.send) for m in received.get((call.rank, call.number), ())]
    before += [times.end(call) if KINDS[other.name] == "some" else came(other, rank, times)
               for other in met_before(meeting, call)]
    return max([times.start(call)] + before)


def prefix_waits(meeting, received, times):
    for at, rank in enumerate(meeting.members):
        last = max(meeting.members[:at + 1], key=lambda other: times.start(meeting.calls[other]))
        duration = min(times.start(meeting.calls[last]), times.end(meeting.waits[rank]))
        yield Wait("early-scan", duration - since(meeting, rank, received, times), meeting.waits[rank],
                   meeting.calls[last])


def completions(meeting, state, received, times):
    """The time of an operation after all have arrived."""
    begun = max(min(times.end(call) for call in meeting.waits.values()),
                max(times.start(call) for call in meeting.calls.values()))
    for rank, call in meeting.waits.items():
        yield Wait(state, times.end(call) - max(begun, since(meeting, rank, received, times)), call, None)


def meeting_waits(meeting, received, times):
    enter = {rank: times.start(call) for rank, call in meeting.calls.items()}
    leave = {rank: times.end(call) for rank, call in meeting.waits.items()}
    bytes_of = {rank: call.fields for rank, call in meeting.calls.items()}
    waiting, awaited, state = set(enter), set(enter), None
    if meeting.name == "MPI_Barrier":
        state = "barrier-wait"
    elif meeting.name == "MPI_Comm_split":
        state = "communicator-create-wait"
    elif meeting.name in PREFIX and len(enter) > 1:
        yield from prefix_waits(meeting, received, times)
    elif meeting.name in NXN:
        state = "nxn-wait"
        givers = {rank for rank in enter if bytes_of[rank]["sent"] > 0}
        if min(leave.values()) < max(enter.values()):
            waiting = {rank for rank in enter if bytes_of[rank]["received"] > 0}
            awaited = givers or awaited
    elif meeting.name in ONE_TO_ALL:
        state, awaited = "late-broadcast", {meeting.root}
        waiting = {rank for rank in enter if rank != meeting.root and bytes_of[rank]["received"] > 0}
    elif meeting.name in ALL_TO_ONE:
        state, waiting = "early-reduce", {meeting.root}
        awaited = {rank for rank in enter if rank != meeting.root and bytes_of[rank]["sent"] > 0}
    if not state or len(enter) < 2 or not awaited:
        return
    last = max(awaited, key=lambda rank: enter[rank])
    for rank in waiting:
        duration = min(enter[last], leave[rank]) - since(meeting, rank, received, times)
        yield Wait(state, duration, meeting.waits[rank], meeting.calls[last])
    if state in COMPLETIONS:
        yield from completions(meeting, COMPLETIONS[state], received, times)


def all_waits(program, times):
    waits = list(completion_waits(program.messages, times))
    received = {(call.rank, call.number): messages for call, messages, _ in by_completion(program.messages)}
    for meeting in program.meetings:
        waits += meeting_waits(meeting, received, times)
    return [wait for wait in waits if wait.duration > 0]


def metrics_of(waits):
    """state -> (occurrences, total in ns)"""
    return {state: (sum(w.state == state for w in waits), sum(w.duration for w in waits if w.state == state))
            for state in METRICS}


def findings_of(waits, eps):
    """Of wait states; those of messages have special kinds (message_waits.py)."""
    return [Wait("mpi." + wait.state, wait.duration, wait.at, wait.partner) for wait in waits
            if wait.duration > eps and wait.state in STATES and wait.state not in MESSAGE_STATES]


def check_time_is_there(found, times):
    """No call is charged more than its duration."""
    charged = defaultdict(int)
    for wait in found:
        charged[wait.at] += wait.duration
    for call, duration in charged.items():
        assert duration <= times.end(call) - times.start(call), "%s is charged with %d ns" % (call, duration)


def summed_up(found):
    """(pattern, rank, line, partner's line) -> (occurrences, total, largest)"""
    sums = defaultdict(list)
    for wait in found:
        sums[wait.state, wait.at.rank, wait.at.line, wait.partner.line].append(wait.duration)
    return {key: (len(all_), sum(all_), max(all_)) for key, all_ in sums.items()}

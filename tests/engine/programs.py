"""Random MPI programs, run in a simulation that knows all of the truth: which call sent what, posted its receive,
completed either side, and which calls belong to which collective operation. Messages are matched as MPI does it, when they
arrive or when a receive is posted; large ones hold their sender until then.

Steps of processes are generators: they yield how long something takes, or a condition that they wait for.
"""

import os
import random
import sys

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "model"))

from clockwork import Clockwork  # noqa: E402
from replayed import Trace, WORLD  # noqa: E402

PAIRS = 0xd0  # each process gets the messages of one sender only, with one tag, by wildcard or not
PART = 0xe0   # some of the processes
EAGER = 1000  # bytes; more than that waits for its receiver

def mode_of(function):
    """MPI_Send, MPI_Isend, MPI_Ssend, MPI_Issend, MPI_Ssend_init, …: how the message is sent."""
    name = function[4:].lower().replace("_init", "").replace("recv", "")
    return {"b": "buffered", "s": "synchronous", "r": "ready", "": "standard"}[
        name.removeprefix("i").removesuffix("send")]


# Collective calls: which members a member needs, which give data and which get it.
KINDS = {
    "MPI_Barrier": "all", "MPI_Allreduce": "all", "MPI_Allgather": "all", "MPI_Alltoall": "all",
    "MPI_Reduce_scatter": "all", "MPI_Bcast": "root_first", "MPI_Scatter": "root_first", "MPI_Reduce": "root_last",
    "MPI_Gather": "root_last", "MPI_Scan": "lower", "MPI_Exscan": "lower", "MPI_Alltoallv": "some",
    "MPI_Comm_split": "all"}
SENDS = ("MPI_Send", "MPI_Send", "MPI_Isend", "MPI_Isend", "MPI_Ssend", "MPI_Issend", "MPI_Bsend", "MPI_Ibsend", "MPI_Rsend",
         "MPI_Irsend", "MPI_Send_init", "MPI_Ssend_init")
PERSISTENT_MEETINGS = ("MPI_Barrier", "MPI_Allreduce", "MPI_Bcast", "MPI_Reduce")


class Call:
    """One call as in the trace, or as the call that started an operation (see started())."""

    def __init__(self, rank, start, end, function, line, fields):
        self.rank, self.start, self.end = rank, start, end
        self.function, self.line, self.fields = function, line, fields
        self.shown = function  # the calling place: for a persistent request, the call that starts it
        self.number = None
        self.met = []  # completed operations, in the order of requests
        self.text = ""  # as in the trace, without its times
        self.starts = 1  # of what it does; of a request that it prepares, how often that is started

    def started(self, prepared):
        """As seen by what it started: its times and its place, but function and fields of the call that prepared it."""
        call = Call(self.rank, self.start, self.end, prepared.function, self.line, prepared.fields)
        call.number, call.shown = self.number, self.function
        return call

    def __repr__(self):
        return "%s on %d from %d to %d" % (self.function, self.rank, self.start, self.end)


class Message:
    def __init__(self, comm, source, dest, tag, size):
        self.comm, self.source, self.dest, self.tag, self.size = comm, source, dest, tag, size
        self.receive, self.mode = None, "standard"
        self.send = self.post = self.send_wait = self.receive_wait = None  # calls
        self.taken = None  # the call of MPI_Mprobe that took it, if one did
        self.probe = None  # the call of MPI_Probe or MPI_Mprobe that found it
        self.order = {True: 0, False: 0}  # among what the call completed, by whether it is the sender's side

    def matches(self, receive):
        return (self.comm == receive.comm and receive.source in (self.source, None)
                and receive.tag in (self.tag, None))

    def may_go(self):
        local = self.mode == "buffered" or (self.size <= EAGER and self.mode != "synchronous")
        return local or self.receive is not None


class Receive:
    def __init__(self, comm, source, tag):
        self.comm, self.source, self.tag, self.message = comm, source, tag, None
        self.post = None

    def is_wild(self):
        return self.source is None or self.tag is None


class Meeting:
    def __init__(self, name, comm, members, root):
        self.name, self.comm, self.members, self.root = name, comm, members, root
        self.entered, self.calls, self.waits = set(), {}, {}

    def needed(self, rank):
        kind = KINDS[self.name]
        if kind == "all":
            return set(self.members)
        if kind == "root_first":
            return set() if rank == self.root else {self.root}
        if kind == "root_last":
            return set(self.members) if rank == self.root else set()
        if kind == "lower":
            return set(self.members[:self.members.index(rank)])
        return set()


class Request:
    """What a request stands for; `completed` is called with the call that did so, `start` is the one that began it."""

    def __init__(self, thing, is_over, completed):
        self.thing, self.is_over, self.completed = thing, is_over, completed
        self.start, self.is_kept = None, False


class Program(Clockwork):
    def __init__(self, seed, size, actions, shifted=False, per_unit=1000, is_plain=False):
        """Plain: nothing collective is completed by another call."""
        super().__init__()
        self.random = random.Random(seed)
        self.size, self.per_unit, self.is_plain = size, per_unit, is_plain
        self.knows_eager, self.shares_clock = seed % 2 == 1, not shifted
        self.trace = Trace(size)
        self.trace.comm(PAIRS, range(size))
        self.part = sorted(self.random.sample(range(size), max(2, size // 2)))
        self.trace.comm(PART, self.part)
        for rank in range(size):
            self.trace.head(rank, 'source 1 "program.c" "step"')
            if self.shares_clock:
                self.trace.head(rank, 'property clock "shared"')
            if self.knows_eager:
                self.trace.head(rank, "eager %d node" % EAGER)
        self.posted = [[] for _ in range(size)]
        self.arrived = [[] for _ in range(size)]
        self.last_arrival = {}
        self.meeting_at, self.met = {}, {}
        self.requests = [{} for _ in range(size)]
        self.shift = [self.random.choice((0, 0, self.random.randrange(-2000, 2000))) * per_unit if shifted else 0
                      for _ in range(size)]
        # What really happened.
        self.calls = [[] for _ in range(size)]
        self.messages, self.meetings, self.lives = [], [], []
        self.programs = self.plan(actions)
        self.run()

    # The program: one list of actions for all, so no process waits forever

    def plan(self, actions):
        pairs = [(self.random.choice([s for s in range(self.size) if s != d]), self.random.randrange(3))
                 for d in range(self.size)]
        steps = [[] for _ in range(self.size)]
        for _ in range(actions):
            kind = self.random.random()
            if kind < 0.55:
                self.plan_message(steps, WORLD, self.random.randrange(self.size), self.random.randrange(3))
            elif kind < 0.7:
                self.plan_message(steps, PAIRS, self.random.randrange(self.size), None, pairs)
            elif kind < 0.76:
                self.plan_sendrecv(steps)
            elif kind < 0.79:
                self.plan_inverted(steps)
            else:
                self.plan_meeting(steps)
        for own in steps:
            own.append((self.wait, 1000))
        return steps

    def plan_message(self, steps, comm, dest, tag, pairs=None):
        source = self.random.randrange(self.size)
        if pairs:
            source, tag = pairs[dest]
        how_send = self.random.choice(SENDS)
        how = self.random.choice(("MPI_Recv", "MPI_Irecv", "MPI_Irecv", "probe", "mprobe", "MPI_Recv_init"))
        if source == dest:
            how_send, how = "MPI_Isend", "MPI_Irecv"
        times = 2 if "_init" in how_send + how and self.random.random() < 0.5 else 1
        wild = pairs and self.random.random() < 0.5 and how != "MPI_Recv_init"
        wanted = (None, self.random.choice((None, tag))) if wild else (source, tag)
        size = self.random.choice((8, 100, 5000))
        line, other = self.random.randrange(10, 14), self.random.randrange(20, 24)
        prepared = [{}, {}]
        for _ in range(times):
            steps[source].append((self.send, comm, dest, tag, size, how_send, line, prepared[0]))
            steps[dest].append((self.receive, comm, *wanted, how, other, prepared[1]))
            if times == 2:  # a request is started again only when it is over
                steps[source].append((self.wait, 1000))
                steps[dest].append((self.wait, 1000))
        if self.random.random() < 0.3:
            steps[self.random.randrange(self.size)].append((self.wait, self.random.randrange(1, 5)))

    def plan_inverted(self, steps):
        """Some that need not wait for their receivers are received in the opposite order."""
        source, dest = self.random.sample(range(self.size), 2)
        tags = self.random.sample(range(3), self.random.randrange(2, 4))
        for tag in tags:
            name = self.random.choice(("MPI_Send", "MPI_Bsend"))
            steps[source].append((self.send, WORLD, dest, tag, self.random.choice((8, 100)), name, 14, {}))
        for tag in reversed(tags):
            steps[dest].append((self.receive, WORLD, source, tag, "MPI_Recv", 24, {}))

    def plan_sendrecv(self, steps):
        ranks = self.random.sample(range(self.size), 2)
        tag, size, line = self.random.randrange(3), self.random.choice((8, 5000)), self.random.randrange(30, 33)
        for rank, peer in (ranks, ranks[::-1]):
            steps[rank].append((self.sendrecv, peer, tag, size, line))

    def plan_meeting(self, steps):
        comm, members = self.random.choice(((WORLD, list(range(self.size))), (PART, self.part)))
        name = self.random.choice(list(KINDS))
        root = self.random.choice(members)
        how = self.random.choice(("", "", "", "later", "prepared"))
        if self.is_plain or name == "MPI_Comm_split" or (how == "prepared" and name not in PERSISTENT_MEETINGS):
            how = ""
        line = self.random.randrange(40, 46)
        for rank in members:
            steps[rank].append((self.meet, comm, name, members, root, how, line))

    # Time

    def run(self):
        self.play([(self.random.random() * 100, self.process(rank)) for rank in range(self.size)])

    def process(self, rank):
        for step, *arguments in self.programs[rank]:
            yield self.random.choice((1, 3, 50, 400)) * self.random.random() * 10 + 1
            yield from step(rank, *arguments)

    # Calls

    def tick(self, rank, true):
        return int(true * self.per_unit) + 10000 * self.per_unit + self.shift[rank]

    def record(self, rank, start, function, line, text, **fields):
        call = Call(rank, self.tick(rank, start), self.tick(rank, self.now), function, line, fields)
        call.text = "%s site=1+%d %s" % (function, line, text)
        self.trace.add(rank, call.start, call.end, call.text)
        call.number = len(self.calls[rank])
        self.calls[rank].append(call)
        return call

    def new_request(self, rank, request):
        number = next(n for n in range(10**6) if n not in self.requests[rank])
        self.requests[rank][number] = request
        return number

    # Messages

    def launch(self, rank, comm, dest, tag, size, mode="standard"):
        message = Message(comm, rank, dest, tag, size)
        message.mode = mode
        self.messages.append(message)
        arrival = max(self.now + 1 + self.random.random() * 30, self.last_arrival.get((rank, dest), 0) + 0.001)
        self.last_arrival[rank, dest] = arrival
        self.at(arrival, lambda: self.arrive(message))
        return message

    def meet_up(self, message, receive):
        message.receive, receive.message = receive, message
        self.something_happened()

    def arrive(self, message):
        for receive in self.posted[message.dest]:
            if message.matches(receive):
                self.posted[message.dest].remove(receive)
                self.meet_up(message, receive)
                return
        self.arrived[message.dest].append(message)
        self.something_happened()

    def post(self, rank, receive):
        for message in self.arrived[rank]:
            if message.matches(receive):
                self.arrived[rank].remove(message)
                self.meet_up(message, receive)
                return
        self.posted[rank].append(receive)

    def send_request(self, message):
        def completed(call):
            message.send_wait = call
        return Request(message, message.may_go, completed)

    def receive_request(self, receive):
        def completed(call):
            receive.message.post, receive.message.receive_wait = receive.post, call
        return Request(receive, lambda: receive.message is not None, completed)

    @staticmethod
    def fields_of(comm, tag, size=None, **more):
        return dict(more, comm=comm, tag=-1 if tag is None else tag, **({} if size is None else {"sent": size}))

    def send(self, rank, comm, dest, tag, size, name, line, prepared):
        text = "peer=%d tag=%d comm=0x%x sent=%d" % (dest, tag, comm, size)
        fields = self.fields_of(comm, tag, size, dest=dest)
        if name.endswith("_init"):
            yield from self.start_prepared(rank, name, line, text, fields, prepared,
                                           lambda: self.launch(rank, comm, dest, tag, size, mode_of(name)),
                                           self.send_request)
            return
        start = self.now
        message = self.launch(rank, comm, dest, tag, size, mode_of(name))
        yield self.random.random() * 5 + 0.1
        if name.startswith("MPI_I"):
            number = self.new_request(rank, self.send_request(message))
            message.send = self.record(rank, start, name, line, text + " request=%d" % number, **fields)
            self.requests[rank][number].start = message.send
            return
        yield message.may_go
        message.send = message.send_wait = self.record(rank, start, name, line, text, **fields)

    def start_prepared(self, rank, name, line, text, fields, prepared, begin, request_of):
        """The first time makes the request, each time starts it."""
        if not prepared:
            start = self.now
            yield 0.3
            prepared["request"] = self.new_request(rank, None)
            prepared["call"] = self.record(rank, start, name, line,
                                           text + " request=%d persistent=1" % prepared["request"], **fields)
            prepared["call"].starts = 0
            yield 0.7
        start, number = self.now, prepared["request"]
        thing = begin()
        yield 0.4
        function, text = self.random.choice((("MPI_Start", ""), ("MPI_Startall", "count=1 ")))
        call = self.record(rank, start, function, line + 50, text + "request=%d" % number)
        prepared["call"].starts += 1
        request, started = request_of(thing), call.started(prepared["call"])
        request.start, request.is_kept = call, True
        if isinstance(thing, Message):
            thing.send = started
        elif isinstance(thing, Receive):
            thing.post = started
        else:
            thing.calls[rank] = started
        self.requests[rank][number] = request

    @staticmethod
    def envelope(receive):
        return "peer=%s tag=%d comm=0x%x" % ("any" if receive.source is None else receive.source,
                                             -1 if receive.tag is None else receive.tag, receive.comm)

    @staticmethod
    def outcome(message):
        return "source=%d source_tag=%d received=%d" % (message.source, message.tag, message.size)

    def really(self, receive):
        """The fields of the real source, which are there for wildcards only."""
        return self.outcome(receive.message) if receive.is_wild() else "received=%d" % receive.message.size

    def receive(self, rank, comm, source, tag, how, line, prepared):
        receive = Receive(comm, source, tag)
        fields = self.fields_of(comm, tag, source=-1 if source is None else source)
        start = self.now

        def begin():
            self.post(rank, receive)
            return receive

        if how == "MPI_Recv_init":
            yield from self.start_prepared(rank, how, line, self.envelope(receive), fields, prepared, begin,
                                           self.receive_request)
            return
        if how in ("probe", "mprobe"):
            yield lambda: self.found(rank, receive)
            yield from self.probe(rank, receive, self.found(rank, receive), start, how, line)
            return
        begin()
        if how == "MPI_Irecv":
            yield 0.5
            number = self.new_request(rank, self.receive_request(receive))
            receive.post = self.record(rank, start, how, line, self.envelope(receive) + " request=%d" % number, **fields)
            self.requests[rank][number].start = receive.post
            return
        yield lambda: receive.message
        yield 0.3
        self.took(receive.message, self.record(rank, start, how, line, "%s %s" % (
            self.envelope(receive), self.really(receive)), **dict(fields, received=receive.message.size)))

    @staticmethod
    def took(message, call):
        message.post = message.receive_wait = call

    def found(self, rank, receive):
        return next((m for m in self.arrived[rank] if m.matches(receive)), None)

    def probe(self, rank, receive, message, start, how, line):
        receive.message = message
        self.arrived[rank].remove(message)
        yield 0.3
        number = self.new_request(rank, None) if how == "mprobe" else None
        name, more = ("MPI_Probe", "") if number is None else ("MPI_Mprobe", " message=%d" % number)
        call = self.record(rank, start, name, line, "%s%s %s" % (self.envelope(receive), more, self.really(receive)))
        message.probe, message.taken = call, None if number is None else call
        yield 0.7
        begin = self.now
        self.meet_up(message, receive)
        yield 0.3
        if number is None:
            text = "peer=%d tag=%d comm=0x%x received=%d" % (message.source, message.tag, message.comm, message.size)
        else:
            del self.requests[rank][number]
            text = "message=%d %s" % (number, self.outcome(message))
        self.took(message, self.record(rank, begin, "MPI_Recv" if number is None else "MPI_Mrecv", line, text,
                                       received=message.size))

    def sendrecv(self, rank, peer, tag, size, line):
        start, receive = self.now, Receive(WORLD, peer, tag)
        message = self.launch(rank, WORLD, peer, tag, size)
        self.post(rank, receive)
        yield lambda: receive.message and message.may_go()
        yield 0.4
        call = self.record(rank, start, "MPI_Sendrecv", line, "peer=%d tag=%d recv_peer=%d recv_tag=%d comm=0x%x sent=%d "
                           "received=%d" % (peer, tag, peer, tag, WORLD, size, receive.message.size),
                           **self.fields_of(WORLD, tag, size, dest=peer, source=peer, received=receive.message.size))
        message.send = message.send_wait = call
        self.took(receive.message, call)

    # Completions

    def finish(self, rank, number):
        """The text of a completed request, and what has to learn of the call."""
        request = self.requests[rank][number]
        text = " done=%d" % number
        if isinstance(request.thing, Receive):
            text += " " + self.outcome(request.thing.message)
        return text, request

    def complete(self, rank, start, name, numbers, done, line):
        finished = [self.finish(rank, n) for n in done]
        texts = {"MPI_Wait": "", "MPI_Test": "flag=1"}
        text = texts.get(name, "count=%d" % len(numbers)) + "".join(text for text, _ in finished)
        call = self.record(rank, start, name, line, text)
        for order, (number, (_, request)) in enumerate(zip(done, finished)):
            request.completed(call)
            if not isinstance(request.thing, Meeting):
                is_send = isinstance(request.thing, Message)
                (request.thing if is_send else request.thing.message).order[is_send] = order
            self.lives.append((request.start, call, request.is_kept))
            if request.is_kept:
                self.requests[rank][number] = None
            else:
                del self.requests[rank][number]

    def active(self, rank):
        return [n for n, request in self.requests[rank].items() if request]

    def wait(self, rank, most):
        numbers = self.active(rank)
        self.random.shuffle(numbers)
        numbers = numbers[:most]
        if not numbers:
            return
        start, line, over = self.now, self.random.randrange(60, 64), lambda n: self.requests[rank][n].is_over()
        if self.random.random() < 0.3:
            # Everything that is complete when the first one is.
            yield lambda: any(over(n) for n in numbers)
            done = [n for n in numbers if over(n)]
            yield 0.4
            name = "MPI_Waitsome"
            if len(numbers) == 1:
                name = self.random.choice(("MPI_Wait", "MPI_Test"))
            self.complete(rank, start, name, numbers, done, line)
            if most == 1000 and len(done) < len(numbers):
                yield 0.4
                yield from self.wait(rank, most)
            return
        yield lambda: all(over(n) for n in numbers)
        yield 0.4
        self.complete(rank, start, "MPI_Waitall", numbers, numbers, line)

    # Collective operations

    def traffic(self, name, rank, root):
        """Bytes that a member sends and receives."""
        kind, some = KINDS[name], self.random.choice((0, 8, 64))
        if name in ("MPI_Barrier", "MPI_Comm_split"):
            return 0, 0
        if kind == "root_first":
            return (64, 0) if rank == root else (0, 64)
        if kind == "root_last":
            return (64, 64) if rank == root else (64, 0)
        if kind == "some":
            return some, self.random.choice((0, some))
        return 8, 8

    def meeting_of(self, rank, comm, name, members, root, lane):
        number = self.met.get((comm, rank, lane), 0)
        self.met[comm, rank, lane] = number + 1
        key = comm, lane, number
        if key not in self.meeting_at:
            self.meeting_at[key] = Meeting(name, comm, members, root)
            self.meetings.append(self.meeting_at[key])
        return self.meeting_at[key]

    def enter(self, rank, meeting):
        meeting.entered.add(rank)
        self.something_happened()
        return meeting

    def meet_request(self, rank, meeting):
        def completed(call):
            meeting.waits[rank] = call
            call.met.append(meeting)
        return Request(meeting, lambda: meeting.needed(rank) <= meeting.entered, completed)

    def meet(self, rank, comm, name, members, root, how, line):
        sent, received = self.traffic(name, rank, root)
        text = "comm=0x%x%s" % (comm, " root=%d" % members.index(root) if KINDS[name].startswith("root") else "")
        text += "".join(" %s=%d" % pair for pair in (("sent", sent), ("received", received)) if pair[1])
        fields = {"comm": comm, "sent": sent, "received": received}
        start = self.now
        if how == "prepared":
            lane = self.met[comm, rank, "lanes"] = self.met.get((comm, rank, "lanes"), 0) + 1
            meeting = self.meeting_of(rank, comm, name, members, root, lane)
            yield from self.start_prepared(rank, name + "_init", line, text, fields, {},
                                           lambda: self.enter(rank, meeting),
                                           lambda meeting: self.meet_request(rank, meeting))
            return
        meeting = self.enter(rank, self.meeting_of(rank, comm, name, members, root, 0))
        if how == "later":
            yield 0.3
            number = self.new_request(rank, self.meet_request(rank, meeting))
            meeting.calls[rank] = self.record(rank, start, "MPI_I" + name[4:].lower(), line,
                                              text + " request=%d" % number, **fields)
            self.requests[rank][number].start = meeting.calls[rank]
            return
        yield lambda: meeting.needed(rank) <= meeting.entered
        yield 0.6
        meeting.calls[rank] = meeting.waits[rank] = self.record(rank, start, name, line, text, **fields)

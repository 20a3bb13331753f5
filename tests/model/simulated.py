"""Random MPI programs, run in a simulation that knows the true time of everything and matches messages as MPI does:
posted receives are searched when a message arrives, arrived messages when a receive is posted.

A program is a list of steps for each process, which are generators: they yield what they wait for.
"""

import random

from clockwork import Clockwork
from replayed import Trace, WORLD

PAIRS = 0xd0  # of messages of which each process gets those of one sender only, with one tag, by wildcard or not
PART = 0xe0   # some of the processes
KINDS = {  # collective calls, and which members a member needs
    "MPI_Barrier": "all", "MPI_Allreduce": "all", "MPI_Comm_split": "all", "MPI_Bcast": "root_first",
    "MPI_Scatter": "root_first", "MPI_Reduce": "root_last", "MPI_Gather": "root_last", "MPI_Scan": "lower",
    "MPI_Exscan": "lower", "MPI_Alltoallv": "some"}


class Message:
    def __init__(self, comm, source, dest, tag, start):
        self.comm, self.source, self.dest, self.tag, self.start = comm, source, dest, tag, start

    def matches(self, receive):
        return (self.comm == receive.comm and receive.source in (self.source, None)
                and receive.tag in (self.tag, None))


class Receive:
    def __init__(self, comm, source, tag):
        self.comm, self.source, self.tag, self.message = comm, source, tag, None


class Meeting:
    def __init__(self, kind, members, root):
        self.kind, self.members, self.root, self.entered = kind, members, root, {}

    def needed(self, rank):
        if self.kind == "all":
            return set(self.members)
        if self.kind == "root_first":
            return set() if rank == self.root else {self.root}
        if self.kind == "root_last":
            return set(self.members) if rank == self.root else set()
        if self.kind == "lower":
            return set(self.members[:self.members.index(rank)])
        return set()


class Simulation(Clockwork):
    def __init__(self, size, seed, actions):
        super().__init__()
        self.random = random.Random(seed)
        self.size = size
        self.trace = Trace(size)
        self.trace.comm(PAIRS, range(size))
        self.part = sorted(self.random.sample(range(size), max(2, size // 2)))
        self.trace.comm(PART, self.part)
        self.posted = [[] for _ in range(size)]
        self.arrived = [[] for _ in range(size)]
        self.meetings, self.met = {}, {}
        self.last_arrival = {}
        self.requests = [{} for _ in range(size)]
        self.shift = [self.random.choice((0, 0, self.random.randrange(-20000, 20000))) for _ in range(size)]
        # What really happened, by true times.
        self.messages, self.probes, self.leaves, self.order = [], [], [], [[] for _ in range(size)]
        self.programs = self.plan(actions)

    # The program

    def plan(self, actions):
        """Steps of each process, in the order of one list of actions for all: so no process waits forever."""
        pairs = [(self.random.choice([s for s in range(self.size) if s != d]), self.random.randrange(3))
                 for d in range(self.size)]
        steps = [[] for _ in range(self.size)]
        for _ in range(actions):
            kind = self.random.random()
            if kind < 0.6:
                self.plan_message(steps, WORLD, self.random.randrange(self.size), self.random.randrange(3))
            elif kind < 0.8:
                self.plan_message(steps, PAIRS, self.random.randrange(self.size), None, pairs)
            else:
                self.plan_meeting(steps)
        for own in steps:
            own.append(("wait", 1000))
        return steps

    def plan_message(self, steps, comm, dest, tag, pairs=None):
        source = self.random.randrange(self.size)
        if pairs:
            source, tag = pairs[dest]
        steps[source].append(("send", comm, dest, tag, self.random.choice(("MPI_Send", "MPI_Ssend", "MPI_Isend"))))
        wild = pairs and self.random.random() < 0.5
        wanted = (None, self.random.choice((None, tag))) if wild else (source, tag)
        how = self.random.choice(("MPI_Recv", "MPI_Irecv", "MPI_Irecv", "probe", "mprobe"))
        if source == dest and how != "MPI_Irecv":
            how = "MPI_Irecv"
        steps[dest].append(("receive", comm, *wanted, how))
        if self.random.random() < 0.3:
            rank = self.random.randrange(self.size)
            steps[rank].append(("wait", self.random.randrange(1, 5)))

    def plan_meeting(self, steps):
        comm, members = self.random.choice(((WORLD, list(range(self.size))), (PART, self.part)))
        name = self.random.choice(list(KINDS))
        root = self.random.choice(members)
        later = self.random.random() < 0.3 and name not in ("MPI_Comm_split",)
        for rank in members:
            steps[rank].append(("meet", comm, name, members, root, later))

    # Time

    def pause(self, rank):
        return self.random.choice((1, 3, 50, 400)) * self.random.random() * 10 + 1

    def run(self):
        self.play([(self.random.random() * 100, self.process(rank)) for rank in range(self.size)])

    # Processes

    def process(self, rank):
        steps = {"send": self.send, "receive": self.receive, "meet": self.meet, "wait": self.wait}
        for step in self.programs[rank]:
            yield self.pause(rank)
            yield from steps[step[0]](rank, *step[1:])

    def record(self, rank, start, text):
        self.trace.add(rank, self.tick(rank, start), self.tick(rank, self.now), text)
        self.order[rank].append((self.tick(rank, start), self.tick(rank, self.now)))

    def tick(self, rank, true):
        return int(true * 10) + 100000 + self.shift[rank]

    def new_request(self, rank, thing):
        number = next(n for n in range(10**6) if n not in self.requests[rank])
        self.requests[rank][number] = thing
        return number

    def send(self, rank, comm, dest, tag, name):
        start = self.now
        message = Message(comm, rank, dest, tag, start)
        last = self.last_arrival.get((rank, dest), 0)
        arrival = max(start + 1 + self.random.random() * 30, last + 0.001)
        self.last_arrival[rank, dest] = arrival
        self.at(arrival, lambda: self.arrive(message))
        yield self.random.random() * 5 + 0.1
        request = " request=%d" % self.new_request(rank, None) if name == "MPI_Isend" else ""
        self.record(rank, start, "%s peer=%d tag=%d comm=0x%x sent=8%s" % (name, dest, tag, comm, request))

    def arrive(self, message):
        for receive in self.posted[message.dest]:
            if message.matches(receive):
                receive.message = message
                self.posted[message.dest].remove(receive)
                break
        else:
            self.arrived[message.dest].append(message)
        self.something_happened()

    def post(self, rank, receive):
        for message in self.arrived[rank]:
            if message.matches(receive):
                receive.message = message
                self.arrived[rank].remove(message)
                return
        self.posted[rank].append(receive)

    def found(self, rank, receive):
        return next((m for m in self.arrived[rank] if m.matches(receive)), None)

    @staticmethod
    def envelope(receive):
        return "peer=%s tag=%d comm=0x%x" % ("any" if receive.source is None else receive.source,
                                              -1 if receive.tag is None else receive.tag, receive.comm)

    @staticmethod
    def outcome(message):
        return "source=%d source_tag=%d received=8" % (message.source, message.tag)

    def really(self, receive):
        """The fields of the real source, which are there for wildcards only."""
        wild = receive.source is None or receive.tag is None
        return " " + self.outcome(receive.message) if wild else " received=8"

    def receive(self, rank, comm, source, tag, how):
        receive = Receive(comm, source, tag)
        start = self.now
        if how == "MPI_Irecv":
            self.post(rank, receive)
            yield 0.5
            number = self.new_request(rank, receive)
            self.record(rank, start, "MPI_Irecv %s request=%d" % (self.envelope(receive), number))
            return
        if how in ("probe", "mprobe"):
            # A receive that was posted before would get the message first.
            yield lambda: self.found(rank, receive)
            message = self.found(rank, receive)
            yield from self.probe(rank, receive, message, start, how)
            return
        self.post(rank, receive)
        yield lambda: receive.message
        yield 0.3
        self.got(rank, receive.message)
        self.record(rank, start, "MPI_Recv %s%s" % (self.envelope(receive), self.really(receive)))

    def probe(self, rank, receive, message, start, how):
        receive.message = message
        if how == "mprobe":
            self.arrived[rank].remove(message)
        yield 0.3
        self.probes.append((message, rank, self.tick(rank, self.now)))
        if how == "probe":
            self.record(rank, start, "MPI_Probe %s%s" % (self.envelope(receive), self.really(receive)))
            yield 0.7
            begin = self.now
            self.arrived[rank].remove(message)
            yield 0.3
            self.got(rank, message)
            self.record(rank, begin, "MPI_Recv peer=%d tag=%d comm=0x%x received=8" % (
                message.source, message.tag, message.comm))
            return
        number = self.new_request(rank, None)
        self.record(rank, start, "MPI_Mprobe %s message=%d%s" % (self.envelope(receive), number, self.really(receive)))
        yield 0.7
        begin = self.now
        yield 0.3
        del self.requests[rank][number]
        self.got(rank, message)
        self.record(rank, begin, "MPI_Mrecv message=%d %s" % (number, self.outcome(message)))

    def got(self, rank, message):
        self.messages.append((message.source, self.tick(message.source, message.start), rank,
                              self.tick(rank, self.now)))

    def is_over(self, rank, thing):
        if thing is None:
            return True
        if isinstance(thing, Receive):
            return thing.message is not None
        return thing.needed(rank) <= set(thing.entered)

    def finish(self, rank, number):
        thing = self.requests[rank].pop(number)
        if isinstance(thing, Receive):
            self.got(rank, thing.message)
            return " done=%d %s" % (number, self.outcome(thing.message))
        if thing is not None:
            self.leave(rank, thing)
        return " done=%d" % number

    def wait(self, rank, most):
        numbers = list(self.requests[rank])
        self.random.shuffle(numbers)
        numbers = numbers[:most]
        if not numbers:
            return
        start = self.now
        if self.random.random() < 0.3:
            # Everything that is complete when the first one is.
            yield lambda: any(self.is_over(rank, self.requests[rank][n]) for n in numbers)
            left = [n for n in numbers if not self.is_over(rank, self.requests[rank][n])]
            name, count = "MPI_Waitsome", len(numbers)
            done = [n for n in numbers if n not in left]
            yield 0.4
            self.record(rank, start, "%s count=%d%s" % (name, count, "".join(self.finish(rank, n) for n in done)))
            if most == 1000 and left:
                yield 0.4
                yield from self.wait(rank, most)
            return
        yield lambda: all(self.is_over(rank, self.requests[rank][n]) for n in numbers)
        yield 0.4
        self.record(rank, start, "MPI_Waitall count=%d%s" % (
            len(numbers), "".join(self.finish(rank, n) for n in numbers)))

    def meet(self, rank, comm, name, members, root, later):
        number = self.met.get((comm, rank), 0)
        self.met[comm, rank] = number + 1
        meeting = self.meetings.setdefault((comm, number), Meeting(KINDS[name], members, root))
        start = self.now
        meeting.entered[rank] = self.tick(rank, start)
        self.something_happened()
        fields = " comm=0x%x" % comm
        if meeting.kind.startswith("root"):
            fields += " root=%d" % members.index(root)
        if later:
            name = "MPI_I" + name[4:].lower()
            yield 0.3
            self.record(rank, start, name + fields + " request=%d" % self.new_request(rank, meeting))
            return
        yield lambda: self.is_over(rank, meeting)
        yield 0.6
        self.leave(rank, meeting)
        self.record(rank, start, name + fields)

    def leave(self, rank, meeting):
        """(process, start, end, {needed process: its start}), in ticks"""
        self.leaves.append((rank, meeting.entered[rank], self.tick(rank, self.now),
                            {needed: meeting.entered[needed] for needed in meeting.needed(rank)}))

"""The critical path, walked backwards over the text of a trace: a second evaluation, which shares nothing with Tarry but the text.

    from path_walker import walk, Unknown
    path = walk(text, eps_ns)      path.from_ns, path.to_ns, path.ranks, path.kinds

It finds the waits of each thread itself: it matches messages by MPI's rules, counts collective calls of each communicator, and joins tests that
find nothing. Then it goes back from the end of the last process to its last wait, and continues at the process that it waited for. `Unknown`: the trace has
calls that it does not follow."""

import json
import re
import subprocess
from collections import defaultdict

EVENT = re.compile(r"(\d+) (\d+) (\w+)(.*)")
FIELD = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\S+)')
CLOCK = re.compile(r'clock (?:"(?:[^"\\]|\\.)*"|\S+) (\d+)')
STARTS = ("MPI_Init", "MPI_Init_thread")
ENDS = ("MPI_Finalize",)
LOCAL = re.compile(r"MPI_(Comm_(rank|size|set_\w+|get_\w+|compare|group|test_inter|create_errhandler|call_errhandler|free_keyval|create_keyval|delete_attr)|Wtime|Wtick"
                   r"|Get_\w+|Type_\w+|Group_\w+|Info_\w+|Op_\w+|Error_\w+|Errhandler_\w+|Initialized|Finalized|Query_thread|Is_thread_main|Pack\w*|Unpack\w*"
                   r"|Cart_(coords|rank|shift|get)|Cartdim_get|Dims_create|Graph\w*_get|Topo_test|Status_\w+|Address|Aint_\w+|Buffer_\w+|Alloc_mem|Free_mem"
                   r"|Request_free|Test_cancelled|Pcontrol|T_\w+|Add_error\w+)|tarry_\w+$")
SENDS = {"Send": "standard", "Bsend": "buffered", "Ssend": "synchronous", "Rsend": "ready"}
NEEDS = {"Bcast": "root_first", "Scatter": "root_first", "Scatterv": "root_first", "Reduce": "root_last", "Gather": "root_last", "Gatherv": "root_last",
         "Scan": "lower", "Exscan": "lower"}
ALL = ("Barrier", "Allreduce", "Allgather", "Allgatherv", "Alltoall", "Reduce_scatter", "Reduce_scatter_block", "Comm_dup", "Comm_split", "Comm_create",
       "Comm_free", "Cart_create", "Comm_split_type", "Comm_dup_with_info", "Cart_sub")
TESTS = ("MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Iprobe", "MPI_Improbe")
COMPLETES = ("MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome") + TESTS[:4]
# As rules/noise.rules: unsuccessful tests are a wait if there is so little work between them.
POLL_PART, POLL_GAP_NS = 0.25, 2000


class Unknown(Exception):
    """A call, or a kind of trace, that is not followed here."""


class Event:
    """One call: `start` and `end` in ns, and its fields as they stand in the text."""

    def __init__(self, thread, number, start, end, name, fields):
        self.thread, self.number, self.start, self.end, self.name, self.fields = thread, number, start, end, name, fields
        self.since = start  # of a wait: the first of the unsuccessful tests before it
        self.noise_before = int(self.get("delay_before", self.get("stolen_before", 0))) * 1000
        self.noise_inside = int(self.get("delay_inside", self.get("stolen_inside", 0))) * 1000

    def get(self, key, default=None):
        return next((value for name, value in self.fields if name == key), default)

    def all(self, key):
        return [value for name, value in self.fields if name == key]

    def finds_nothing(self):
        return self.name in TESTS and (self.get("flag") == "0" or self.name == "MPI_Testsome" and not self.get("done"))


class Process:
    def __init__(self, rank):
        self.rank, self.threads, self.comms, self.eager, self.properties = rank, [], {}, {}, {}
        self.hz, self.clock = 10**9, None

    def events(self):
        used = [thread for thread in self.threads if any(event for event in thread)]
        if len(used) > 1:
            raise Unknown("several threads")
        return used[0] if used else []


class Operation:
    """A message or collective call from the call that starts it to the calls that end it."""

    def __init__(self, kind, start, **facts):
        self.kind, self.start, self.end, self.partner = kind, start, None, None
        self.__dict__.update(facts)


def read(text):
    """The processes of a trace; times since the first event."""
    processes, overhead = [], 0
    for line in text.splitlines():
        found = EVENT.match(line)
        word = line.partition(" ")[0]
        if found:
            start, end, name, rest = found.groups()
            thread = processes[-1].threads[-1]
            thread.append(Event(len(processes) - 1, len(thread), int(start), int(end), name, FIELD.findall(rest.partition("  # ")[0])))
            thread[-1].noise_before += overhead
            overhead = 0
        elif word == "overhead":
            overhead += int(line.split()[2]) // 1000 * 1000
        elif word == "process":
            rank = dict(FIELD.findall(line))["rank"]
            processes.append(Process(int(rank) if rank.isdigit() else None))
        elif word == "thread":
            processes[-1].threads.append([])
        elif word == "comm":
            fields = dict(FIELD.findall(line))
            processes[-1].comms[fields_id(line.split()[1])] = int(fields["rank"])
            if int(fields.get("remote", 0)):
                processes[-1].comms[fields_id(line.split()[1])] = None
        elif word == "eager":
            _, size, scope = line.split()
            processes[-1].eager[scope] = int(size)
        elif word == "property":
            _, key, value = line.split(" ", 2)
            processes[-1].properties[key] = value
        elif word == "clock":
            processes[-1].hz = int(CLOCK.match(line)[1])
        elif word in ("loss", "pause", "resume", "skipped", "summed", "open", "unknown", "object"):
            raise Unknown(f"records of '{word}'")
    if len({(process.properties.get("clock"), process.hz) for process in processes}) > 1:
        raise Unknown("several clocks")
    origin = min((thread[0].start for process in processes for thread in process.threads if thread), default=0)
    for process in processes:
        for event in process.events():
            event.start, event.end = ((tick - origin) * 10**9 / process.hz for tick in (event.start, event.end))
            event.since = event.start
    return processes


def fields_id(text):
    return int(text, 0)


class Job:
    """Matches messages and collective calls, and lists the waits of each process."""

    def __init__(self, processes, eps):
        self.processes, self.eps = processes, eps
        self.members = defaultdict(dict)
        for number, process in enumerate(processes):
            for comm, rank in process.comms.items():
                self.members[comm][rank] = number
        self.sends, self.receives, self.meetings = defaultdict(list), defaultdict(list), defaultdict(lambda: defaultdict(list))
        self.waits = [[] for _ in processes]
        self.ended = defaultdict(list)  # operations by the event that ends them
        for number, process in enumerate(processes):
            self.follow(number, process.events())
        self.match()
        self.find_waits()

    def comm_of(self, event):
        comm = fields_id(event.get("comm", "0"))
        if comm not in self.members or None in self.members[comm]:
            raise Unknown(f"communicator of {event.name}")
        return comm

    def follow(self, number, events):
        requests, poll = {}, []
        for event in events:
            if event.name in TESTS and not event.finds_nothing() and poll and poll[-1].number == event.number - 1:
                self.join(poll, event)
            poll = poll + [event] if event.finds_nothing() else []
            if event.name in STARTS + ENDS or LOCAL.match(event.name) or event.finds_nothing():
                continue
            plain = event.name.removeprefix("MPI_").removesuffix("_c")
            if event.name in COMPLETES:
                self.complete(event, requests)
            elif plain in ("Start", "Startall"):
                for request in event.all("request"):
                    prepared = requests[request]
                    requests[request] = self.begin(number, prepared.name, prepared.event, event)
                    requests[request].prepared = prepared
            elif plain.endswith("_init"):
                requests[event.get("request")] = Operation("prepared", event, name=plain.removesuffix("_init"), event=event, prepared=None)
            elif event.get("request") is not None:
                requests[event.get("request")] = self.begin(number, plain[1:].capitalize() if plain[0] == "I" else plain, event, event)
            else:
                self.end(self.begin(number, plain, event, event), event)

    def join(self, poll, event):
        """The end of a loop of tests, if there is nothing else between them."""
        busy = sum(int(test.get("busy", 0)) * 10**9 / self.processes[test.thread].hz if test.get("polls") else test.end - test.start for test in poll)
        noise = sum(test.noise_inside + (test.noise_before if test is not poll[0] else 0) for test in poll)
        between = poll[-1].end - poll[0].start - busy - noise
        if between <= POLL_PART * busy or between <= POLL_GAP_NS * sum(int(test.get("polls", 1)) for test in poll):
            event.since = poll[0].start

    def begin(self, number, name, event, start):
        """`event` has the fields, `start` the time: they differ for persistent requests."""
        if name in SENDS:
            return self.send(number, event, start, SENDS[name])
        if name == "Recv":
            return self.receive(number, event, start, event.get("peer"), event.get("tag"))
        if name in ("Sendrecv", "Sendrecv_replace"):
            return [self.send(number, event, start, "standard"), self.receive(number, event, start, event.get("recv_peer"), event.get("recv_tag"))]
        if name in ("Probe", "Iprobe"):
            operation = Operation("probe", start, number=number, comm=self.comm_of(event), source=event.get("source", event.get("peer")),
                                  tag=event.get("source_tag", event.get("tag")))
            self.receives[number].append(operation)
            return operation
        if name in NEEDS or name in ALL:
            comm = self.comm_of(event)
            operation = Operation("meeting", start, comm=comm, name=name, number=number, rank=self.processes[number].comms[comm], root=event.get("root"))
            self.meetings[comm][number].append(operation)
            return operation
        raise Unknown(event.name)

    def send(self, number, event, start, mode):
        operation = Operation("send", start, number=number, mode=mode, bytes=int(event.get("sent", 0)))
        if event.get("peer") != "null":
            comm = self.comm_of(event)
            target = self.members[comm].get(int(event.get("peer")))
            self.sends[comm, number, target, event.get("tag", "0")].append(operation)
        return operation

    def receive(self, number, event, start, source, tag):
        operation = Operation("receive", start, number=number, source=source, tag=tag or "0", comm=None)
        if source != "null":
            operation.comm = self.comm_of(event)
            self.receives[number].append(operation)
        return operation

    def complete(self, event, requests):
        done = None
        for key, value in event.fields:
            if key == "done":
                done = requests.pop(value, None)
                if done and getattr(done, "prepared", None):
                    requests[value] = done.prepared
                if done:
                    self.end(done, event)
            elif key in ("source", "source_tag", "cancelled") and done and done.kind == "receive":
                setattr(done, {"source": "source", "source_tag": "tag", "cancelled": "cancelled"}[key], value)

    def end(self, operations, event):
        for operation in operations if isinstance(operations, list) else [operations]:
            operation.end = event
            self.ended[event].append(operation)
            if operation.kind in ("receive", "probe") and operation.start is event:
                operation.source = event.get("source", operation.source)
                operation.tag = event.get("source_tag", operation.tag)

    def match(self):
        for number, receives in self.receives.items():
            taken = defaultdict(int)
            for receive in receives:
                if receive.source in ("any", None) or receive.tag == "any" or hasattr(receive, "cancelled"):
                    if receive.end:
                        raise Unknown("a receive from an unknown source")
                    continue
                key = receive.comm, self.members[receive.comm].get(int(receive.source)), number, receive.tag
                if taken[key] < len(self.sends[key]):
                    receive.partner = self.sends[key][taken[key]]
                    if receive.kind == "receive":
                        receive.partner.partner = receive
                        taken[key] += 1

    def is_eager(self, send):
        own, other = self.processes[send.number], self.processes[send.partner.number]
        same = own.properties.get("node", own.properties.get("host")) == other.properties.get("node", other.properties.get("host"))
        # One process records it for all.
        limits = [process.eager for process in (own, *self.processes) if process.eager]
        limit = limits[0].get("node" if same else "network") if limits else None
        if limit is None:
            raise Unknown("no eager limit")
        return send.bytes <= limit

    def needed_by(self, operation, event):
        """Events that must begin before `event` can end."""
        if operation.kind == "meeting":
            group = self.group_of(operation)
            part = NEEDS.get(operation.name, "all")
            is_root = part.startswith("root") and (operation.root == "root" or operation.root == str(operation.rank))
            for other in group:
                if (part == "all" or part == "root_first" and not is_root and str(other.rank) == operation.root
                        or part == "root_last" and is_root and other.rank != operation.rank or part == "lower" and other.rank <= operation.rank):
                    yield other.start
        elif operation.partner:
            if operation.kind != "send":
                yield operation.partner.start
            elif (operation.mode != "buffered" and event.end > operation.partner.start.start
                  and (operation.mode == "synchronous" or not self.is_eager(operation))):
                yield operation.partner.start

    def group_of(self, operation):
        position = self.meetings[operation.comm][operation.number].index(operation)
        group = [calls[position] for calls in self.meetings[operation.comm].values() if position < len(calls)]
        if len(group) != len(self.members[operation.comm]) or len({other.name for other in group}) > 1:
            raise Unknown("an incomplete collective call")
        return group

    def find_waits(self):
        for event, operations in self.ended.items():
            if event.end - event.since < self.eps:
                continue
            if len(operations) > 1 and any(operation.kind == "meeting" for operation in operations):
                raise Unknown("a call that completes collective operations and others")
            needed = [other for operation in operations for other in self.needed_by(operation, event)]
            last = max(needed, key=lambda other: other.start, default=None)
            if last and last.thread != event.thread and min(last.start, event.end) - event.since >= self.eps:
                self.waits[event.thread].append((min(last.start, event.end), last.thread))
        for waits in self.waits:
            waits.sort()


class Path:
    def __init__(self):
        self.from_ns = self.to_ns = 0
        self.moves = 0
        self.ranks, self.kinds = defaultdict(float), defaultdict(float)


def spans(process):
    """Start and end of the part of a process that counts: between MPI_Init and MPI_Finalize."""
    events = process.events()
    start = max((event.end for event in events if event.name in STARTS), default=events[0].start)
    return start, min((event.start for event in events if event.name in ENDS), default=events[-1].end)


def add_parts(path, process, start, end):
    path.ranks[process.rank] += end - start
    last, noise = None, 0
    for event in process.events():
        noise += event.noise_before
        if LOCAL.match(event.name):
            noise += event.noise_inside
            continue
        if last is not None:
            add_part(path, "computing", last, event.start, noise, start, end)
        busy_end = event.end
        if event.get("polls"):
            busy_end = event.start + int(event.get("busy", 0)) * 10**9 / process.hz
        add_part(path, "call", event.start, min(busy_end, event.end), event.noise_inside, start, end)
        last, noise = min(busy_end, event.end), 0


def add_part(path, kind, start, end, noise, least, most):
    inside = min(end, most) - max(start, least)
    if inside <= 0:
        return
    noise = min(inside, noise * inside / (end - start))
    path.kinds["noise"] += noise
    path.kinds[kind] += inside - noise


def walk(text, eps_ns):
    processes = [process for process in read(text) if process.events()]
    job, path = Job(processes, eps_ns), Path()
    ends = [spans(process)[1] for process in processes]
    thread = ends.index(max(ends))
    now = path.to_ns = ends[thread]
    seen = set()
    while True:
        start = spans(processes[thread])[0]
        before = [wait for wait in job.waits[thread] if wait[0] <= now and (wait[0] < now or wait not in seen)]
        moment, late = max(before, default=(start, None), key=lambda wait: wait[0])
        begin = min(max(moment, start), now)
        add_parts(path, processes[thread], begin, now)
        now = begin
        if late is None or moment <= start:
            path.from_ns = now
            return path
        seen = {wait for wait in seen if wait[0] == now} | {(moment, late)}
        path.moves += 1
        thread = late


def should_have_path(report):
    """Reports have a path if a finding is a wait. Waits here may be scheduling delays of the partner, which are not findings."""
    return not report["run"]["without_processor_s"] or any(finding["partner"] for finding in report["findings"])


def difference(text, report):
    """A sentence about how the report's path differs from the one that is walked here, or None."""
    eps_ns = max(1000, report["run"]["uncertainty_s"] * 1e9)
    told, path = report["critical_path"], walk(text, eps_ns)
    if not told:
        return f"the report has no path, but {path.moves} moves are found" if path.moves and should_have_path(report) else None
    length_ns = path.to_ns - path.from_ns
    room = 5e-6 + 1e-3 * length_ns * 1e-9
    kinds = {"computing": told["computing_s"], "call": told["communication_s"], "noise": told["noise_s"]}
    pairs = [("length", told["to_s"] - told["from_s"], length_ns), *((kind, kinds[kind], path.kinds[kind]) for kind in kinds)]
    ranks = {rank["rank"]: rank["total_s"] for rank in told["ranks"]}
    pairs += [(f"rank {rank}", ranks.get(rank, 0), path.ranks.get(rank, 0)) for rank in {*ranks, *path.ranks}]
    wrong = [f"{name}: {seconds:.6f} s in the report, {ns * 1e-9:.6f} s found" for name, seconds, ns in pairs if abs(seconds - ns * 1e-9) > room]
    if told["moves"] != path.moves and wrong:
        wrong.append(f"{told['moves']} moves in the report, {path.moves} found")
    return "; ".join(wrong) or None


def fault_of(tarry, trace):
    """The same for the file of a trace."""
    report = subprocess.run([tarry, "report", "--json", "-", "--all", trace], check=True, capture_output=True)
    text = subprocess.run([tarry, "dump", "--no-source", trace], check=True, capture_output=True)
    return difference(text.stdout.decode(errors="replace"), json.loads(report.stdout))

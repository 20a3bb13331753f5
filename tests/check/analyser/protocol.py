"""A second implementation of docs/check-protocol.md: agents without a program, for tests of tarry-analyser."""
import fcntl
import glob
import hmac
import os
import socket
import struct
import subprocess
import tempfile
import time

HELLO, RELAY, COMM, TYPE, CALL, EVENTS, FINDING, FORGET, STATE, BYE, END, MEMBER = range(1, 13)
EXIT, CHALLENGE, RESPONSE, PROOF = range(18, 22)
GATHER, VIA, PARENT = 24, 26, 27
VERSION = 16
FINALIZED, ABORTED, EXITED, UNCHECKED, VANISHED, STOPPED, IN_FINALIZE = range(7)
SEND, RECEIVE, COLLECTIVE, PROBE, MATCHED_PROBE = 1, 2, 3, 4, 5
RECEIVES = 1
TAKES, DROPS = 5, 8
NONBLOCKING, PERSISTENT, WILDCARD, IN_PLACE = 1, 2, 4, 8
BUFFERED, SYNCHRONOUS, READY, TOGETHER, CONTENT = 16, 32, 64, 1024, 8192
WORLD = 0x1234


def number(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed(value):
    return number(value << 1 if value >= 0 else (-value << 1) - 1)


def text(value):
    value = value.encode()
    return number(len(value)) + value


def word(value):
    return struct.pack("<Q", value)


def frame(kind, body=b""):
    return struct.pack("<IB", len(body) + 1, kind) + body


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def word(self):
        self.at += 8
        return struct.unpack_from("<Q", self.data, self.at - 8)[0]

    def text(self):
        length = self.number()
        self.at += length
        return self.data[self.at - length:self.at].decode()

    def call(self):
        call = {"world": self.word(), "rank": self.number(), "function": self.number(), "note": self.text(),
                "arguments": self.text(), "stack": []}
        for _ in range(self.number()):
            call["stack"].append((self.text(), self.text(), self.number(), self.number()))
        return call

    def finding(self):
        check, times = self.number(), self.number()
        calls = [self.call() for _ in range(self.number())]
        values = {self.text(): self.text() for _ in range(self.number())}
        waits = [(self.number(), self.number(), self.number(), self.text()) for _ in range(self.number())]
        return {"check": check, "times": times, "calls": calls, "values": values, "waits": waits}


def frames(data):
    at = 0
    while at + 5 <= len(data):
        length, kind = struct.unpack_from("<IB", data, at)
        if at + 4 + length > len(data):
            raise ValueError("a frame is cut off")
        yield kind, data[at + 5:at + 4 + length]
        at += 4 + length


class Names:
    """Numbers of functions and checks, and sizes of basic types, from the sources of this build."""

    def __init__(self, source, build):
        def enum(path, prefix):
            names = []
            for line in open(path):
                name = line.strip().rstrip(",").split(" ")[0]
                if name.startswith(prefix):
                    names.append(name[len(prefix):])
            return names
        self.calls = enum(os.path.join(build, "generated/calls/ids.h"), "CALL_")
        self.checks = {}
        for line in open(os.path.join(source, "src/check/checks/mpi.checks")):
            if line.startswith("check "):
                self.checks[len(self.checks) + 1] = line.split()[1]
        self.types = [line.split("(")[1].split(",")[0]
                      for line in open(os.path.join(source, "src/check/signature/basic_types.def"))
                      if line.startswith("BASIC_TYPE(")]

    def call(self, name):
        return self.calls.index(name)

    def type(self, name):
        return self.types.index(name) + 1


class Run:
    """A folder of a run with one analyser, with those of several nodes, or with none."""

    def __init__(self, program, names, nodes=1, host="node1", folder=None, files=None, preload=None, parts=None, children=None,
                 hang_timeout=None):
        """`files`: how many an analyser may open; `preload`: a library in front of the C library; `parts`: for each analyser "1" if it executes the calls
        of its own processes, one digit is for all; `children`: how many analysers connect to one."""
        self.nodes = nodes
        self.program, self.names, self.host, self.files = program, names, host, files
        self.folder = folder or tempfile.mkdtemp(prefix="tarry-analyser-", dir=os.getcwd())
        self.key = os.urandom(32)
        descriptor = os.open(os.path.join(self.folder, "key"), os.O_WRONLY | os.O_CREAT, 0o600)
        os.write(descriptor, self.key)
        os.close(descriptor)
        self.environment = dict(os.environ)
        if preload:
            self.environment.update(LD_PRELOAD=preload, ASAN_OPTIONS="verify_asan_link_order=0")
        if children:
            self.environment["TARRY_CHECK_CHILDREN"] = str(children)
        if hang_timeout is not None:
            self.environment["TARRY_HANG_TIMEOUT"] = str(hang_timeout)
        for node in range(nodes):
            if parts:
                self.environment["TARRY_CHECK_PARTS"] = parts[node % len(parts)]
            self.start(host if node == 0 else "node%d" % (node + 1))

    def host_of(self, rank):
        return self.host if self.nodes <= 1 else "node%d" % (rank % self.nodes + 1)

    def start(self, host):
        os.close(os.open(os.path.join(self.folder, "node-" + host), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        limits = [] if self.files is None else ["prlimit", f"--nofile={self.files}:{self.files}"]
        subprocess.run([*limits, self.program, self.folder, host], env=self.environment, check=True, timeout=60)

    def addresses(self, host=None):
        with open(os.path.join(self.folder, "node-" + (host or self.host))) as file:
            return file.read().strip()

    def logs(self):
        return sorted(glob.glob(os.path.join(self.folder, "analyser-*.log")))

    def notes(self):
        path = os.path.join(self.folder, "notes")
        return open(path).read() if os.path.exists(path) else ""

    def pids(self):
        return [int(path.rsplit("-", 1)[1].split(".")[0]) for path in self.logs()]

    def wait(self, seconds=60):
        """Until all analysers are gone."""
        end = time.time() + seconds
        pids = self.pids()
        while any(is_locked(path) for path in self.logs()) or any(is_alive(pid) for pid in pids):
            if time.time() > end:
                raise TimeoutError("an analyser does not end")
            time.sleep(0.02)

    def ends(self):
        """How each rank ended, according to the logs; None: connected, and still there."""
        states = {}
        for path in self.logs():
            for kind, body in frames(open(path, "rb").read()):
                if kind == MEMBER:
                    reader = Reader(body)
                    reader.word()
                    rank, _, state = reader.number(), reader.number(), reader.number()
                    states[rank] = state - 1 if state else None
        return states

    def findings(self, complete=True):
        found = []
        for path in self.logs():
            kinds = []
            for kind, body in frames(open(path, "rb").read()):
                kinds.append(kind)
                if kind == FINDING:
                    finding = Reader(body).finding()
                    finding["check"] = self.names.checks[finding["check"]]
                    found.append(finding)
            if complete:
                assert kinds and kinds[-1] == END, "%s does not end with END" % path
        return found


def is_alive(pid):
    """A zombie counts as gone."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def is_locked(path):
    """By the analyser that writes it, while it lives."""
    with open(path) as log:
        try:
            fcntl.flock(log, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def connect(addresses):
    error = None
    for address in addresses.split(","):
        kind, rest = address.split(":", 1)
        try:
            if kind == "unix":
                link = socket.socket(socket.AF_UNIX)
                link.connect("\0" + rest[1:])
            else:
                host, port = rest.rsplit(":", 1)
                link = socket.create_connection((host, int(port)), 10)
            return link
        except OSError as caught:
            error = caught
    raise error


def tcp_only(addresses):
    return ",".join(address for address in addresses.split(",") if address.startswith("tcp:"))


def prove(key, label, first, second):
    return hmac.digest(key, label + first + second, "sha256")


def receive_exactly(link, size):
    data = b""
    while len(data) < size:
        more = link.recv(size - len(data))
        if not more:
            raise EOFError("the analyser closed the connection")
        data += more
    return data


def challenge(link, own, version=VERSION):
    """Sends the random number `own`; returns the number and the proof of the other side."""
    link.sendall(frame(CHALLENGE, number(version) + own))
    length, kind = struct.unpack("<IB", receive_exactly(link, 5))
    body = receive_exactly(link, length - 1)
    assert kind == RESPONSE and len(body) == 64
    return body[:32], body[32:]


def greet(run, addresses):
    """A connection on which both sides have proved that they know the key."""
    link = connect(addresses)
    link.settimeout(30)
    own = os.urandom(32)
    other, proof = challenge(link, own)
    assert proof == prove(run.key, b"analyser", own, other)
    link.sendall(frame(PROOF, prove(run.key, b"agent", other, own)))
    return link


def agent_hello(rank, size, world=WORLD, host="node1"):
    return (number(0) + word(world) + number(rank) + number(size) + number(os.getpid()) + text(host) + text(""))


def finding_body(names, check, rank=0):
    numbers = {name: value for value, name in names.checks.items()}
    call = word(1) + number(rank) + number(names.call("Send")) + text("") + text("count=-1") + number(0)
    return number(numbers[check]) + number(1) + number(1) + call + number(0) + number(0)


class Link:
    """One connection of a process."""

    def __init__(self, process, addresses):
        self.socket = greet(process.run, addresses)
        self.input = b""
        self.calls, self.types, self.comms = {}, {}, set()
        self.numbers = [0, 0]
        self.socket.sendall(frame(HELLO, process.hello()))

    def receive(self):
        while True:
            if len(self.input) >= 5:
                length, kind = struct.unpack_from("<IB", self.input)
                if len(self.input) >= 4 + length:
                    body, self.input = self.input[5:4 + length], self.input[4 + length:]
                    return kind, body
            more = self.socket.recv(65536)
            if not more:
                raise EOFError("the analyser closed the connection")
            self.input += more


class Process:
    """An agent: connects to the analyser of its node, and reports its calls."""

    def __init__(self, run, rank, size, world=WORLD, host=None):
        self.run, self.rank, self.size, self.world = run, rank, size, world
        self.host = host or run.host_of(rank)
        self.operations = 0
        self.home = Link(self, run.addresses(self.host))
        self.comms = {}
        self.add_comm(1, "MPI_COMM_WORLD", rank, size)

    def hello(self):
        return agent_hello(self.rank, self.size, self.world, self.host)

    def add_comm(self, identity, name, rank, size, remote=0, side=0, sources=(), dests=()):
        self.comms[identity] = (name, rank, size, remote, side, sources, dests)

    def begin(self, call, times=1):
        """Returns the number of the last operation."""
        self.home.socket.sendall(frame(EVENTS, number(call) * times))
        self.operations += times
        return self.operations

    def change(self, kind, operation, rest):
        """Of an operation, identified by its distance."""
        self.home.socket.sendall(frame(EVENTS, number(0) + number(kind) + number(self.operations + 1 - operation) + rest))

    def type_number(self, link, kind):
        """kind: "INT", or a tuple of (kind, times)."""
        if kind in link.types:
            return link.types[kind]
        if isinstance(kind, str):
            size = {"INT": 4, "INTEGER": 4, "DOUBLE": 8, "FLOAT": 4, "BYTE": 1, "PACKED": 1, "CHAR": 1}[kind]
            rest = number(self.run.names.type(kind)) + number(size)
        else:
            parts = [(self.type_number(link, part), times) for part, times in kind]
            rest = number(0) + number(len(parts)) + b"".join(number(part) + number(times) for part, times in parts)
        link.numbers[0] += 1
        link.types[kind] = link.numbers[0]
        link.socket.sendall(frame(TYPE, number(link.numbers[0]) + rest))
        return link.numbers[0]

    def data(self, link, data):
        """data: None or (kind, count)."""
        return number(0) + number(0) if data is None else number(self.type_number(link, data[0])) + number(data[1])

    def call_number(self, link, function, operation, comm, flags=0, peer=-1, peer_in_world=None, tag=0, root=-1, operator=0, send=None,
                    receive=None, sends=(), receives=(), detail="", line=1, arguments=""):
        key = (function, operation, comm, flags, peer, tag, root, operator, send, receive, tuple(sends),
               tuple(receives), detail, line)
        if key in link.calls:
            return link.calls[key]
        if comm not in link.comms:
            name, rank, size, remote, side, *lists = self.comms[comm]
            link.comms.add(comm)
            link.socket.sendall(frame(COMM, word(comm) + number(rank) + number(size) + number(remote) +
                                      number(side) + text(name) +
                                      b"".join(number(len(ranks)) + b"".join(map(signed, ranks)) for ranks in lists)))
        call = (word(self.world) + number(self.rank) + number(self.run.names.call(function)) + text("") +
                text(arguments) + number(1) + text("app.c") + text("") + number(0) + number(line))
        datas = self.data(link, send) + self.data(link, receive)
        datas += number(len(sends)) + b"".join(self.data(link, one) for one in sends)
        datas += number(len(receives)) + b"".join(self.data(link, one) for one in receives)
        link.numbers[1] += 1
        link.calls[key] = link.numbers[1]
        link.socket.sendall(frame(CALL, number(link.numbers[1]) + number(flags) + number(operation) + call +
                                  word(comm) + signed(peer) +
                                  signed(peer if peer_in_world is None else peer_in_world) + signed(tag) + signed(root) +
                                  word(operator) + datas + number(0) + number(0) + text(detail)))
        return link.numbers[1]

    def send(self, peer, tag=0, data=("INT", 1), comm=1, function="Send", line=1, times=1, **more):
        more.setdefault("flags", NONBLOCKING if function[0] == "I" else 0)
        return self.begin(self.call_number(self.home, function, SEND, comm, peer=peer, tag=tag, send=data, line=line, **more), times)

    def receive(self, peer, tag=0, data=("INT", 1), comm=1, function="Recv", line=2, times=1, **more):
        more.setdefault("flags", NONBLOCKING if function[0] == "I" else 0)
        return self.begin(self.call_number(self.home, function, RECEIVE, comm, peer=peer, tag=tag, receive=data, line=line, **more), times)

    def receive_any(self, peer, tag, data=("INT", 1), comm=1, line=3, unresolved=False):
        """A receive with wildcards that got the message of `peer`, or none."""
        operation = self.begin(self.call_number(self.home, "Recv", RECEIVE, comm, flags=WILDCARD, tag=-1, receive=data, line=line))
        if not unresolved:
            self.change(TAKES, operation, signed(peer) + signed(tag))

    def cancel(self, operation):
        self.change(DROPS, operation, number(1))

    def collective(self, function, comm=1, line=10, times=1, **more):
        self.begin(self.call_number(self.home, function, COLLECTIVE, comm, line=line, **more), times)

    def wait_until_heard(self):
        """The analysers have had time to read its data."""
        time.sleep(0.2)

    def state(self, stuck):
        self.home.socket.sendall(frame(STATE, number(stuck) + number(10**9)))

    def bye(self, how=FINALIZED, exits_well=False):
        self.home.socket.sendall(frame(BYE, number(how)))
        if exits_well:
            self.home.socket.sendall(frame(EXIT))
        self.vanish()

    def vanish(self):
        self.home.socket.close()


class Tape(Process):
    """The frames of a process, kept instead of sent: pairs of its rank and a frame."""

    def __init__(self, names, rank, size, world, frames_of_all):
        self.run, self.rank, self.size, self.world = self, rank, size, world
        self.names, self.frames = names, frames_of_all
        self.comms, self.operations = {}, 0
        self.home = TapeLink(self)

    def sendall(self, data):
        self.frames.append((self.rank, data))

    def wait_until_heard(self):
        pass


class TapeLink:
    def __init__(self, tape):
        self.socket, self.calls, self.types, self.comms, self.numbers = tape, {}, {}, set(), [0, 0]

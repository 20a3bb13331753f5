"""The machine room: the process in which a cluster lives. cluster.py starts it, with a socket as standard input over which it
gets one plan and answers once; it ends when that socket does, and then everything goes with it, whatever happened.

That needs no tidying up because of how it is nested: the room is the first process of a namespace of processes, and
when such a process ends the kernel kills all others in it. Each node is one more such namespace inside, with its own
network, host name, mounts, shared memory and, if wanted, clock. Devices and addresses exist only in there.

    python3 room.py <socket>    plan: {"folder", "nodes": [{"name", "shift_ns", "boot_id"}, ...], "switch", "mbit", "delay_us"}
"""

import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import traceback

import namespaces
import remote

NETWORK = "10.99.0.0/16"
DEVICE = "eth0"
# The network needs little CPU time, but frames must arrive in time whatever the ranks do.
SWITCH_PRIORITY = 2  # real-time, above that of ranks (bench/whatif/calm.c)
# The only variables that a login on a node gets from outside.
LOGIN = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "SHELL")


def address(index):
    return f"10.99.{(index + 1) >> 8}.{(index + 1) & 255}"


def hardware_address(index):
    return f"02:00:00:00:00:{index + 1:02x}"


class Node:
    """One machine. The object is used on both sides of a fork: `start` in the room, the rest in the node."""

    def __init__(self, plan, index):
        self.plan, self.index = plan, index
        self.name = plan["nodes"][index]["name"]
        self.wish = plan["nodes"][index]
        self.line = None  # to the other side
        self.pid = None

    def start(self):
        self.line, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.pid = os.fork()
        if self.pid:
            there.close()
            return
        self.line = there
        tell_failure(self.line, self.enter)
        os._exit(0)

    def enter(self):
        """Only the next child enters namespaces of processes and of time."""
        shift = self.wish.get("shift_ns")
        namespaces.unshare(namespaces.NEW_NET | namespaces.NEW_UTS | namespaces.NEW_MOUNT | namespaces.NEW_IPC
                           | namespaces.NEW_PID, "network, host name, mounts and processes of its own")
        if shift is not None:
            namespaces.unshare(namespaces.NEW_TIME, "a clock of its own")
            namespaces.shift_clock(shift)
        remote.send(self.line, {})
        first = os.fork()
        if first:
            os.waitpid(first, 0)
        else:
            tell_failure(self.line, self.live)

    def live(self):
        socket.sethostname(self.name)
        self.mount_all()
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(remote.socket_path(self.plan["folder"], self.name))
        listener.listen()
        taps = [namespaces.open_tap(DEVICE)] if self.plan["switch"] else []
        remote.receive(self.line)
        self.set_up_network()
        remote.send(self.line, {}, taps)
        self.line.close()
        serve(listener, self.environment())

    def mount_all(self):
        """The differences between machines. Everything else is like a file system shared by all nodes."""
        namespaces.own_mounts()
        namespaces.mount("tmpfs", "/dev/shm", "tmpfs")
        namespaces.mount(os.path.join(self.plan["folder"], "hosts"), "/etc/hosts", flags=namespaces.MOUNT_BIND)
        boot_id = self.wish.get("boot_id")
        if boot_id:
            path = os.path.join(self.plan["folder"], f"boot_id-{self.name}")
            namespaces.write(path, boot_id + "\n")
            namespaces.mount(path, "/proc/sys/kernel/random/boot_id", flags=namespaces.MOUNT_BIND)

    def set_up_network(self):
        namespaces.ip("link", "set", "lo", "up")
        namespaces.ip("link", "set", DEVICE, "address", hardware_address(self.index))
        namespaces.ip("address", "add", f"{address(self.index)}/16", "dev", DEVICE)
        namespaces.ip("link", "set", DEVICE, "txqueuelen", "10000", "up")

    def environment(self):
        inherited = {name: os.environ[name] for name in LOGIN if name in os.environ}
        return {**inherited, **self.plan["env"]}


def tell_failure(line, action):
    """A failure is sent to the waiting side."""
    try:
        action()
    except namespaces.Refused as refusal:
        remote.send(line, {"refused": str(refusal)})
    except Exception:  # whatever it is, the other side has to know
        remote.send(line, {"failed": traceback.format_exc()})


def serve(listener, environment):
    """Runs commands. The first process of a node also reaps its orphans."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listener.close()
            run_for(connection, environment)
            os._exit(0)
        connection.close()


def run_for(connection, environment):
    request, streams = remote.receive(connection, remote.STREAMS)
    if request is None:
        return
    try:
        child = subprocess.Popen(request["command"], env={**environment, **request["env"]}, cwd=request["cwd"] or "/",
                                 stdin=streams[0], stdout=streams[1], stderr=streams[2], start_new_session=True)
    except OSError as error:
        os.write(streams[2], f"'{request['command'][0]}' cannot be started: {error.strerror}\n".encode())
        remote.send(connection, {"code": 127})
        return
    for stream in streams:
        os.close(stream)
    ended = os.pidfd_open(child.pid)
    ready, _, _ = select.select([ended, connection], [], [])
    if ended in ready:
        remote.send(connection, {"code": child.wait()})
    else:
        os.killpg(child.pid, signal.SIGKILL)


def answer_of(node, descriptors=0):
    """The answer of a node. A failure there is one here."""
    answer, received = remote.receive(node.line, descriptors)
    if answer is None:
        raise OSError(f"node '{node.name}' ended while it was set up")
    if "refused" in answer:
        raise namespaces.Refused(answer["refused"])
    if "failed" in answer:
        raise OSError(answer["failed"])
    return received


class Bridge:
    """Nodes connected inside the kernel, at full speed."""

    def __init__(self, plan):
        namespaces.ip("link", "add", "bridge", "type", "bridge", "forward_delay", "0")
        namespaces.ip("link", "set", "bridge", "up")

    def connect(self, node):
        cable = f"to-{node.index}"
        namespaces.ip("link", "add", cable, "type", "veth", "peer", "name", DEVICE, "netns", str(node.pid))
        namespaces.ip("link", "set", cable, "master", "bridge", "up")

    def start(self, taps):
        pass


class Switch:
    """Nodes connected by vswitch, with its rate and delay. The devices come from the nodes."""

    def __init__(self, plan):
        self.plan = plan

    def connect(self, node):
        pass

    def start(self, taps):
        words = [self.plan["switch"], self.plan["mbit"], self.plan["delay_us"], *taps]
        switch = subprocess.Popen([str(word) for word in words], stdin=subprocess.PIPE, pass_fds=taps)
        try:
            os.sched_setscheduler(switch.pid, os.SCHED_RR, os.sched_param(SWITCH_PRIORITY))
        except OSError:
            pass  # where that is not allowed, ranks that spin make the network slower than it should be


def write_hosts(plan):
    names = [f"{address(i)} {node['name']}" for i, node in enumerate(plan["nodes"])]
    namespaces.write(os.path.join(plan["folder"], "hosts"), "\n".join(["127.0.0.1 localhost", *names, ""]))


def build(plan):
    namespaces.own_mounts()
    namespaces.ip("link", "set", "lo", "up")
    write_hosts(plan)
    network = (Switch if plan["switch"] else Bridge)(plan)
    nodes = [Node(plan, i) for i in range(len(plan["nodes"]))]
    taps = []
    for node in nodes:
        node.start()
        answer_of(node)
        network.connect(node)
        remote.send(node.line, {})
        taps += answer_of(node, 1)
    network.start(taps)


def live(line, plan):
    """The room itself, as first process of its namespace."""
    build(plan)
    remote.send(line, {})
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    remote.receive(line)


def tidy(plan):
    """The room also removes its files, because its creator may have ended."""
    shutil.rmtree(plan["folder"], ignore_errors=True)


def main():
    line = socket.socket(fileno=0)
    plan, _ = remote.receive(line)

    def enter():
        namespaces.become_root_inside()
        namespaces.unshare(namespaces.NEW_NET | namespaces.NEW_MOUNT | namespaces.NEW_PID,
                           "network, mounts and processes of its own")
        first = os.fork()
        if first:
            line.close()
            os.waitpid(first, 0)
            tidy(plan)
        else:
            tell_failure(line, lambda: live(line, plan))
            os._exit(0)

    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    tell_failure(line, enter)


if __name__ == "__main__":
    sys.exit(main())

"""The test bed itself works: nodes with their own names, machines, clocks and processes that reach each other, with
delay if requested; and nothing of it is left, even when its owner is killed.

    test_bed.py --build build/tests/cluster"""

import argparse
import os
import signal
import subprocess
import sys
import time

from cluster import HERE, Cluster

SHIFT_NS = 5_000_000_000_250
ASK_CLOCK = ["python3", "-c", "import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC))"]
ASK_PEER = """
import socket, sys
peer = socket.create_connection((sys.argv[1], 7000), 10)
peer.sendall(b"from " + socket.gethostname().encode())
peer.shutdown(socket.SHUT_WR)
print(peer.makefile().read())
"""
ANSWER = """
import socket
server = socket.create_server(("", 7000))
open("/dev/shm/listening", "w").close()
peer, _ = server.accept()
peer.sendall(peer.makefile().read().encode() + b" to " + socket.gethostname().encode())
"""


def output(cluster, node, *command):
    result = cluster.run_on(node, command)
    assert result.returncode == 0, f"{command} on node {node}: {result.returncode} {result.stderr}"
    return result.stdout.strip()


def check_identity(cluster):
    for node, name in enumerate(cluster.names):
        assert output(cluster, node, "uname", "-n") == name
        assert output(cluster, node, "cat", "/proc/sys/kernel/random/boot_id") == cluster.boot_ids[node]
        assert output(cluster, node, "cat", "/proc/1/comm").startswith("python"), "a node has its own processes"
    assert cluster.run_on(0, ["sh", "-c", "exit 3"]).returncode == 3
    assert cluster.run_on(0, ["sh", "-c", "kill -9 $$"]).returncode == -9
    assert cluster.run_on(0, ["/no/such/program"]).returncode == 127


def check_clock(cluster):
    """Between two readings outside, a node's clock shows what it must; this does not depend on speed."""
    for node, shift in enumerate(cluster.shifts_ns):
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        inside = int(output(cluster, node, *ASK_CLOCK))
        after = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        assert before <= inside - (shift or 0) <= after, f"node {node}: {inside} is not {shift} ahead"


def check_network(cluster):
    """The last node asks the first."""
    output(cluster, 0, "sh", "-c", 'python3 -c "$0" >/dev/null 2>&1 & '
           "until [ -e /dev/shm/listening ]; do sleep 0.05; done", ANSWER)
    last = len(cluster.names) - 1
    assert output(cluster, last, "python3", "-c", ASK_PEER, "node0") == f"from node{last} to node0"


def check_killed():
    """A cluster whose owner is killed ends with its processes and files."""
    owner = subprocess.Popen([sys.executable, "-B", os.path.join(HERE, "cluster.py"), "--", "sh", "-c",
                              "echo $TMPDIR $XDG_CACHE_HOME; exec sleep 1000"], stdout=subprocess.PIPE, text=True)
    folder = os.path.dirname(owner.stdout.readline().split()[1])
    assert os.path.exists(os.path.join(folder, "node1"))
    owner.send_signal(signal.SIGKILL)
    assert owner.stdout.read() == "", "the last process that has the other end is gone"
    owner.wait()
    while os.path.exists(folder):
        time.sleep(0.05)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--build", required=True)
    options = parser.parse_args()
    with Cluster(nodes=2, shifts_ns=[0, SHIFT_NS]) as joined:
        with Cluster(nodes=3, mbit=100, delay_us=200, build=options.build, shifts_ns=[-10**9, 0, 1]) as delayed:
            for cluster in (joined, delayed):
                check_identity(cluster)
                check_clock(cluster)
                check_network(cluster)
    with Cluster(nodes=2, machines=False) as containers:
        boots = {output(containers, node, "cat", "/proc/sys/kernel/random/boot_id") for node in range(2)}
        assert len(boots) == 1, "containers on one machine share its start"
    assert not os.path.exists(containers.folder)
    check_killed()


if __name__ == "__main__":
    main()

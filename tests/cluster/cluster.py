"""Several machines on one: nodes with their own network, host name, processes, shared memory and clock, for tests.

    with Cluster(nodes=2, mbit=1000, delay_us=25, build="build/tests/cluster") as cluster:
        result = cluster.run_openmpi(["./program"], ranks_per_node=2, tarry=["build/bin/tarry", "run", "-o", "t.tarry"])
        result = cluster.run_on(1, ["hostname"])        # subprocess.CompletedProcess, with its output as text

`build` is the build folder of this directory; the variable TARRY_CLUSTER may also contain it. Without rate and delay the nodes are joined inside the
kernel. `shifts_ns=[0, 5_000_000_000]` gives each node clocks (CLOCK_MONOTONIC, CLOCK_BOOTTIME) that are ahead by this much. With `machines=False` the
nodes look like containers on one machine: they share what the kernel says of its start. Files are common to all nodes, but for /dev/shm, where TMPDIR
is.

Nothing is left when the block ends or the process is killed: see room.py. If the system does not allow this, entering the block ends the process as a
skipped test (exit code 77). By hand:

    cluster.py --nodes 2 --mpi mpich --ranks-per-node 2 -- ./program
    cluster.py --nodes 2 --mbit 100 --delay-us 500 --build build/tests/cluster -- ping -c 3 node1"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import uuid

import remote
import room

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77
SECONDS = 200
# The user's settings for jobs on the machine itself are wrong inside.
NOT_FOR_NODES = ("OMPI_", "PRTE_", "PMIX_", "HYDRA_", "MPIR_CVAR_", "SLURM_", "TMPDIR", "XDG_CACHE_HOME", "TARRY_")
AS_ROOT = {f"{name}_ALLOW_RUN_AS_ROOT{end}": "1" for name in ("OMPI", "PRTE") for end in ("", "_CONFIRM")}


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


class Cluster:
    # Settings of Open MPI that suit these nodes, whatever starts the job.
    OPENMPI = {"pml": "ob1", "btl": "self,vader,tcp", "mpi_yield_when_idle": "1", "btl_vader_single_copy_mechanism": "none",
               "btl_tcp_if_include": room.NETWORK}

    def __init__(self, nodes=2, mbit=None, delay_us=None, build=None, shifts_ns=None, machines=True):
        self.names = [f"node{i}" for i in range(nodes)]
        self.shifts_ns = shifts_ns or [None] * nodes
        self.boot_ids = [str(uuid.uuid4()) if machines else None for _ in self.names]
        self.mbit, self.delay_us = mbit, delay_us
        self.build = build or os.environ.get("TARRY_CLUSTER")
        self.folder = self.line = self.room = None

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="tarry-cluster-")
        self.line, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with there:
            self.room = subprocess.Popen([sys.executable, "-B", os.path.join(HERE, "room.py")], stdin=there)
        try:
            remote.send(self.line, self.plan())
            answer, _ = remote.receive(self.line)
            if not answer:
                answer = {} if answer == {} else {"failed": "the machine room ended"}
            if "refused" in answer:
                skip(f"no cluster can be had here: {answer['refused']}")
            if "failed" in answer:
                raise OSError(answer["failed"])
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.line.close()
        self.room.wait()

    def plan(self):
        delayed = self.mbit is not None or self.delay_us is not None
        nodes = [{"name": name, "shift_ns": shift, "boot_id": boot_id}
                 for name, shift, boot_id in zip(self.names, self.shifts_ns, self.boot_ids, strict=True)]
        self.write_agent()
        return {"folder": self.folder, "nodes": nodes, "env": self.environment(),
                "switch": self.built("vswitch") if delayed else None,
                "mbit": self.mbit or 10000, "delay_us": self.delay_us or 0}

    def built(self, name):
        path = os.path.abspath(os.path.join(self.build or "", name))
        if not self.build or not os.path.exists(path):
            raise FileNotFoundError(f"'{path}' is missing: build it, and say where with 'build' or TARRY_CLUSTER")
        return path

    def environment(self):
        return {**AS_ROOT, "TMPDIR": "/dev/shm", "XDG_CACHE_HOME": os.path.join(self.folder, "cache")}

    @property
    def agent(self):
        """Called by launchers instead of ssh. Some accept only one word for it."""
        return os.path.join(self.folder, "rsh")

    def write_agent(self):
        with open(self.agent, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec '{sys.executable}' -B '{HERE}/remote.py' '{self.folder}' \"$@\"\n")
        os.chmod(self.agent, 0o700)

    def run_on(self, node, command, env=None, cwd=None, timeout=SECONDS, capture=True):
        """A command on node number `node`, as from a shell there in this folder."""
        here = {name: value for name, value in os.environ.items() if not name.startswith(NOT_FOR_NODES)}
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(os.devnull, "rb") as nothing:
            streams = [file.fileno() for file in (nothing, out, err)] if capture else [0, 1, 2]
            code = remote.run(self.folder, self.names[node], list(command), streams, {**here, **(env or {})},
                              cwd or os.getcwd(), timeout)
            texts = [read_back(file) for file in (out, err)]
        return subprocess.CompletedProcess(command, code, *texts)

    def run_openmpi(self, program, ranks_per_node=1, tarry=(), options=(), launcher="mpirun.openmpi",
                    placement=("--map-by", "slot", "--bind-to", "none"), first_count=None, **how):
        """A job on all nodes, started on the first. `ranks_per_node` may be a list, with a number for each node. `tarry`: words of a `tarry run`
        before it, without `--`. `placement`: options for the placement of ranks. `first_count`: ranks of the first program, if `program` has
        several, separated by ":"."""
        settings = {"plm_rsh_agent": self.agent, "plm_rsh_no_tree_spawn": "1", "oob_tcp_if_include": room.NETWORK, **self.OPENMPI}
        words = [word for name, value in settings.items() for word in ("--mca", name, value)]
        hosts, count = self.hosts(ranks_per_node)
        return self.run_on(0, [*under(tarry), launcher, "-n", str(first_count or count), "--host", hosts,
                               *placement, *words, *options, *program], **how)

    def run_mpich(self, program, ranks_per_node=1, tarry=(), options=(), launcher="mpiexec.mpich", placement=None, env=None, first_count=None,
                  **how):
        hosts, count = self.hosts(ranks_per_node)
        return self.run_on(0, [*under(tarry), launcher, "-launcher", "ssh", "-launcher-exec", self.agent,
                               "-iface", room.DEVICE, *(placement or ("-hosts", hosts)), "-n", str(first_count or count), *options, *program],
                           env={"LD_PRELOAD": self.built("libstay_connected.so"), **(env or {})}, **how)

    def hosts(self, ranks_per_node):
        """As launchers take them, and how many ranks that makes."""
        counts = ranks_per_node if isinstance(ranks_per_node, list) else [ranks_per_node] * len(self.names)
        return ",".join(f"{name}:{count}" for name, count in zip(self.names, counts, strict=True)), sum(counts)

    def run_job(self, mpi, program, **how):
        return {"openmpi": self.run_openmpi, "mpich": self.run_mpich}[mpi](program, **how)


def under(tarry):
    return [*tarry, "--"] if tarry else []


def read_back(file):
    file.seek(0)
    return file.read().decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--mbit", type=float)
    parser.add_argument("--delay-us", type=float)
    parser.add_argument("--build", help="where this folder is built")
    parser.add_argument("--shifts-ns", type=lambda text: [int(word) for word in text.split(",")],
                        help="how far the clock of each node is ahead, separated by commas")
    parser.add_argument("--mpi", choices=["openmpi", "mpich"], help="run the command as a job; otherwise it runs on node0")
    parser.add_argument("--ranks-per-node", type=lambda text: [int(word) for word in text.split(",")], default=[1],
                        help="a number, or one for each node, separated by commas")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    with Cluster(options.nodes, options.mbit, options.delay_us, options.build, options.shifts_ns) as cluster:
        how = {"capture": False, "timeout": None}
        if options.mpi:
            ranks = options.ranks_per_node * options.nodes if len(options.ranks_per_node) == 1 else options.ranks_per_node
            result = cluster.run_job(options.mpi, options.command, ranks_per_node=ranks, **how)
        else:
            result = cluster.run_on(0, options.command, **how)
    sys.exit(result.returncode if result.returncode >= 0 else 128 - result.returncode)


if __name__ == "__main__":
    main()

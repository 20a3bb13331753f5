"""Collective operations in simulated time: the sources of src/coll/algorithms, compiled with SimGrid's smpicc, on a machine that is
described in a file. The same run gives the same time, to the last digit.

    simulation = Simulation("build/bench-coll")
    simulation.times("8x8", "allgather", [1, 1024])                   # {1: {"ring": 1234.5, ...}, ...} in microseconds
    simulation.times("8x8", "allgather", [1024], selector="mpich")    # {1024: {"library": 6006.3}}

A selector is SimGrid's copy of the choices of an MPI library: ompi, mpich, mvapich2, impi. Without one, results are compared with those of the first: SimGrid's own
choices send everything to everyone at once, which takes it very long for 512 processes."""

import glob
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.normpath(os.path.join(HERE, "..", ".."))
SELECTORS = ["ompi", "mpich", "mvapich2", "impi"]
# Ranks on each node.
MACHINES = {
    "8x8": [8] * 8,
    "64x8": [8] * 64,
    "irregular": [5, 7, 12] * 3,
}
# Nodes of each switch, where there are two tiers: then all switches are joined at a further one, by a cable of the same network each.
SWITCHES = {"switches": [4] * 4, "uneven-switches": [3, 4, 5]}
# The same for single questions.
SPECIAL_MACHINES = {"switches": [4] * 16, "uneven-switches": [4, 6] * 6, "one-node": [2], "two-nodes": [1, 1]}


def ranks_of(machine):
    return MACHINES.get(machine) or SPECIAL_MACHINES[machine]


# One switch; processes of a node copy through memory. A message passes two cables.
NETWORKS = {
    "gigabit": {"speed": "10Gf", "bw": "125MBps", "lat": "25us", "loopback_bw": "5GBps", "loopback_lat": "0.5us"},
    "infiniband": {"speed": "10Gf", "bw": "1.5GBps", "lat": "0.8us", "loopback_bw": "1.5GBps", "loopback_lat": "0.5us"},
}
# Operations of which no process has a block for each other one.
ONE_BLOCK = {"allreduce", "bcast", "reduce", "reduce_scatter", "barrier"}
# Between the calls that are timed, processes agree by these operations. What selectors choose for them first learns who shares a node, by a ring
# of all processes for each communicator: most of the time of a simulation of 512.
PLAIN = {"allreduce": "rdb", "bcast": "binomial_tree"}
SHARED_FROM_BYTES = 65536
# Shared memory is mapped in so many pieces that 512 processes exceed what Linux allows, unless they are large.
SHARED_BLOCK_BYTES = 64 << 20
CHECKED_MAX_BYTES = 2 << 30
SECONDS = 1800


FOLDERS = [os.path.join(SOURCE, "src", layer) for layer in ("coll/algorithms", "topo/mapping")]


def sources():
    """The driver and what it is linked with."""
    return [os.path.join(HERE, "measure.c"), *(path for folder in FOLDERS for path in sorted(glob.glob(f"{folder}/*.c")))]


def is_installed():
    return bool(shutil.which("smpicc") and shutil.which("smpirun"))


class Simulation:
    def __init__(self, folder, network="gigabit", scratch_max=None):
        """`scratch_max`: bytes of memory that algorithms may use, if they are to be measured beyond their usual limit."""
        self.folder = os.path.abspath(folder)
        self.network = network
        self.options = [f"-DCOLL_SCRATCH_MAX=((size_t){scratch_max})"] if scratch_max else []
        self.program = os.path.join(self.folder, "measure-smpi" + ("-large" if scratch_max else ""))
        os.makedirs(self.folder, exist_ok=True)
        self.compile()

    def compile(self):
        needed = sources()
        headers = [path for folder in [HERE, *FOLDERS] for path in glob.glob(f"{folder}/*.h")]
        if os.path.exists(self.program):
            built = os.path.getmtime(self.program)
            if all(os.path.getmtime(path) < built for path in needed + headers):
                return
        line = ["smpicc", "-O2", "-w", "-D_GNU_SOURCE", *self.options, "-I", os.path.join(SOURCE, "src"), *needed, "-o", self.program, "-lm"]
        subprocess.run(line, check=True)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return path

    def describe(self, machine):
        """The files that describe a machine: its network, and which rank is on which node."""
        ranks = ranks_of(machine)
        if machine in SWITCHES:
            platform = self.write(f"{machine}-{self.network}.xml", two_tiers(SWITCHES[machine], max(ranks), NETWORKS[self.network]))
            return platform, self.write(f"{machine}.hosts", "".join(f"node{node}\n" * count for node, count in enumerate(ranks)))
        cables = " ".join(f'{name}="{value}"' for name, value in NETWORKS[self.network].items())
        platform = self.write(f"{machine}-{self.network}.xml", f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <cluster id="cluster" prefix="node" suffix="" radical="0-{len(ranks) - 1}" core="{max(ranks)}" {cables}/>
  </zone>
</platform>
""")
        hosts = self.write(f"{machine}.hosts", "".join(f"node{node}\n" * count for node, count in enumerate(ranks)))
        return platform, hosts

    def times(self, machine, operation, sizes, selector=None, algorithms=(), told=()):
        """By size and algorithm, in microseconds."""
        return {size: times for (_, size), times in self.times_of(machine, [operation], sizes, selector, algorithms, told=told).items()}

    def times_of(self, machine, operations, sizes, selector=None, algorithms=(), checked_max=CHECKED_MAX_BYTES, told=()):
        """By operation and size, and then by algorithm, in microseconds: of one call after another one that is not timed. Checked as long as
        there is memory for everybody's buffers; otherwise processes share them. `told`: options of measure.c about the machine."""
        count = sum(ranks_of(machine))
        blocks = 1 if set(operations) <= ONE_BLOCK else count
        platform, hosts = self.describe(machine)
        found = {}
        for unchecked in (False, True):
            some = [size for size in sizes if (count * blocks * size * 3 > checked_max) == unchecked]
            words = ["smpirun", "-np", str(count), "-platform", platform, "-hostfile", hosts,
                     "--cfg=smpi/simulate-computation:no", "--log=root.thres:critical"]
            words += [f"--cfg=smpi/coll-selector:{selector or SELECTORS[0]}"]
            words += [f"--cfg=smpi/{name}:{plain}" for name, plain in PLAIN.items() if name not in operations]
            words += [f"--cfg=smpi/auto-shared-malloc-thresh:{SHARED_FROM_BYTES}",
                      f"--cfg=smpi/shared-malloc-blocksize:{SHARED_BLOCK_BYTES}"] if unchecked else []
            words += [self.program, *(["--unchecked"] if unchecked else []), *told, "1", ",".join(operations), ",".join(map(str, some))]
            if some:
                found.update(run([*words, *(["library"] if selector else []), *algorithms]))
        return found


def two_tiers(nodes_of_switches, cores, network):
    """A cluster for each switch, and a cable from each to all others."""
    cables = " ".join(f'{name}="{value}"' for name, value in network.items())
    zones, routes, first = [], [], 0
    for number, nodes in enumerate(nodes_of_switches):
        zones.append(f'    <cluster id="s{number}" prefix="node" suffix="" radical="{first}-{first + nodes - 1}" core="{cores}" {cables} '
                     f'router_id="r{number}"/>\n    <link id="up{number}" bandwidth="{network["bw"]}" latency="{network["lat"]}"/>')
        first += nodes
    for number, _ in enumerate(nodes_of_switches):
        routes += [f'    <zoneRoute src="s{number}" dst="s{other}" gw_src="r{number}" gw_dst="r{other}">'
                   f'<link_ctn id="up{number}"/><link_ctn id="up{other}"/></zoneRoute>' for other in range(number + 1, len(nodes_of_switches))]
    body = "\n".join(zones + routes)
    return f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
{body}
  </zone>
</platform>
"""


def run(words):
    result = subprocess.run(words, capture_output=True, text=True, check=False, timeout=SECONDS)
    if result.returncode:
        raise RuntimeError(f"{' '.join(words)} failed:\n{result.stdout}{result.stderr}")
    found = {}
    for line in result.stdout.splitlines():
        operation, size, algorithm, times = line.split("\t")
        found.setdefault((operation, int(size)), {})[algorithm] = float(times.split()[0])
    return found

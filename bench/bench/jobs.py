"""Jobs that measure, on this machine or on nodes of a test bed, and their results."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "cluster"))
from cluster import Cluster

SECONDS = 120
LAUNCHERS = {"openmpi": ("mpirun.openmpi", "mpicc.openmpi"), "mpich": ("mpiexec.mpich", "mpicc.mpich")}
PROCESSORS = len(os.sched_getaffinity(0))


class Found:
    """The output of one job."""

    def __init__(self, content, notes):
        self.facts, self.points, self.notes = content["facts"], content["points"], notes

    def point(self, operation):
        return next(point for point in self.points if point["operation"] == operation)

    def mean(self, operation):
        mean = self.point(operation)["mean_s"]
        if mean is None:
            raise ValueError(f"no run of {operation} was right: the machine is too busy to judge by it")
        return mean

    def clock_ns(self, name):
        value, unit = self.facts["clock"][name].split()
        return float(value) * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[unit]


def undisturbed(ranks):
    """Prefix of a command that keeps other processes away from its CPUs, if allowed. More processes than CPUs would block
    each other."""
    line = ["chrt", "-f", "50"]
    try:
        allowed = subprocess.run([*line, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        allowed = False
    return line if allowed and ranks <= PROCESSORS else []


class Jobs:
    def __init__(self, build):
        self.build = build
        self.folder = tempfile.mkdtemp(prefix="tarry-bench-")
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.mpis = [mpi for mpi in LAUNCHERS if os.path.exists(self.program(mpi))]
        if not self.mpis:
            raise FileNotFoundError(f"there is no tarry-bench-openmpi or tarry-bench-mpich in '{build}/bin'")
        self.naive = {}

    def program(self, mpi):
        return os.path.join(self.build, "bin", f"tarry-bench-{mpi}")

    def launch(self, mpi, ranks, command):
        words = ["--oversubscribe", "--bind-to", "none" if ranks > PROCESSORS else "core"] if mpi == "openmpi" else []
        line = [*undisturbed(ranks), os.path.join(ROOT, "scripts", "mpirun-here"), LAUNCHERS[mpi][0], *words,
                "-n", str(ranks), *command]
        return subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=True)

    def result(self, command, run):
        path = os.path.join(self.folder, "found.json")
        if os.path.exists(path):
            os.remove(path)
        done = run([*command, "-q", "-o", path])
        if not os.path.exists(path):
            raise OSError(f"{' '.join(command)}: {done.stderr.strip()[-400:]}")
        with open(path, encoding="utf-8") as file:
            return Found(json.load(file), done.stderr)

    def measure(self, mpi, ranks, *words):
        return self.result([self.program(mpi), *words], lambda command: self.launch(mpi, ranks, command))

    def measure_on(self, cluster, *words, options=()):
        """On the nodes, with Open MPI, one process on each."""
        return self.result(["nice", "-n", "-19", self.program("openmpi"), *words],
                           lambda command: cluster.run_openmpi(command, options=options, timeout=SECONDS))

    def cluster(self, **how):
        return Cluster(nodes=2, build=os.path.join(self.build, "tests", "cluster"), **how)

    def measure_naively(self, mpi, ranks, operation, size, runs, warm_up=0):
        if mpi not in self.naive:
            self.naive[mpi] = os.path.join(self.folder, f"naive-{mpi}")
            subprocess.run([LAUNCHERS[mpi][1], "-O2", "-o", self.naive[mpi], os.path.join(HERE, "naive.c")], check=True)
        command = [self.naive[mpi], operation, str(size), str(runs), str(warm_up)]
        return json.loads(self.launch(mpi, ranks, command).stdout)

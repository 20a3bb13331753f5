"""Slurm on the nodes of a cluster: its controller on the first node, a daemon on each, and `srun` to start jobs.

    with Cluster(nodes=2) as cluster, Slurm(cluster) as slurm:
        result = slurm.run(["srun", "-N", "2", "hostname"])          # on the first node, as Cluster.run_on
        result = slurm.run_job("mpich", ["./program"], ranks_per_node=2, tarry=["build/bin/tarry", "check"])

A node has `cpus` processors for Slurm, whatever the machine has. Programs of Open MPI are started by PMIx, those of MPICH by PMI 2, as Debian builds them. All
files are in the cluster's folder, and go with it. Where Slurm is not installed, Slurm(cluster) ends the process as a skipped test (exit code 77). By hand:

    slurm.py --nodes 2 --build build/tests/cluster -- srun -N 2 hostname"""

import argparse
import getpass
import os
import re
import shutil
import subprocess
import sys
import time

import remote
from cluster import Cluster, skip, under

SECONDS = 60
# Debian adds the second ending.
ENDINGS = ("", "-wlm")
SYSTEM_PROGRAMS = "/usr/sbin:/usr/local/sbin"
PROCESS_MANAGERS = {"openmpi": "pmix", "mpich": "pmi2"}
# PMIx 4.2 keeps what processes ask for in shared memory: 1 of 100 to 200 jobs of Open MPI 4.1 ended with a segmentation fault, with and without Tarry. By messages
# 500 jobs ended well.
PMIX_BY_MESSAGES = {"PMIX_MCA_gds": "hash"}

CONFIGURATION = """\
ClusterName=tarry
SlurmctldHost={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
PluginDir={plugins}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/linear
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
{nodes}
PartitionName=all Nodes=ALL Default=YES State=UP
"""
# Nodes share /tmp, where PMIx would meet itself.
MPI_CONFIGURATION = "PMIxCliTmpDirBase=/dev/shm\n"


def find(program):
    path = f"{os.environ.get('PATH', '')}:{SYSTEM_PROGRAMS}"
    return next(filter(None, (shutil.which(program + ending, path=path) for ending in ENDINGS)), None) or skip(f"there is no '{program}'")


def plugins_of(program):
    """They are beside the library that all of Slurm's programs share."""
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    found = re.search(r"=> (\S+)/libslurmfull\.so", linked)
    return found[1] if found else skip("Slurm's plugins are not found")


class Slurm:
    def __init__(self, cluster, cpus=2):
        self.cluster, self.daemons = cluster, []
        self.controller, self.daemon, self.step, self.srun, self.sinfo = map(find, ("slurmctld", "slurmd", "slurmstepd", "srun", "sinfo"))
        self.folder = os.path.join(cluster.folder, "slurm")
        self.environment = {"SLURM_CONF": os.path.join(self.folder, "slurm.conf")}
        counts = cpus if isinstance(cpus, list) else [cpus] * len(cluster.names)
        self.nodes = [f"NodeName={name} CPUs={count}" for name, count in zip(cluster.names, counts, strict=True)]

    def __enter__(self):
        os.makedirs(os.path.join(self.folder, "state"))
        self.write("slurm.conf", CONFIGURATION.format(controller=self.cluster.names[0], user=getpass.getuser(), folder=self.folder,
                                                      plugins=plugins_of(self.srun), nodes="\n".join(self.nodes)))
        self.write("mpi.conf", MPI_CONFIGURATION)
        self.start(0, [self.controller, "-D"])
        for node, name in enumerate(self.cluster.names):
            os.mkdir(os.path.join(self.folder, f"spool.{name}"))
            self.start(node, [self.daemon, "-D", "-N", name, "-d", self.step])
        self.wait_until_idle()
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.close()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def start(self, node, command):
        """Daemons write logs; their output is the same once more."""
        with open(os.devnull, "r+b") as nothing:
            self.daemons.append(remote.start(self.cluster.folder, self.cluster.names[node], command, [nothing.fileno()] * remote.STREAMS,
                                             self.environment))

    def wait_until_idle(self):
        end = time.monotonic() + SECONDS
        while self.run([self.sinfo, "-h", "-t", "idle", "-o", "%D"]).stdout.strip() != str(len(self.cluster.names)):
            if time.monotonic() > end:
                raise OSError("Slurm does not start:\n" + self.logs())
            time.sleep(0.2)

    def logs(self):
        texts = []
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".log"):
                with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                    texts.append(f"{name}:\n{file.read()}")
        return "\n".join(texts)

    def run(self, command, env=None, **how):
        return self.cluster.run_on(0, command, env={**self.environment, **(env or {})}, **how)

    def run_job(self, mpi, program, ranks_per_node=1, tarry=(), options=(), env=None, **how):
        """A job over all nodes. `options`: of srun."""
        nodes = len(self.cluster.names)
        words = [self.srun, f"--mpi={PROCESS_MANAGERS[mpi]}", "-N", str(nodes), "-n", str(nodes * ranks_per_node)]
        settings = {"openmpi": {**PMIX_BY_MESSAGES, **{f"OMPI_MCA_{name}": value for name, value in self.cluster.OPENMPI.items()}},
                    "mpich": {"LD_PRELOAD": self.cluster.built("libstay_connected.so")}}[mpi]
        return self.run([*under(tarry), *words, *options, *program], env={**settings, **(env or {})}, **how)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--build", help="where this folder is built")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    with Cluster(options.nodes, build=options.build) as cluster, Slurm(cluster) as slurm:
        result = slurm.run(options.command, capture=False, timeout=None)
    sys.exit(result.returncode if result.returncode >= 0 else 128 - result.returncode)


if __name__ == "__main__":
    main()

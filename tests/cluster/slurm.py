"""Slurm on the nodes of a cluster: its controller on the first node, a daemon and Munge on each, `srun` and `sbatch` to start jobs.

    with Cluster(nodes=2) as cluster, Slurm(cluster) as slurm:
        result = slurm.run(["srun", "-N", "2", "hostname"])          # on the first node, as Cluster.run_on
        result = slurm.run_job("mpich", ["./program"], ranks_per_node=2, tarry=["build/bin/tarry", "check"])
        number = slurm.submit("srun --mpi=pmi2 ./program", "mpich", ranks_per_node=2, cwd=folder)
        slurm.wait_for(number, "COMPLETED")                          # what scontrol says of the job

A node has `cpus` processors for Slurm, whatever the machine has. Debian's Open MPI supports PMIx, Debian's MPICH PMI 2. All files are in the cluster's folder, and
go with it, including the key of Munge; its socket is in the node's own /dev/shm. Where Slurm or Munge is not installed, and for other users than root, Slurm(cluster)
ends the process as a skipped test (exit code 77). By hand:

    slurm.py --nodes 2 --build build/tests/cluster -- srun -N 2 hostname"""

import argparse
import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import time

import remote
from cluster import Cluster, skip, under

SECONDS = 120
# Debian adds the second ending.
ENDINGS = ("", "-wlm")
SYSTEM_PROGRAMS = "/usr/sbin:/usr/local/sbin"
PROCESS_MANAGERS = {"openmpi": "pmix", "mpich": "pmi2"}
# PMIx 4.2 keeps data for processes in shared memory: 1 of 100 to 200 jobs of Open MPI 4.1 ended with a segmentation fault, with and without Tarry.
# With messages, 500 jobs ended well.
PMIX_BY_MESSAGES = {"PMIX_MCA_gds": "hash"}

# Each node has its own, while all share /tmp, where instances of PMIx would collide.
TEMPORARY = "/dev/shm"
MUNGE_SOCKET = f"{TEMPORARY}/munge.socket"
# States of a job that is over.
ENDED = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL"}

CONFIGURATION = """\
ClusterName=tarry
SlurmctldHost={controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={munge},cred_expire=20
CredType=cred/munge
PluginDir={plugins}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=5
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
{nodes}
PartitionName=all Nodes=ALL Default=YES State=UP
"""
MPI_CONFIGURATION = f"PMIxCliTmpDirBase={TEMPORARY}\n"


def find(program):
    path = f"{os.environ.get('PATH', '')}:{SYSTEM_PROGRAMS}"
    return next(filter(None, (shutil.which(program + ending, path=path) for ending in ENDINGS)), None) or skip(f"there is no '{program}'")


def plugins_of(program):
    """They are in the folder of the library that all of Slurm's programs share."""
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    found = re.search(r"=> (\S+)/libslurmfull\.so", linked)
    return found[1] if found else skip("Slurm's plugins are not found")


class Slurm:
    def __init__(self, cluster, cpus=2):
        if os.geteuid() != 0:
            skip("Slurm sets supplementary groups, which only root may do")
        self.cluster, self.daemons = cluster, {}
        self.controller, self.daemon, self.step, self.munge = map(find, ("slurmctld", "slurmd", "slurmstepd", "munged"))
        self.srun, self.sbatch, self.sinfo, self.scontrol = map(find, ("srun", "sbatch", "sinfo", "scontrol"))
        self.folder = os.path.join(cluster.folder, "slurm")
        self.environment = {"SLURM_CONF": os.path.join(self.folder, "slurm.conf")}
        counts = cpus if isinstance(cpus, list) else [cpus] * len(cluster.names)
        self.nodes = [f"NodeName={name} CPUs={count}" for name, count in zip(cluster.names, counts, strict=True)]

    def __enter__(self):
        os.makedirs(os.path.join(self.folder, "state"))
        self.write("slurm.conf", CONFIGURATION.format(controller=self.cluster.names[0], folder=self.folder, munge=MUNGE_SOCKET,
                                                      plugins=plugins_of(self.srun), nodes="\n".join(self.nodes)))
        self.write("mpi.conf", MPI_CONFIGURATION)
        self.write("munge.key", secrets.token_hex(64))
        for node, name in enumerate(self.cluster.names):
            os.mkdir(os.path.join(self.folder, f"spool.{name}"))
            self.start_munge(node)
        self.start(0, [self.controller, "-D"])
        for node in range(len(self.cluster.names)):
            self.start_daemon(node)
        self.wait_until_idle()
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons.values()):
            daemon.close()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(text)

    def start(self, node, command):
        """Daemons write logs; their output is a copy of these."""
        with open(os.devnull, "r+b") as nothing:
            self.daemons[node, command[0]] = remote.start(self.cluster.folder, self.cluster.names[node], command, [nothing.fileno()] * remote.STREAMS,
                                                          self.environment)

    def start_munge(self, node):
        """Each node has its own, because it refuses to accept a message twice. `--force`: others may write to the folder of temporary files."""
        files = [f"--{what}-file={self.folder}/munge-{self.cluster.names[node]}.{what}" for what in ("log", "pid", "seed")]
        self.start(node, [self.munge, "--foreground", "--force", f"--socket={MUNGE_SOCKET}", f"--key-file={self.folder}/munge.key", *files])
        self.wait(lambda: self.cluster.run_on(node, ["test", "-S", MUNGE_SOCKET]).returncode == 0, "Munge listens")

    def start_daemon(self, node):
        self.start(node, [self.daemon, "-D", "-N", self.cluster.names[node], "-d", self.step])

    def kill_daemon(self, node):
        """Only slurmd: the steps of jobs continue."""
        self.daemons.pop((node, self.daemon)).close()

    def kill_node(self, node):
        """As in a power failure: all of its processes end, and the controller knows about it."""
        self.cluster.run_on(node, ["sh", "-c", "kill -9 -1"])
        self.control("update", f"NodeName={self.cluster.names[node]}", "State=DOWN", "Reason=test")

    def start_node(self, node):
        self.start_munge(node)
        self.start_daemon(node)
        self.control("update", f"NodeName={self.cluster.names[node]}", "State=RESUME")
        self.wait_until_idle()

    def wait_until_idle(self):
        self.wait(lambda: self.run([self.sinfo, "-h", "-t", "idle", "-o", "%D"]).stdout.strip() == str(len(self.cluster.names)), "all nodes are idle")

    def wait(self, is_so, what, seconds=SECONDS):
        end = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() > end:
                raise OSError(f"in {seconds} s it did not happen that {what}:\n{self.logs()}")
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

    def settings(self, mpi):
        """The environment in which programs of this library run on these nodes."""
        return {"TMPDIR": TEMPORARY, **self.settings_of(mpi)}

    def settings_of(self, mpi):
        return {"openmpi": {**PMIX_BY_MESSAGES, **{f"OMPI_MCA_{name}": value for name, value in self.cluster.OPENMPI.items()}},
                "mpich": {"LD_PRELOAD": self.cluster.built("libstay_connected.so")}}[mpi]

    def run_job(self, mpi, program, ranks_per_node=1, tarry=(), options=(), env=None, **how):
        """A job over all nodes. `options`: of srun."""
        nodes = len(self.cluster.names)
        words = [self.srun, f"--mpi={PROCESS_MANAGERS[mpi]}", "-N", str(nodes), f"--ntasks-per-node={ranks_per_node}"]
        return self.run([*under(tarry), *words, *options, *program], env={**self.settings(mpi), **(env or {})}, **how)

    def submit(self, script, mpi, ranks_per_node=1, options=(), cwd=None):
        """A batch job over all nodes; its number. Its output is in the files JOB.out and JOB.err, for a member of an array JOB_INDEX.out."""
        name = "%A_%a" if any(word.startswith("--array") for word in options) else "%j"
        words = [self.sbatch, "--parsable", "-N", str(len(self.cluster.names)), f"--ntasks-per-node={ranks_per_node}"]
        done = self.run([*words, "-o", f"{name}.out", "-e", f"{name}.err", *options, "--wrap", script], env=self.settings(mpi), cwd=cwd)
        if done.returncode != 0:
            raise OSError(f"sbatch failed: {done.stderr}\n{self.logs()}")
        return done.stdout.strip()

    def control(self, *words):
        done = self.run([self.scontrol, *words])
        if done.returncode != 0:
            raise OSError(f"'scontrol {shlex.join(words)}' failed: {done.stderr}")
        return done.stdout

    def show(self, number):
        """What Slurm knows about a job: {"JobState": "RUNNING", "ExitCode": "0:0", ...}"""
        return dict(word.split("=", 1) for word in self.control("-o", "show", "job", number).split() if "=" in word)

    def wait_for(self, number, *states, seconds=SECONDS):
        """Until the job has one of these states, by default until it is over."""
        self.wait(lambda: self.show(number)["JobState"] in (states or ENDED), f"job {number} is {' or '.join(states or ENDED)}", seconds)
        return self.show(number)


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

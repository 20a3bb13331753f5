"""The file that `tarry map --slurm` writes, given to Slurm: a controller and three daemons of nodes on this machine start each rank where `tarry map`
has placed it.

    slurm.py BIN WORK

Exit code 77: skipped, Slurm is not here."""

import getpass
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time

from jobs import assemble, write_job

TARRY = os.path.join(os.path.abspath(sys.argv[1]), "tarry")
WORK = os.path.abspath(sys.argv[2])
RANKS_PER_NODE = {"n0": 2, "n1": 1, "n2": 2}
SECONDS = 60
# Debian adds the second ending.
ENDINGS = ("", "-wlm")

CONFIGURATION = """\
ClusterName=tarry
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[3]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
PluginDir={plugins}
StateSaveLocation={work}/state
SlurmdSpoolDir={work}/spool.%n
SlurmctldPidFile={work}/slurmctld.pid
SlurmdPidFile={work}/slurmd.%n.pid
SlurmctldLogFile={work}/slurmctld.log
SlurmdLogFile={work}/slurmd.%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/linear
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=n0 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[0]} CPUs=2
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2
PartitionName=all Nodes=n[0-2] Default=YES State=UP
"""


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def find(program):
    for ending in ENDINGS:
        path = shutil.which(program + ending, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
        if path:
            return path
    skip(f"there is no '{program}'")
    return None


def plugins_of(program):
    """They lie beside the library that all of Slurm's programs share."""
    found = re.search(r"=> (\S+)/libslurmfull\.so", subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout)
    return found[1] if found else skip("Slurm's plugins are not found")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def place():
    """Ranks that talk in pairs, of which none is on one node. Where `tarry map` puts them."""
    hosts = ["n0", "n0", "n1", "n2", "n2"]
    partners = {0: 3, 3: 0, 1: 4, 4: 1}
    calls = [[f"MPI_Send comm=0x1 peer={partners[rank]} tag=0 sent=1000"] if rank in partners else [] for rank in range(len(hosts))]
    write_job("job", calls, hosts)
    words = [TARRY, "map", assemble(TARRY, "job"), "--machine", "nodes.conf", "--json", "--slurm", "hosts"]
    with open("nodes.conf", "w", encoding="utf-8") as file:
        file.writelines(f"NodeName={node} CPUs={count}\n" for node, count in RANKS_PER_NODE.items())
    result = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)
    assert result["after"]["between_nodes_bytes"] == 0 and result["moved"], result
    return [p["node"] for p in result["placement"]]


class Slurm:
    def __init__(self):
        self.controller, self.daemon, self.step, self.srun, self.sinfo = map(find, ("slurmctld", "slurmd", "slurmstepd", "srun", "sinfo"))
        with open("slurm.conf", "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(host=socket.gethostname(), user=getpass.getuser(), plugins=plugins_of(self.srun), work=WORK,
                                            ports=free_ports(4)))
        os.mkdir("state")
        clean = {name: value for name, value in os.environ.items() if not name.startswith("SLURM")}
        self.environment = {**clean, "SLURM_CONF": os.path.join(WORK, "slurm.conf")}
        self.daemons = []

    def __enter__(self):
        self.start(self.controller, "-D")
        for node in RANKS_PER_NODE:
            os.mkdir(f"spool.{node}")
            self.start(self.daemon, "-D", "-N", node, "-d", self.step)
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def start(self, *words):
        with open(f"{os.path.basename(words[0])}.{len(self.daemons)}.out", "w", encoding="utf-8") as out:
            self.daemons.append(subprocess.Popen(words, env=self.environment, stdout=out, stderr=out))

    def run(self, *words, **more):
        return subprocess.run(words, env={**self.environment, **more}, capture_output=True, text=True, timeout=SECONDS, check=False)

    def wait_until_idle(self):
        end = time.monotonic() + SECONDS
        while self.run(self.sinfo, "-h", "-t", "idle", "-o", "%D").stdout.strip() != str(len(RANKS_PER_NODE)):
            if time.monotonic() > end:
                sys.exit("Slurm does not start:\n" + "".join(open(name, encoding="utf-8").read() for name in sorted(os.listdir("."))
                                                             if name.endswith((".out", ".log"))))
            time.sleep(0.2)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    os.chdir(WORK)
    wanted = place()
    with Slurm() as slurm:
        slurm.wait_until_idle()
        done = slurm.run(slurm.srun, "-n", str(len(wanted)), "--distribution=arbitrary", "sh", "-c", "echo $SLURM_PROCID $SLURMD_NODENAME",
                         SLURM_HOSTFILE="hosts")
        assert done.returncode == 0, done.stdout + done.stderr
        found = dict(line.split() for line in done.stdout.splitlines())
    assert [found.get(str(rank)) for rank in range(len(wanted))] == wanted, (found, wanted)
    print("each rank is where 'tarry map' placed it:", *wanted)


if __name__ == "__main__":
    main()

"""The file that `tarry map --slurm` writes, given to Slurm: three nodes of a cluster on this machine start each rank where `tarry map` has placed it.

    slurm_hosts.py BIN WORK

Exit code 77: skipped, Slurm is not here."""

import json
import os
import shutil
import subprocess
import sys

from jobs import assemble, write_job

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cluster"))
from cluster import Cluster
from slurm import Slurm

TARRY = os.path.join(os.path.abspath(sys.argv[1]), "tarry")
WORK = os.path.abspath(sys.argv[2])
RANKS_PER_NODE = {"node0": 2, "node1": 1, "node2": 2}


def place():
    """Ranks that communicate in pairs, none of which is on one node. Where `tarry map` puts them."""
    hosts = [node for node, count in RANKS_PER_NODE.items() for _ in range(count)]
    partners = {0: 3, 3: 0, 1: 4, 4: 1}
    calls = [[f"MPI_Send comm=0x1 peer={partners[rank]} tag=0 sent=1000"] if rank in partners else [] for rank in range(len(hosts))]
    write_job("job", calls, hosts)
    words = [TARRY, "map", assemble(TARRY, "job"), "--machine", "nodes.conf", "--json", "--slurm", "hosts"]
    with open("nodes.conf", "w", encoding="utf-8") as file:
        file.writelines(f"NodeName={node} CPUs={count}\n" for node, count in RANKS_PER_NODE.items())
    result = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)
    assert result["after"]["between_nodes_bytes"] == 0 and result["moved"], result
    return [p["node"] for p in result["placement"]]


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    os.chdir(WORK)
    wanted = place()
    with Cluster(nodes=len(RANKS_PER_NODE)) as cluster, Slurm(cluster, list(RANKS_PER_NODE.values())) as slurm:
        done = slurm.run([slurm.srun, "-n", str(len(wanted)), "--distribution=arbitrary", "sh", "-c", "echo $SLURM_PROCID $SLURMD_NODENAME"],
                         env={"SLURM_HOSTFILE": "hosts"})
    assert done.returncode == 0, done.stdout + done.stderr
    found = dict(line.split() for line in done.stdout.splitlines())
    assert [found.get(str(rank)) for rank in range(len(wanted))] == wanted, (found, wanted)
    print("each rank is where 'tarry map' placed it:", *wanted)


if __name__ == "__main__":
    main()

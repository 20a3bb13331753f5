"""The predictions of `tarry map` are correct: a job on three nodes of 2, 1 and 2 ranks is traced, placed again, and started with the files
from `tarry map`. The ranks themselves report where they run, and their traffic is counted here.

    placed_job.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR placed_job.c"""

import json
import os
import re
import shutil
import sys

from cluster import HERE, Cluster, skip

sys.path.insert(0, os.path.join(HERE, "..", "mpi"))
import job

RANKS_PER_NODE = [2, 1, 2]
RANKS = sum(RANKS_PER_NODE)


def sizes_of(source):
    with open(source, encoding="utf-8") as file:
        return [int(number) for number in re.search(r"MUCH = (\d+), LITTLE = (\d+), ROUNDS = (\d+)", file.read()).groups()]


def bytes_between(host_of, source):
    """As the program sends them."""
    much, little, rounds = sizes_of(source)
    half, sent = (RANKS + 1) // 2, 0
    for rank in range(RANKS):
        partner = rank - half if rank >= half else rank + half
        if partner < RANKS and host_of[partner] != host_of[rank]:
            sent += much * rounds
        if host_of[(rank + 1) % RANKS] != host_of[rank]:
            sent += little * rounds
    return sent


def start(cluster, options, program, **how):
    """Where each rank ran."""
    result = cluster.run_job(options.mpi, program, launcher=options.launcher, ranks_per_node=RANKS_PER_NODE, cwd=options.work, **how)
    assert result.returncode == 0, f"the job ended with {result.returncode}:\n{result.stdout}{result.stderr}"
    hosts = dict(re.findall(r"rank (\d+) on (\S+)", result.stdout))
    assert len(hosts) == RANKS, result.stdout
    return [hosts[str(rank)] for rank in range(RANKS)]


def place(cluster, options):
    """With all kinds of files, on node 0. Returns the prediction."""
    tarry = os.path.join(options.bin, "tarry")
    words = [tarry, "map", "trace.tarry", "--json", "--rankfile", "ranks", "--hostfile", "hosts", "--split", "keys"]
    result = cluster.run_on(0, words, cwd=options.work)
    assert result.returncode == 0, result.stdout + result.stderr
    return json.loads(result.stdout)


def main():
    options = job.read_options()
    if len(os.sched_getaffinity(0)) < max(RANKS_PER_NODE):
        skip("a rank of a node needs a core of its own")
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    program = job.build(options.source, options)
    with Cluster(nodes=len(RANKS_PER_NODE)) as cluster:
        tarry = [os.path.join(options.bin, "tarry"), "run", "--no-analyze", "-o", "trace.tarry"]
        before = start(cluster, options, [program], tarry=tarry)
        promised = place(cluster, options)
        assert promised["before"]["between_nodes_bytes"] == bytes_between(before, options.source), promised["before"]
        after = promised["after"]["between_nodes_bytes"]
        # Pairs can be together, and the rank without a partner alone: only the small traffic is left.
        assert after < promised["before"]["between_nodes_bytes"] / 10, promised
        placement = {"openmpi": ("--rankfile", "ranks"), "mpich": ("-f", "hosts")}[options.mpi]
        placed = start(cluster, options, [program], placement=placement)
        assert placed == [p["node"] for p in promised["placement"]], (placed, promised["placement"])
        assert bytes_between(placed, options.source) == after, (placed, after)
        split = start(cluster, options, [program, "keys"])
        assert bytes_between(split, options.source) == after, (split, after)


if __name__ == "__main__":
    main()

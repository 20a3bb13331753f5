"""Collective operations by topology-aware algorithms have the same results in memory as those of the MPI library, in a job on nodes of different
sizes.

    collectives.py --mpi mpich --launcher mpiexec.mpich --ranks 2,1,3 --communicators 2 --calls 40 tests/coll/test-coll-results-mpich

The program of tests/coll compares the results; it prints how often each algorithm was compared."""

import argparse
import re

from cluster import Cluster

SEED = 1


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpi", "launcher"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--ranks", type=lambda text: [int(word) for word in text.split(",")], required=True, help="on each node")
    for name in ("communicators", "calls"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("program")
    return parser.parse_args()


def main():
    options = read_options()
    with Cluster(nodes=len(options.ranks)) as cluster:
        result = cluster.run_job(options.mpi, [options.program, str(SEED), options.communicators, options.calls, "nodes"],
                                 launcher=options.launcher, ranks_per_node=options.ranks, timeout=1500)
    assert result.returncode == 0, f"the job ended with {result.returncode}:\n{result.stdout}{result.stderr}"
    counts = re.findall(r"^(\w+) \w+: (\d+)$", result.stdout, re.M)
    never = {operation for operation, _ in counts} - {operation for operation, count in counts if int(count)}
    assert counts and not never, f"never compared: {never}\n{result.stdout}"
    print(*(line for line in result.stdout.splitlines() if "wrong" in line), sep="\n")


if __name__ == "__main__":
    main()

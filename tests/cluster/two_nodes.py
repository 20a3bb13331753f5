"""A job on two nodes of two ranks each makes one trace: four processes with the right hosts, machines and calls, with the
arguments for rules, and with the eager limits of the node and of the network.

    two_nodes.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR two_nodes.c"""

import os
import shutil
import sys

from cluster import HERE, Cluster

sys.path.insert(0, os.path.join(HERE, "..", "mpi"))
import check
import dumped
import job
import planted

RANKS_PER_NODE = 2

RULES = """
declare event my_exchange for MPI_Sendrecv parameters( back = recvtag, elements = sendcount );
declare event my_sum for MPI_Allreduce parameters( op = op, type = datatype );
declare event my_split for MPI_Comm_split_type parameters( order = key, hints = info );
"""
ARGUMENTS = {"MPI_Sendrecv": {"recvtag": "3", "sendcount": "1"}, "MPI_Allreduce": {"op": "MPI_SUM", "datatype": "MPI_INT"},
             "MPI_Comm_split_type": {"key": "0", "info": "MPI_INFO_NULL"}}


def record(cluster, options, program):
    """The trace of one run, as text, and what the job printed."""
    trace = os.path.join(options.work, "trace.tarry")
    rules = os.path.join(options.work, "arguments.rules")
    with open(rules, "w", encoding="utf-8") as file:
        file.write(RULES)
    tarry = os.path.join(options.bin, "tarry")
    result = cluster.run_job(options.mpi, [program], launcher=options.launcher, ranks_per_node=RANKS_PER_NODE,
                             tarry=[tarry, "run", "-o", trace, "--keep-parts", "--rules", rules])
    assert result.returncode == 0, f"the job ended with {result.returncode}:\n{result.stdout}{result.stderr}"
    parts = sorted(name.rsplit("-", 1)[0] for name in os.listdir(trace + ".parts") if name.endswith(".part"))
    assert parts == sorted(cluster.names[:2]), f"the ranks of each node share one part: {parts}"
    dump = cluster.run_on(1, [tarry, "dump", trace])
    assert dump.returncode == 0, dump.stderr
    return dump.stdout, result.stdout


def eager_limits(text):
    """Distance -> bytes."""
    return {line.split()[2]: int(line.split()[1]) for line in text.splitlines() if line.startswith("eager ")}


def check_hosts(cluster, processes):
    ranks = [node for node in range(2) for _ in range(RANKS_PER_NODE)]
    assert [p.properties["host"] for p in processes] == [[cluster.names[i]] for i in ranks]
    assert [p.properties["node"] for p in processes] == [[cluster.boot_ids[i]] for i in ranks]
    assert len({(p.world, p.size) for p in processes}) == 1, "all are of one world"


def check_arguments(processes):
    """On both nodes."""
    for process in processes:
        for event in process.threads[0]:
            values = [value for key, value in event.fields if key in ("value", "text")]
            found = dict(zip(event.values("param"), values))
            assert found == ARGUMENTS.get(event.function, {}), f"rank {process.rank}: {event.function} has {found}"


def check_limits(options, text):
    """Open MPI provides both, MPICH's device ch4:ucx none; one process asks."""
    limits, told = eager_limits(text), text.count('\nproperty eager "')
    assert told == 2, f"for two distances there are {told} answers"
    if options.mpi == "openmpi":
        assert set(limits) == {"node", "network"} and min(limits.values()) > 0, f"limits for both are wanted: {limits}"


def main():
    options = job.read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    program = job.build(options.source, options)
    with Cluster(nodes=2) as cluster:
        text, printed = record(cluster, options, program)
        assert sorted(printed.split("\n")) == ["", "rank 0: 1", "rank 1: 1", "rank 2: 5", "rank 3: 5"], printed
        check_hosts(cluster, dumped.read_dump(text))
        check_arguments(dumped.read_dump(text))
        problems = check.check_text(planted.join_plans([planted.read_plan(options.source)]), text)
        assert not problems, "\n".join(problems)
        check_limits(options, text)


if __name__ == "__main__":
    main()

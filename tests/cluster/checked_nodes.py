"""A job on two nodes of two ranks each under `tarry check`: an analyser on each node, connected over the network. The wrong program gives the two
planted findings, the correct one none.

    checked_nodes.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR checked_nodes.c"""

import json
import os
import shutil
import sys

from cluster import HERE, Cluster

sys.path.insert(0, os.path.join(HERE, "..", "mpi"))
import job

RANKS_PER_NODE = 2
EXIT_ERRORS = 4
PRINTED = ["rank 0", "rank 1", "rank 2", "rank 3"]


def line_of(source, text, nth=1):
    with open(source, encoding="utf-8") as file:
        found = [number for number, line in enumerate(file, 1) if text in line]
    return found[nth - 1]


def check(cluster, options, program):
    """The exit code, the findings and the output of the job."""
    results = os.path.join(options.work, "findings.json")
    if os.path.exists(results):
        os.remove(results)
    tarry = [os.path.join(options.bin, "tarry"), "check", "--replace", "--json", results]
    result = cluster.run_job(options.mpi, [program], launcher=options.launcher, ranks_per_node=RANKS_PER_NODE, tarry=tarry,
                             cwd=options.work)
    assert os.path.exists(results), f"exit code {result.returncode}:\n{result.stdout}{result.stderr}"
    with open(results, encoding="utf-8") as file:
        report = json.load(file)
    assert sorted(result.stdout.split("\n")) == ["", *PRINTED], result.stdout
    return result.returncode, report


def places(finding):
    return {(call["function"], call["line"], call["rank"]) for call in finding["calls"]}


def check_wrong(cluster, options, program):
    code, report = check(cluster, options, program)
    findings = {finding["id"]: finding for finding in report["findings"]}
    assert code == EXIT_ERRORS, code
    assert sorted(findings) == ["collective.operation-mismatch", "message.type-mismatch"], sorted(findings)
    message = places(findings["message.type-mismatch"])
    assert ("MPI_Send", line_of(options.source, "MPI_Send("), 0) in message, message
    assert ("MPI_Recv", line_of(options.source, "MPI_Recv("), 2) in message, message
    assert 2 in findings["collective.operation-mismatch"]["ranks"], findings


def build(options, name, flags):
    flags_before = job.FLAGS[".c"]
    job.FLAGS[".c"] = flags_before + flags
    program = shutil.copy(job.build(options.source, options), os.path.join(options.work, name))
    job.FLAGS[".c"] = flags_before
    return program


def main():
    options = job.read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    wrong, right = build(options, "wrong", ["-DWRONG"]), build(options, "right", [])
    with Cluster(nodes=2) as cluster:
        check_wrong(cluster, options, wrong)
        code, report = check(cluster, options, right)
        assert (code, report["findings"]) == (0, []), report["findings"]


if __name__ == "__main__":
    main()

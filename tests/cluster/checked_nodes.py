"""A job of four ranks under `tarry check` on one, two and four nodes, each with an analyser that executes the calls of its ranks. The findings do not
depend on the number of nodes. The correct program gives none.

    checked_nodes.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR checked_nodes.c"""

import glob
import json
import os
import shutil
import sys

from cluster import HERE, Cluster

sys.path[:0] = [os.path.join(HERE, "..", "mpi"), os.path.join(HERE, "..", "check", "analyser")]
import job
from protocol import FINDING, frames

RANKS = 4
EXIT_ERRORS = 4
PRINTED = ["rank 0", "rank 1", "rank 2", "rank 3"]


def line_of(source, text, nth=1):
    with open(source, encoding="utf-8") as file:
        found = [number for number, line in enumerate(file, 1) if text in line]
    return found[nth - 1]


def check(cluster, options, program, kind, env=None):
    """The exit code, and the findings with all that they hold."""
    results = os.path.join(options.work, "findings.json")
    if os.path.exists(results):
        os.remove(results)
    tarry = [os.path.join(options.bin, "tarry"), "check", "--replace", "--json", results]
    result = cluster.run_job(options.mpi, [program, kind], launcher=options.launcher, ranks_per_node=RANKS // len(cluster.names), tarry=tarry,
                             cwd=options.work, env=env)
    assert os.path.exists(results), f"exit code {result.returncode}:\n{result.stdout}{result.stderr}"
    with open(results, encoding="utf-8") as file:
        report = json.load(file)
    printed = sorted(line for line in result.stdout.split("\n") if line.startswith("rank"))  # MPI may warn of the lost message
    assert printed == PRINTED, result.stdout
    return result.returncode, sorted(report["findings"], key=json.dumps)


def places(finding):
    return {(call["function"], call["line"], call["rank"]) for call in finding["calls"]}


def expect_planted(source, code, found):
    findings = {finding["id"]: finding for finding in found}
    ids = sorted(finding["id"] for finding in found)
    assert code == EXIT_ERRORS, code
    assert ids == ["collective.operation-mismatch", "deadlock.potential-send", "message.lost", "message.type-mismatch", "message.type-mismatch"], ids
    messages = set.union(*(places(finding) for finding in found if finding["id"] == "message.type-mismatch"))
    for call in (("MPI_Send", line_of(source, "MPI_Send(values, 2", 2), 0), ("MPI_Recv", line_of(source, "MPI_Recv(numbers, 4"), 2),
                 ("MPI_Send", line_of(source, "MPI_Send(values, 1"), 3), ("MPI_Recv", line_of(source, "MPI_Recv(numbers, 2"), 1)):
        assert call in messages, messages
    assert 2 in findings["collective.operation-mismatch"]["ranks"], findings


def expect_divided(options):
    """The analysers of both receivers have compared the messages that they got: the first analyser had not taken over."""
    logs = []
    for path in glob.glob(os.path.join(options.work, "*.check", "analyser-*.log")):
        with open(path, "rb") as file:
            logs.append(FINDING in [kind for kind, _ in frames(file.read())])
    assert sum(logs) >= 2, logs


def main():
    options = job.read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    program = job.build(options.source, options)
    with Cluster(nodes=1) as cluster:
        wrong = check(cluster, options, program, "wrong")
        expect_planted(options.source, *wrong)
        deadlock = check(cluster, options, program, "deadlock")
        assert (deadlock[0], [finding["id"] for finding in deadlock[1]]) == (EXIT_ERRORS, ["deadlock.cycle"]), deadlock
        # One analyser, which executes a part
        assert check(cluster, options, program, "wrong", {"TARRY_CHECK_PARTS": "1"}) == wrong
        late = check(cluster, options, program, "late")
        assert (late[0], [finding["id"] for finding in late[1]]) == (EXIT_ERRORS, ["message.type-mismatch"] * 2), late
    programs = {"right": (0, []), "deadlock": deadlock, "wrong": wrong, "late": late}
    for nodes, kinds in ((2, programs), (4, ["wrong", "late"])):
        with Cluster(nodes=nodes) as cluster:
            for kind in kinds:
                expected = programs[kind]
                found = check(cluster, options, program, kind)
                assert found == expected, f"{nodes} nodes, {kind}: {found}\ninstead of {expected}"
                if kind in ("wrong", "late"):
                    expect_divided(options)


if __name__ == "__main__":
    main()

"""`tarry coll` passes the switches above the nodes to a job: orders use them if all nodes are known, and results do not change.

    switches.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR tests/coll/programs/operations.c"""

import argparse
import json
import os
import shutil
import subprocess

from cluster import Cluster

KNOWN = "SwitchName=top Switches=s[0-1]\nSwitchName=s0 Nodes=node[0-1]\nSwitchName=s1 Nodes=node[2-3]\nNodeName=DEFAULT CoresPerSocket=2\n"
# One node of the job is missing in this machine.
UNKNOWN = KNOWN.replace("node[2-3]", "node[2,9]")


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpi", "mpicc", "launcher", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("program")
    return parser.parse_args()


def run(cluster, options, program, name, machine):
    """The program's output, and the number of levels in its orders."""
    path, found = (os.path.join(options.work, f"{name}.{end}") for end in ("conf", "json"))
    with open(path, "w", encoding="ascii") as file:
        file.write(machine)
    tarry = ["env", f"TARRY_MACHINE={path}", os.path.join(options.bin, "tarry"), "coll", "--algorithm", "allgather=bruck_reorder",
             "--json", found]
    result = cluster.run_job(options.mpi, [program], ranks_per_node=1, launcher=options.launcher, tarry=tarry)
    assert result.returncode == 0, f"{name}: the job ended with {result.returncode}:\n{result.stdout}{result.stderr}"
    with open(found, encoding="utf-8") as file:
        rows = [row for row in json.load(file)["collectives"] if row["processes"] == len(cluster.names)]
    assert "bruck_reorder" in {row["done_by"] for row in rows if row["operation"] == "allgather"}, rows
    return result.stdout, max(row["levels"] for row in rows)


def main():
    options = read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    os.chdir(options.work)
    program = os.path.join(options.work, "operations")
    subprocess.run([options.mpicc, "-O1", options.program, "-o", program], check=True)
    with Cluster(nodes=4) as cluster:
        known, levels = run(cluster, options, program, "known", KNOWN)
        assert levels == 2, f"nodes and switches: {levels}"
        unknown, levels = run(cluster, options, program, "unknown", UNKNOWN)
        assert levels == 1, f"a node without a switch: {levels}"
    assert known and sorted(known.split()) == sorted(unknown.split()), f"{known}\n{unknown}"
    assert not [name for name in os.listdir(".") if name.endswith(".coll")], "the folder of the run is removed"


if __name__ == "__main__":
    main()

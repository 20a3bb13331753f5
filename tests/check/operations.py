"""Every operation with a request (shadows/operations.c) has the same results with `tarry check --buffers=all`, which lets MPI receive into other
memory, as without, and nothing is found.

    operations.py --tarry build/bin/tarry --work DIR --library openmpi,mpicc,mpicxx,mpifort,mpirun,libmpi.so ... --ranks N,N [--nodes 2,1] [--every N]

--ranks: one job for each number of ranks. --nodes: one job over emulated nodes with these numbers of ranks. --every: only one in this many cases. Exit
code 77: skipped."""

import argparse
import os
import subprocess
import sys

from pairs import FLAGS, FOR_OPEN_MPI, HERE, ON_ONE_MACHINE, SECONDS, Library

sys.path.insert(0, os.path.join(HERE, "..", "cluster"))
CASES_AT_LEAST = 500


def build(options, library):
    work = os.path.join(options.work, library.name)
    os.makedirs(work, exist_ok=True)
    source = os.path.join(HERE, "shadows")
    symbols = os.path.join(work, "symbols")
    with open(symbols, "wb") as file:
        subprocess.run(["nm", "-D", "--defined-only", library.path], check=True, stdout=file)
    subprocess.run([sys.executable, "-B", os.path.join(source, "generate.py"), symbols, os.path.join(work, "operations.h")], check=True)
    subprocess.run([library.compilers[".c"], "-g", *FLAGS[".c"], "-I", work, os.path.join(source, "operations.c"), "-o",
                    os.path.join(work, "program")], check=True)
    return work


def run_here(library, work, ranks):
    """Runs a job with this prefix: the exit code and its output."""
    def run(before, program):
        command = [ON_ONE_MACHINE, *before, *(["--"] if before else []), library.launcher, "-n", str(ranks), *program]
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=SECONDS, check=False, errors="replace",
                              env={**os.environ, **FOR_OPEN_MPI, "TARRY_LANG": "en"})
        return done.returncode, done.stdout + done.stderr
    return run


def run_on(cluster, library, work, ranks_per_node):
    def run(before, program):
        done = cluster.run_job(library.name, program, launcher=library.launcher, ranks_per_node=ranks_per_node, tarry=before, cwd=work,
                               env={**FOR_OPEN_MPI, "TARRY_LANG": "en"}, timeout=SECONDS)
        return done.returncode, done.stdout + done.stderr
    return run


def results(work, name, ranks):
    """The lines of all ranks, each with its rank."""
    lines = []
    for rank in range(ranks):
        path = os.path.join(work, f"{name}.{rank}")
        with open(path, encoding="utf-8") as file:
            lines += [f"rank {rank}: {line.strip()}" for line in file]
        os.remove(path)
    return lines


def compare(options, library, work, run, ranks):
    program = os.path.join(work, "program")
    what = f"{library.name}, {ranks} ranks"
    code, printed = run([], [program, "plain", options.every])
    if code:
        sys.exit(f"{what}: exit code {code} without the checker\n{printed}")
    code, printed = run([options.tarry, "check", "--buffers=all", "--replace", "-o", "run"], [program, "checked", options.every])
    plain, checked = results(work, "plain", ranks), results(work, "checked", ranks)
    different = [f"{a}\n  checked {b}" for a, b in zip(plain, checked) if a != b]
    if different or len(plain) != len(checked):
        sys.exit("\n".join([f"{what}: {len(different)} of {len(plain)} results differ", *different[:20], printed]))
    if code or "No errors found" not in printed:
        sys.exit(f"{what}: nothing is wrong with the program, exit code {code}\n{printed}")
    if len(plain) * int(options.every) < CASES_AT_LEAST * ranks:
        sys.exit(f"{what}: only {len(plain)} results")
    print(f"{what}: {len(plain)} results are the same")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tarry", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--library", action="append", type=Library, default=[])
    parser.add_argument("--ranks", default="")
    parser.add_argument("--nodes", default="")
    parser.add_argument("--every", default="1")
    options = parser.parse_args()
    if not options.library:
        return 77
    for library in options.library:
        work = build(options, library)
        for ranks in filter(None, options.ranks.split(",")):
            compare(options, library, work, run_here(library, work, int(ranks)), int(ranks))
        if options.nodes:
            from cluster import Cluster
            per_node = [int(count) for count in options.nodes.split(",")]
            with Cluster(nodes=len(per_node)) as cluster:
                compare(options, library, work, run_on(cluster, library, work, per_node), sum(per_node))
    return 0


if __name__ == "__main__":
    sys.exit(main())

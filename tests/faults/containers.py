"""Ranks in separate containers, under one MPI library: with the same host name and the same process number, where the
launcher is invisible; with another folder for the trace, or none.

    containers.py MPI MPICC LAUNCHER BIN WORK"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

import ends

UNSHARE = ["unshare", "--mount", "--map-root-user", "--uts", "--pid", "--fork", "--mount-proc"]
# One rank in its container: FOLDER is that of the trace.
INSIDE = r"""
hostname same
rank=${OMPI_COMM_WORLD_RANK-$PMI_RANK}
case $KIND-$rank in
other-1) mount -t tmpfs none "$FOLDER" ;;
missing-1) mount -t tmpfs none "$(dirname "$FOLDER")" ;;
esac
exec "$PROGRAM"
"""
FOR_MPI = {"OMPI_MCA_btl": "tcp,self", "OMPI_MCA_mpi_yield_when_idle": "1", "MPIR_CVAR_NOLOCAL": "1"}


class Containers(ends.Bench):
    def run_contained(self, kind):
        folder = os.path.join(self.work, kind, "inner")
        program = os.path.join(self.work, "ends")
        os.makedirs(folder)
        environment = dict(os.environ, KIND=kind, FOLDER=folder, PROGRAM=program, **FOR_MPI)
        words = [ends.ON_ONE_MACHINE, self.tarry, "run", "-o", os.path.join(folder, "x"), "--", self.launcher, "-n", "2",
                 *UNSHARE, "sh", "-c", INSIDE]
        return folder, subprocess.run(words, env=environment, capture_output=True, text=True, check=False,
                                      timeout=ends.SECONDS, stdin=subprocess.DEVNULL)


def test(bench, kind):
    folder, result = bench.run_contained(kind)
    text, errors = bench.read(os.path.join(folder, "x.tarry"))
    problems = []
    if result.returncode or result.stdout.count("ready") != 2:
        problems.append(f"the program fails with {result.returncode}: {result.stdout}{result.stderr}")
    if not text or errors:
        return problems + [f"the trace cannot be read: {errors}{result.stderr}"]
    expected = [100, 100] if kind == "same" else [100, 0]
    if ends.sends(text, 3) != expected:
        problems.append(f"of the planted calls there are {ends.sends(text, 3)}: {result.stderr}")
    if len(set(re.findall(r"^process world=(\w+)", text, re.M))) != 1:
        problems.append(f"they are not in one world: {re.findall('^process.*', text, re.M)}")
    if kind == "same":
        if re.findall(r'^property (host|pid) "(\w+)"$', text, re.M).count(("host", "same")) != 2:
            problems.append("they did not run in containers of the same name")
        if "left nothing" in result.stderr:
            problems.append(f"something is said to be missing: {result.stderr}")
    elif "parts of 1 of 2 processes are missing" not in result.stderr:
        problems.append(f"nobody says that one is missing: {result.stderr}")
    return [f"{kind}: {problem}" for problem in problems]


def main(mpi, mpicc, launcher, folder, work):
    if subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode:
        print("skipped: no containers can be had here")
        sys.exit(77)
    shutil.rmtree(work, ignore_errors=True)
    bench = Containers(mpi, mpicc, launcher, os.path.abspath(folder), os.path.abspath(work))
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda kind: test(bench, kind), ("same", "other", "missing")))
    problems = [problem for result in results for problem in result]
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])

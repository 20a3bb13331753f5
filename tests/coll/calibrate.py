"""`tarry coll calibrate`: what it measures is kept in the user's cache, and `tarry coll` finds it there.

    calibrate.py BIN WORK MPI LAUNCHER"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

MPIRUN_HERE = str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "mpirun-here")
tarry, work = os.path.join(os.path.abspath(sys.argv[1]), "tarry"), pathlib.Path(sys.argv[2]).resolve()
mpi, launcher = sys.argv[3:]
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
environment = {**os.environ, "XDG_CACHE_HOME": str(work / "cache"), "OMPI_MCA_mpi_yield_when_idle": "1"}


def run(*words):
    return subprocess.run([MPIRUN_HERE, *words], cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=150,
                          check=False)


def expect(condition, *what):
    if not condition:
        print(*what, sep="\n")
        sys.exit(1)


# Alone a process has nobody to talk to.
done = run(tarry, "coll", "calibrate", "--mpi", mpi, "--", launcher, "-n", "1")
expect(done.returncode == 1 and "two processes" in done.stderr, "one process:", done.returncode, done.stderr)
done = run(tarry, "coll", "calibrate", "--mpi", mpi, "--", launcher, "-n", "2")
expect(done.returncode == 0 and not done.stdout, "two processes:", done.returncode, done.stdout, done.stderr)
kept = (work / "cache" / "tarry" / "machine.conf").read_text()
level = re.search(r"^LevelName=node Latency=(\S+) Bandwidth=(\S+)$", kept, re.M)
expect(level and 0 < float(level[1]) < 10 and float(level[2]) > 1000, "what is kept makes no sense:", kept)
# The job gets it.
done = run(tarry, "coll", "--", "sh", "-c", "echo $TARRY_COLL_LEVELS")
expect(done.stdout.startswith(f"node={float(level[1]):.6g},"), "the job does not know it:", done.stdout, done.stderr)

"""`tarry coll calibrate` stores its measurements in the user's cache, where `tarry coll` finds them.

    calibrate.py BIN WORK MPI LAUNCHER MPICC"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

MPIRUN_HERE = str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "mpirun-here")
tarry, work = os.path.join(os.path.abspath(sys.argv[1]), "tarry"), pathlib.Path(sys.argv[2]).resolve()
mpi, launcher, mpicc = sys.argv[3:]
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


# A single process has no partner.
done = run(tarry, "coll", "calibrate", "--mpi", mpi, "--", launcher, "-n", "1")
expect(done.returncode == 1 and "two processes" in done.stderr, "one process:", done.returncode, done.stderr)
done = run(tarry, "coll", "calibrate", "--mpi", mpi, "--", launcher, "-n", "2")
expect(done.returncode == 0 and not done.stdout, "two processes:", done.returncode, done.stdout, done.stderr)
kept = (work / "cache" / "tarry" / "machine.conf").read_text()
level = re.search(r"^LevelName=node Latency=(\S+) Bandwidth=(\S+)$", kept, re.M)
expect(level and 0 < float(level[1]) < 10 and 1000 < float(level[2]) < 1e12, "what is kept makes no sense:", kept)
# The job gets it.
done = run(tarry, "coll", "--", "sh", "-c", "echo $TARRY_COLL_LEVELS")
expect(urllib.parse.unquote(done.stdout).startswith(f"node={float(level[1]):.6g},"), "the job does not know it:", done.stdout, done.stderr)
# Distances between nodes: each process is one, and reports its own host name.
library = work / "own_nodes.so"
subprocess.run([mpicc, "-shared", "-fPIC", "-o", library, pathlib.Path(__file__).resolve().parent / "programs" / "own_nodes.c"], check=True)
environment["LD_PRELOAD"] = str(library)
done = run(tarry, "coll", "calibrate", "--mpi", mpi, "--", launcher, "-n", "3")
del environment["LD_PRELOAD"]
expect(done.returncode == 0, "three nodes:", done.returncode, done.stderr)
kept = (work / "cache" / "tarry" / "machine.conf").read_text()
links = re.findall(r"^Link=(h\d,h\d) Latency=\S+$", kept, re.M)
expect(sorted(links) == ["h0,h1", "h0,h2", "h1,h2"], "distances of nodes are missing:", kept)
done = run(tarry, "coll", "show")
expect("machine.conf': 3 nodes" in done.stdout, "what is kept is no machine:", done.stdout, done.stderr)

"""What a trace says of the place where it was made: the eager limit, measured once and then taken from the user's cache;
host, node, processors, program, arguments; the environment without its secrets.

    surroundings.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR programs/io.c"""

import glob
import os
import re
import shutil
import subprocess
import sys

import job

SECRET = "nobody-may-read-this"
# On a busy machine a process may come too late to be measured with; then the next run tries again.
ATTEMPTS = 5


def record(options, program, cache):
    """The trace of one run, as text."""
    trace = os.path.join(options.work, "trace.tarry")
    environment = {**os.environ, "XDG_CACHE_HOME": cache, "SERVICE_TOKEN": SECRET, "PLAIN_SETTING": "to be seen"}
    environment.update(job.FOR_OPEN_MPI if options.mpi == "openmpi" else {})
    tarry = os.path.join(options.bin, "tarry")
    subprocess.run([job.ON_ONE_MACHINE, tarry, "run", "-o", trace, "--", options.launcher, "-n", "2", program, "one", "two"],
                   env=environment, check=True, timeout=job.SECONDS, capture_output=True)
    return subprocess.run([tarry, "dump", "--no-source", trace], check=True, capture_output=True, text=True).stdout


def eager_limits(text):
    return [int(bytes_) for bytes_ in re.findall(r"^eager (\d+) node$", text, re.MULTILINE)]


def measure_limits(options, program, cache):
    for _ in range(ATTEMPTS):
        found = eager_limits(record(options, program, cache))
        if found:
            break
    return found


def check_eager(options, program):
    cache = os.path.join(options.work, "cache")
    measured = measure_limits(options, program, cache)
    assert len(measured) == 1 and measured[0] > 0, f"one limit for the node is wanted, not {measured}"
    files = glob.glob(os.path.join(cache, "tarry", "eager-*-node"))
    assert len(files) == 1, f"one limit is to be remembered, not {files}"
    with open(files[0], encoding="ascii") as kept:
        assert int(kept.read()) == measured[0]
    with open(files[0], "w", encoding="ascii") as kept:
        kept.write("777\n")
    text = record(options, program, cache)
    assert eager_limits(text) == [777], f"what is remembered is to be believed, but it is {eager_limits(text)}"
    return text


def check_surroundings(text, options, program):
    def values(key):
        return re.findall(rf'^property {key} "(.*)"$', text, re.MULTILINE)

    assert SECRET not in text, "a secret stands in the trace"
    assert values("env").count("SERVICE_TOKEN=***") == 2
    assert values("env").count("PLAIN_SETTING=to be seen") == 2
    assert values("mpi") == [options.mpi] * 2
    assert values("program") == [os.path.realpath(program)] * 2
    assert values("host") == [os.uname().nodename] * 2
    assert len(set(values("node"))) == 1 and len(values("node")) == 2
    assert len(set(values("pid"))) == 2 and all(pid.isdigit() for pid in values("pid"))
    assert all(re.fullmatch(r"\d+(-\d+)?(,\d+(-\d+)?)*", cpus) for cpus in values("cpus")) and len(values("cpus")) == 2
    assert [arg for arg in values("arg") if arg in ("one", "two")] == ["one", "two"] * 2
    assert len(re.findall(r"^clock \w+ \d+ tick=\d+ ns=\d+$", text, re.MULTILINE)) == 4, "start and end of two processes"
    assert re.search(r'^module 1 base=0x[0-9a-f]+ size=0x[0-9a-f]+ build-id=[0-9a-f]+ "', text, re.MULTILINE)


def main():
    options = job.read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    program = job.build(options.source, options)
    check_surroundings(check_eager(options, program), options, program)


if __name__ == "__main__":
    sys.exit(main())

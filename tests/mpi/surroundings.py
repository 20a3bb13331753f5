"""The environment of a trace: the eager limit, if the library provides it; host, node, processors, program, arguments;
variables that affect MPI. It contains no secrets, and only the user can read it.

    surroundings.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR programs/io.c"""

import json
import os
import re
import shutil
import struct
import subprocess
import sys

import job

GROUP = 0xFFFFFFFD  # the stream of chunks of several ranks
SECRET = "nobody-may-read-this"


def record(options, program, cache):
    """The trace of one run, as text."""
    trace = os.path.join(options.work, "trace.tarry")
    environment = {**os.environ, "XDG_CACHE_HOME": cache, "SERVICE_TOKEN": SECRET, "MPICH_TOKEN": SECRET,
                   "OMP_NUM_THREADS": "3", "PRIVATE_MATTER": SECRET}
    environment.update(job.FOR_OPEN_MPI if options.mpi == "openmpi" else {})
    tarry = os.path.join(options.bin, "tarry")
    subprocess.run([job.ON_ONE_MACHINE, tarry, "run", "-o", trace, "--", options.launcher, "-n", "2", program, "one", "--password",
                    SECRET, "--api-key=" + SECRET, "two"], env=environment, check=True, timeout=job.SECONDS, capture_output=True, umask=0o027)
    assert os.stat(trace).st_mode & 0o777 == 0o640, "the umask decides who can read the trace"
    return subprocess.run([tarry, "dump", "--no-source", trace], check=True, capture_output=True, text=True).stdout


def eager_limits(text):
    return [int(bytes_) for bytes_ in re.findall(r"^eager (\d+) node$", text, re.MULTILINE)]


def check_eager(options, program):
    """Open MPI provides it, MPICH's device ch4:ucx does not. Nothing is left in the user's folders."""
    cache = os.path.join(options.work, "cache")
    text = record(options, program, cache)
    sources = re.findall(r'^property eager "node: (.*)"$', text, re.MULTILINE)
    assert len(sources) == 1, f"one process is to ask for all, not {sources}"
    assert bool(eager_limits(text)) == (sources[0] != "not told"), f"limit {eager_limits(text)}, source {sources}"
    if options.mpi == "openmpi":
        assert sources[0].startswith("btl_") and eager_limits(text)[0] > 0, sources
    assert not os.path.exists(cache), f"there is something in {cache}"
    shown = subprocess.run([os.path.join(options.bin, "tarry"), "info", "--json", os.path.join(options.work, "trace.tarry")], check=True,
                           capture_output=True, text=True).stdout
    node = next(limit for limit in json.loads(shown)["eager"] if limit["distance"] == "node")
    assert [node.get("source", "not told"), node.get("bytes")] == [sources[0], *(eager_limits(text) or [None])], node
    return text


def check_surroundings(text, options, program):
    def values(key):
        return re.findall(rf'^property {key} "(.*)"$', text, re.MULTILINE)

    assert SECRET not in text, "a secret stands in the trace"
    assert values("env").count("MPICH_TOKEN=***") == 2
    assert values("env").count("OMP_NUM_THREADS=3") == 2
    assert not [line for line in values("env") if line.startswith(("SERVICE_TOKEN", "PRIVATE_MATTER", "HOME", "PATH"))]
    assert values("mpi") == [options.mpi] * 2
    assert values("program") == [os.path.realpath(program)] * 2
    assert values("host") == [os.uname().nodename] * 2
    assert len(set(values("node"))) == 1 and len(values("node")) == 2
    assert len(set(values("pid"))) == 2 and all(pid.isdigit() for pid in values("pid"))
    assert all(re.fullmatch(r"\d+(-\d+)?(,\d+(-\d+)?)*", cpus) for cpus in values("cpus")) and len(values("cpus")) == 2
    given = ["one", "--password", "***", "--api-key=***", "two"]
    assert [arg for arg in values("arg") if arg in given] == given * 2
    assert len(re.findall(r"^clock \w+ \d+ tick=\d+ ns=\d+$", text, re.MULTILINE)) == 4, "start and end of two processes"
    assert re.search(r'^module 1 base=0x[0-9a-f]+ size=0x[0-9a-f]+ build-id=[0-9a-f]+ "', text, re.MULTILINE)


def streams(trace):
    """Of the chunks of a trace."""
    with open(trace, "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        yield struct.unpack_from("<I", data, at + 20)[0]
        at += 64 + struct.unpack_from("<I", data, at + 28)[0]


def check_tables(options, program):
    """Ranks share their tables, whichever process makes the trace."""
    trace = os.path.join(options.work, "exec.tarry")
    environment = {**os.environ, **(job.FOR_OPEN_MPI if options.mpi == "openmpi" else {})}
    subprocess.run([job.ON_ONE_MACHINE, options.launcher, "-n", "2", os.path.join(options.bin, "tarry"), "exec", "-o", trace, program],
                   env=environment, check=True, timeout=job.SECONDS, capture_output=True)
    for made in trace, os.path.join(options.work, "trace.tarry"):
        assert GROUP in streams(made), f"'{made}' has only chunks of {sorted(set(streams(made)))}"
    assert not os.path.exists(trace + ".parts"), os.listdir(trace + ".parts")


def main():
    options = job.read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    program = job.build(options.source, options)
    check_surroundings(check_eager(options, program), options, program)
    check_tables(options, program)


if __name__ == "__main__":
    sys.exit(main())

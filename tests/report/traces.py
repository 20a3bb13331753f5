"""Traces for reports, and the commands that make reports."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# Possible file names that every output format must survive.
AWKWARD = (b'src/a, "b".c', b"line\nbreak.c", b"not-utf8-\xff\xe0\x80\x80\xed\xa0\x80.c", b"[1](2){0}\\.c", b"=cmd.c",
           "\u00e4 \u0416.c".encode(), b"/abs/x y.c")


def has_modules(*modules):
    try:
        for module in modules:
            __import__(module)
    except ImportError:
        return False
    return True


def run_with(*modules):
    """Goes on with a Python that has these modules; false: there is none."""
    if has_modules(*modules):
        return True
    for python in filter(None, map(shutil.which, ("python3", "/usr/bin/python3"))):
        tried = subprocess.run([python, "-c", "import " + ", ".join(modules)], capture_output=True, check=False)
        if tried.returncode == 0 and os.environ.get("TARRY_TRIED") != python:
            os.environ["TARRY_TRIED"] = python
            os.execv(python, [python, "-B", *sys.argv])
    return False


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def escaped(name):
    """As it is written between quotes in the text of a trace."""
    return "".join(f"\\x{byte:02x}" if byte < 32 or byte > 126 or byte in b'"\\\\' else chr(byte) for byte in name)


def head(rank, size, files=(b"src/halo.c", b"src/main.c"), host=b"node1"):
    yield f"process world=1 rank={rank} size={size}"
    yield f'property host "{escaped(host)}"'
    for number, file in enumerate(files, 1):
        yield f'source {number} "{escaped(file)}" "f{number}"'
    members = f" members=1:0-{size - 1}" if rank == 0 else ""
    yield f'comm 0x1 kind=intra rank={rank} size={size} remote=0{members} "MPI_COMM_WORLD"'


def plain():
    """A late sender, a late receiver with a path to it, a barrier; two nodes; a call without a place."""
    yield from head(0, 3)
    yield "thread 0"
    yield "0 1000 MPI_Init"
    yield "3000000000 3000000100 MPI_Send site=1+0x28 comm=0x1 peer=1 tag=0 sent=8192"
    yield "4000000000 4000000100 MPI_Send comm=0x1 peer=2 tag=0 sent=0"
    yield "5000000000 5000000200 MPI_Barrier site=2+0x9 comm=0x1"
    yield "7000000000 9000000100 MPI_Ssend site=2+0xb path=2+0x30,2+0x40 comm=0x1 peer=1 tag=1 sent=64"
    yield "9900000000 10000000000 MPI_Finalize"
    yield from head(1, 3, host=b"node2")
    yield "thread 0"
    yield "0 1000 MPI_Init"
    yield "1000000000 3000000200 MPI_Recv site=1+0x2a comm=0x1 peer=0 tag=0 received=8192"
    yield "4500000000 5000000300 MPI_Barrier site=2+0x9 comm=0x1"
    yield "9000000000 9000000200 MPI_Recv site=2+0xc comm=0x1 peer=0 tag=1 received=64"
    yield "9900000000 10000000000 MPI_Finalize"
    yield from head(2, 3)
    yield "thread 0"
    yield "0 1000 MPI_Init"
    yield "thread 1"
    yield "3500000000 4000000200 MPI_Recv site=1+0x2a comm=0x1 peer=0 tag=0 received=0"
    yield "4000001000 5000000100 MPI_Barrier site=2+0x9 comm=0x1"
    yield "thread 0"
    yield "9900000000 10000000000 MPI_Finalize"


def awkward():
    """A late sender in each of the files with difficult names."""
    yield from head(0, 2, AWKWARD, host=b'a,"b"')
    yield "0 1000 MPI_Init"
    for number in range(1, len(AWKWARD) + 1):
        start = 1000000000 * number
        yield f"{start} {start + 100} MPI_Send site={number}+0x1 comm=0x1 peer=1 tag=0 sent=8"
    yield from head(1, 2, AWKWARD, host=b'a,"b"')
    yield "0 1000 MPI_Init"
    for number in range(1, len(AWKWARD) + 1):
        start = 1000000000 * number
        yield f"{start - 100000000 * number} {start + 200} MPI_Recv site={number}+0x2 comm=0x1 peer=0 tag=0 received=8"


def calm():
    yield "process"
    yield "10 20 MPI_Init"
    yield "30 40 MPI_Finalize"


def nothing():
    yield "process"


def files():
    """Rank 0 writes a file that all read, in small pieces; more files than a rank lists; a damaged record; a file name that needs care."""
    for rank in range(3):
        yield from head(rank, 3)
        yield 'property cwd "/home/u"'
        if rank == 0:
            yield 'file 1 opens=1 syncs=1 inside=1000 first=2000 last=90000 module=2 offset=10 "/home/u/out.dat"'
            yield "access 1 write system class=4 calls=1000 bytes=4096000 inside=60000 consecutive=999"
            yield "access 1 write system class=20 calls=1 bytes=1 inside=1"
            yield "access 1 write mpi class=7 calls=4 bytes=4194304 inside=10000 strided=2"
            yield f'file 2 opens=1 stats=18446744073709551615 inside=18446744073709551615 first=1 last=2 "/tmp/{escaped(AWKWARD[1])}"'
            yield "access 2 read stream class=12 calls=18446744073709551615 bytes=18446744073709551615 inside=18446744073709551615"
        yield 'file 3 opens=1 seeks=2 maps=1 mapped=4096 inside=100 first=3000 last=4000 "/home/u/in.dat"'
        yield "access 3 read stream class=8 calls=10 bytes=10485760 inside=20000 consecutive=3"
        yield f"file 0 opens={rank} stats=1 inside=50 first=1 last=2 \"\""
        yield "thread 0"
        yield "0 1000 MPI_Init"
        yield f"{95000 if rank == 0 else 1500} 96000 MPI_Barrier site=2+20 comm=0x1"
        yield "100000 101000 MPI_Finalize"


TRACES = {"plain": plain, "awkward": awkward, "calm": calm, "nothing": nothing, "files": files}


def written(tarry, lines, *options, command="report", code=0):
    """What a command prints of a trace."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "text"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        subprocess.run([tarry, "assemble", "-o", "run", "text"], cwd=folder, check=True)
        done = subprocess.run([tarry, command, *options, "run"], cwd=folder, capture_output=True, check=False)
        assert done.returncode == code, (done.returncode, done.stderr)
        return done.stdout



def report_of(tarry, lines, *options, form="json", command="report"):
    """Read as JSON, in which all has to be UTF-8."""
    return json.loads(written(tarry, lines, f"--{form}", "-", *options, command=command).decode())

"""Logs of analysers, made from text by write-log, and the output of `tarry check --show` for them."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

BIN = pathlib.Path(sys.argv[1]).resolve()
SOURCE = """#include <mpi.h>

int main(void)
{
	int buf[10];

	MPI_Init(0, 0);
	MPI_Send(buf, n, MPI_INT, 1, 7, MPI_COMM_WORLD);
	MPI_Recv(buf, 5, MPI_INT, peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
}
"""
FINISHED = "".join(f"member {rank} 4 1\n" for rank in range(4))
TRUNCATED = """finding message.truncated 3
value sent 40
value room 20
call 1 MPI_Recv - count = 5, datatype = MPI_INT, source = 0, tag = 7, comm = MPI_COMM_WORLD
at app.c:9
at app.c:7
call 0 MPI_Send sent count = 10, datatype = MPI_INT, dest = 1, tag = 7, comm = MPI_COMM_WORLD
at app.c:8
"""


def leak(rank, stride=3, times=1, line=5):
    return f"finding leak.datatype {times}\nvalue count 2\ncall {rank} MPI_Type_vector - stride = {stride}\nat app.c:{line}\n"


def negative(rank, value=-1, line=8):
    return (f"finding argument.negative-count\nvalue parameter count\nvalue value {value}\n"
            f"call {rank} MPI_Send - count = {value}\nat app.c:{line}\n")


def note(line, sender=8):
    """Messages of two ranks from one line race for a receive."""
    return (f"finding race.message-order\nvalue source 1\nvalue other_source 2\nvalue comm MPI_COMM_WORLD\ncall 0 MPI_Recv - tag = 7\nat app.c:{line}\n"
            f"call 1 MPI_Send sent dest = 0\nat app.c:{sender}\n")


def log_bytes(text):
    return subprocess.run([BIN / "write-log"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


class Run:
    """A folder of a run, with one log for each text or bytes."""

    def __init__(self, *logs, notes=""):
        self.kept = tempfile.TemporaryDirectory(prefix="findings-")
        self.folder = pathlib.Path(self.kept.name)
        (self.folder / "app.c").write_text(SOURCE)
        self.check = self.folder / "app.check"
        self.check.mkdir()
        for number, log in enumerate(logs):
            self.write(number, log if isinstance(log, bytes) else log_bytes(log))
        if notes:
            (self.check / "notes").write_text(notes)

    def write(self, number, content):
        (self.check / f"analyser-{number}.log").write_bytes(content)

    def show(self, *options, locale="C.UTF-8"):
        """Exit code, stdout and stderr."""
        environment = {**os.environ, "LC_ALL": locale}
        environment.pop("TARRY_LANG", None)
        done = subprocess.run([BIN / "tarry", "check", "--show", "app.check", *options], cwd=self.folder, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def json(self, *options):
        code, out, err = self.show("--json", "-", *options)
        assert code in (0, 4, 5), (code, err)
        return json.loads(out)


def sarif_of(run, *options):
    code, out, err = run.show("--sarif", "-", *options)
    assert code in (0, 4, 5), (code, err)
    return json.loads(out)

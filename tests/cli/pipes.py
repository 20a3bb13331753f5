"""Pipes instead of files: as a trace, a part, a module, a log, a key, notes and outputs. No command waits for the other end; pipes of the
shell, devices and '-' work as expected.

    pipes.py BIN"""

import os
import pathlib
import subprocess
import sys
import tempfile

BIN = os.path.abspath(sys.argv[1])
TARRY = os.path.join(BIN, "tarry")
REGULAR = "not a regular file"
SECONDS = 60
TRACE = """tarry trace 1
process world=1 rank=0 size=1 run=1
clock monotonic 1000000000 tick=0 ns=1700000000000000000
module 1 base=0x1000 size=0x10000 "FOLDER/module"
comm 0x1 parent=0x0 kind=intra rank=0 size=1 remote=0 members=1:0-0 "world"
thread 0
0 1000000 MPI_Init site=1+0x2
2000000 2000100 MPI_Barrier site=1+0x2 comm=0x1
51000000 52000000 MPI_Finalize site=1+0x2
"""


class Place:
    def __init__(self, folder):
        self.folder, self.problems = pathlib.Path(folder), []
        for name in ("pipe", "module", "x.rules", "y.tarry.parts/a.part", "y.tarry.parts/notes", "z.check/analyser-0.log", "k.check/key", "k.check/analyser-0.log",
                     "c.coll/chosen-a", "o.tarry"):
            path = self.folder / name
            path.parent.mkdir(exist_ok=True, mode=0o700)
            os.mkfifo(path)
        (self.folder / "x.txt").write_text(TRACE.replace("FOLDER", folder), encoding="utf-8")

    def run(self, words, shell=False):
        try:
            done = subprocess.run(words if shell else [TARRY, *words], cwd=self.folder, capture_output=True, text=True, timeout=SECONDS, check=False,
                                  stdin=subprocess.DEVNULL, executable="/bin/bash" if shell else None, shell=shell,
                                  env=dict(os.environ, PATH=f"{BIN}:{os.environ['PATH']}"))
        except subprocess.TimeoutExpired:
            return None, "it waits for ever"
        return done.returncode, done.stdout + done.stderr

    def expect(self, words, said, code=None, shell=False):
        ended, printed = self.run(words, shell)
        if ended is None or said not in printed or (code is not None and ended != code):
            self.problems.append(f"{words}: exit code {ended}, and not '{said}':\n{printed}")


def refused(place):
    for command in ("info", "report", "dump", "analyze", "map", "view"):
        place.expect([command, "pipe"], REGULAR)
    place.expect(["recover", "y.tarry"], REGULAR)
    place.expect(["check", "--show", "z"], REGULAR)
    place.expect(["coll", "--report", "c.coll"], "")
    place.expect(["check", "--suppress", "pipe", "--show", "z"], REGULAR)
    place.expect(["report", "--rules", "x.rules", "x.tarry"], REGULAR)
    place.expect(["assemble", "-o", "new.tarry", "pipe"], REGULAR)
    place.expect(["assemble", "-o", "o.tarry", "x.txt"], "no process reads from this")
    place.expect(["report", "--json", "pipe", "x.tarry"], "no process reads from this")
    place.expect(["run", "-o", "o", "--", "true"], "")
    place.expect(["bench", "show", "pipe"], REGULAR)
    # Its module is a pipe: lines are missing, and everything else is right.
    place.expect(["dump", "x.tarry"], "MPI_Barrier", 0)
    place.expect(["report", "x.tarry"], "", 0)


def accepted(place):
    place.expect("tarry assemble -o made.tarry <(cat x.txt) && tarry info made.tarry", "1 process", 0, shell=True)
    place.expect("tarry report --json /dev/stdout x.tarry | cat", '"findings"', 0, shell=True)
    place.expect("tarry report --json - x.tarry | cat", '"findings"', 0, shell=True)
    place.expect("tarry report --json >(cat >/dev/null) x.tarry", "", 0, shell=True)
    place.expect("tarry report --json /dev/null x.tarry", "", 0, shell=True)
    place.expect("tarry dump -o /dev/stdout x.tarry | cat", "MPI_Barrier", 0, shell=True)
    place.expect("cat <pipe & tarry report --json /dev/stdout x.tarry >pipe; wait", '"findings"', 0, shell=True)
    place.expect("cat <pipe >read & tarry report --json pipe x.tarry; wait; cat read", '"findings"', 0, shell=True)
    place.expect("echo leak.datatype >known; tarry check --suppress <(cat known) --show z", REGULAR, shell=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(os.path.realpath(folder))
        place.expect(["assemble", "-o", "x.tarry", "x.txt"], "", 0)
        refused(place)
        accepted(place)
    print("\n".join(place.problems) or "no command waits")
    sys.exit(1 if place.problems else 0)


if __name__ == "__main__":
    main()

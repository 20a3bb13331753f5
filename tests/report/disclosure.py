"""Which source code a page and a list of findings show: files below the current folder, the trace and the program, and others only if
the user names them. A trace, and a program that is checked, may name any file.

    disclosure.py TARRY"""

import os
import shutil
import subprocess
import sys
import tempfile

TARRY = os.path.abspath(sys.argv[1])
WRITE_LOG = os.path.join(os.path.dirname(TARRY), "write-log")
LINE = "a line of a file"


def trace_text(name, program):
    """Rank 1 is late, so rank 0 waits in line 2 of the file."""
    yield "tarry trace 1"
    for rank in range(2):
        yield f"process world=1 rank={rank} size=2 run=1"
        yield "clock monotonic 1000000000 tick=0 ns=1700000000000000000"
        if program:
            yield f'module 5 base=0x1000 size=0x10000 "{program}"'
        yield f'source 1 "{name}" "exchange"'
        yield 'comm 0x1 parent=0x0 kind=intra rank=%d size=2 remote=0 members=1:0-1 "world"' % rank
        yield "thread 0"
        yield "0 1000000 MPI_Init site=1+0x2"
        if rank:
            yield "50000000 50050000 MPI_Send site=1+0x2 comm=0x1 peer=0 tag=7 sent=8"
        else:
            yield "2000000 50100000 MPI_Recv site=1+0x2 comm=0x1 peer=1 tag=7 received=8"
        yield "51000000 52000000 MPI_Finalize site=1+0x2"


class Place:
    """home: where the user is; home/runs: the trace; away: neither."""

    def __init__(self, folder):
        self.folder, self.home = folder, os.path.join(folder, "home")
        self.runs, self.away = os.path.join(self.home, "runs"), os.path.join(folder, "away")
        os.makedirs(self.runs)
        os.makedirs(os.path.join(self.away, "bin"))
        os.makedirs(os.path.join(self.home, "src"))
        for path in ("home/src/near.c", "home/runs/beside.c", "away/other.c", "away/id_rsa", "away/bin/part.c", "home/.secret.c"):
            with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                file.write(f"first\n{LINE}\n")
        os.symlink("../away/id_rsa", os.path.join(self.home, "link.c"))
        os.symlink("../.secret.c", os.path.join(self.home, "src", "inside.c"))
        os.symlink("../away", os.path.join(self.home, "sources"))
        os.symlink(self.home, os.path.join(folder, "also-home"))
        os.mkfifo(os.path.join(self.home, "pipe.c"))
        shutil.copy("/bin/true", os.path.join(self.away, "bin", "app"))

    def path(self, name):
        return name.replace("FOLDER", self.folder)


def report(place, name, program, options):
    text, trace, page = (os.path.join(place.runs, end) for end in ("x.txt", "x.tarry", "x.html"))
    with open(text, "w", encoding="utf-8") as file:
        file.write("\n".join(trace_text(place.path(name), place.path(program))) + "\n")
    subprocess.run([TARRY, "assemble", "-o", trace, text], check=True, stdout=subprocess.DEVNULL)
    result = subprocess.run([TARRY, "report", "--html", page, *options, trace], cwd=place.home, capture_output=True, text=True, timeout=60,
                            check=False)
    with open(page, encoding="utf-8") as file:
        return LINE in file.read(), result.stderr


def checked(place, name, _program, options):
    run = os.path.join(place.runs, "x.check")
    os.makedirs(run, exist_ok=True)
    log = ("finding argument.negative-count\nvalue parameter count\nvalue value -1\ncall 0 MPI_Send - count = -1\n"
           f"at {place.path(name)}:2\nmember 0 1 1\nend\n")
    with open(os.path.join(run, "analyser-0.log"), "wb") as file:
        file.write(subprocess.run([WRITE_LOG], input=log.encode(), stdout=subprocess.PIPE, check=True).stdout)
    result = subprocess.run([TARRY, "check", "--show", run, *options], cwd=place.home, capture_output=True, text=True, timeout=60, check=False)
    return LINE in result.stdout, result.stderr


# Name in the trace, program, options, is it shown, is it said that it is not.
CASES = [
    ("src/near.c", "", [], True, False),
    ("near.c", "", [], False, False),
    ("beside.c", "", [], True, False),
    ("src/../src/./near.c", "", [], True, False),
    ("FOLDER/home/src/near.c", "", [], True, False),
    ("FOLDER/also-home/src/near.c", "", [], True, False),
    ("FOLDER/away/other.c", "", [], False, True),
    ("../away/other.c", "", [], False, True),
    ("src/../../away/other.c", "", [], False, True),
    ("FOLDER/away/id_rsa", "", [], False, False),
    ("link.c", "", [], False, True),
    ("src/inside.c", "", [], False, True),
    ("sources/other.c", "", [], False, True),
    ("pipe.c", "", [], False, False),
    ("missing.c", "", [], False, False),
    ("FOLDER/away/other.c", "", ["--source", "FOLDER/away"], True, False),
    ("sources/other.c", "", ["--source", "FOLDER/away"], True, False),
    ("link.c", "", ["--source", "FOLDER/away"], False, True),
    ("FOLDER/away/bin/part.c", "FOLDER/away/bin/missing", [], False, True),
    ("FOLDER/away/bin/part.c", "FOLDER/away/bin/app", [], True, False),
    ("part.c", "FOLDER/away/bin/app", [], True, False),
    ("FOLDER/away/other.c", "FOLDER/away/bin/app", [], False, True),
]


def main():
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        place = Place(os.path.realpath(folder))
        for kind in (report, checked):
            for name, program, options, is_shown, is_told in CASES:
                if program and kind is checked:
                    continue  # its log does not name the program
                shown, told = kind(place, name, program, [place.path(option) for option in options])
                if shown != is_shown or (told.count("--source") == 1) != is_told:
                    problems.append(f"{kind.__name__} of {name} {program} {options}: shown {shown}, said {told!r}")
    print("\n".join(problems) or "only what may be shown is shown")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

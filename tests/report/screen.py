"""The first screen of every trace of the tests, and of some that are too large for it: at most 25 lines of 80 columns, in each language and in
ASCII as in UTF-8, and no place is cut.

    screen.py TARRY TESTS [once: in one language and width]"""

import os
import re
import subprocess
import sys
import tempfile

from traces import TRACES, head

TARRY, TESTS = sys.argv[1:3]
LANGUAGES = ("en", "ru")[len(sys.argv) - 3:]
LINES, COLUMNS = 25, 80
LONG = "a_name_that_goes_on_" * 12


def many_ranks():
    """4096 ranks; each but the first waits for the one before it."""
    size = 4096
    for rank in range(size):
        yield from head(rank, size, host=f"node{rank // 64}".encode())
        yield "0 1000 MPI_Init"
        if rank:
            yield f"1000000 {9000000 + rank} MPI_Recv site=1+0x{rank % 50:x} comm=0x1 peer={rank - 1} tag=0 received=8"
        if rank < size - 1:
            yield f"{9000000 + rank} {9000001 + rank} MPI_Send site=1+0x9 comm=0x1 peer={rank + 1} tag=0 sent=8"
        if rank % 2:
            yield "9900000000 10000000000 MPI_Finalize"


def long_names():
    """Everything that can be long is long: programs, files, functions, the name of the library."""
    for rank in range(2):
        yield f"process world=1 rank={rank} size=2"
        yield f'property program "/opt/{LONG}/{LONG}{rank}"'
        yield f'property mpi_version "{LONG} {LONG}"'
        yield f'property selection "--only {LONG},{LONG}"'
        yield f'source 1 "{LONG}/{LONG}.c" "{LONG}"'
        yield f'comm 0x1 rank={rank} size=2{" members=1:0-1" if rank == 0 else ""} "MPI_COMM_WORLD"'
        yield "0 1000 MPI_Init"
        yield ("5000000 5000100 MPI_Send site=1+0x3039 comm=0x1 peer=1 tag=0 sent=8" if rank == 0 else
               "1000000 5000200 MPI_Recv site=1+0x3039 comm=0x1 peer=0 tag=0 received=8")


def many_findings():
    """A hundred places, in ten files."""
    files = [f"solver/{LONG[:number * 8]}part{number}.f90".encode() for number in range(10)]
    for rank in range(2):
        yield from head(rank, 2, files)
        yield "0 1000 MPI_Init"
        for number in range(100):
            start = 1000000000 * (number + 1)
            site = f"site={number % 10 + 1}+0x{number + 1000:x}"
            if rank == 0:
                yield f"{start} {start + 100} MPI_Send {site} comm=0x1 peer=1 tag=0 sent=8"
            else:
                yield f"{start - 900000000} {start + 200} MPI_Recv {site} comm=0x1 peer=0 tag=0 received=8"
        yield "101000000000 101000000100 MPI_Finalize"


def uneven_work():
    """Rank 1 computes ten times as long as rank 0, which waits for it in a barrier."""
    for rank in range(2):
        yield from head(rank, 2)
        yield "0 1000 MPI_Init"
        for step in range(50):
            start, end = 100000000 * step, 100000000 * (step + 1)
            begun = start + (99000000 if rank else 9900000)
            yield f"{begun} {end} MPI_Barrier site=1+0x{30:x} comm=0x1"
        yield "5000000000 5000000100 MPI_Finalize"


def looping(region):
    """Ten times the same, rank 1 computes longer; in regions of the user, or without."""
    for rank in range(2):
        yield from head(rank, 2)
        yield "0 1000 MPI_Init"
        for step in range(10):
            start = 1000000000 * (step + 1)
            if region:
                yield f'{start} {start} tarry_region_begin region="{region}{step % 5}"'
            yield f"{start + 100000000 * (5 * rank + 1)} {start + 600001000} MPI_Barrier site=1+0x9 comm=0x1"
            if region:
                yield f'{start + 700000000} {start + 700000000} tarry_region_end region="{region}{step % 5}"'
        yield "12000000000 12000000100 MPI_Finalize"


def hanging():
    """Each rank is in another call; one has findings before that."""
    size = 16
    for rank in range(size):
        yield from head(rank, size, (f"{LONG}.c".encode(),))
        yield "0 1000 MPI_Init"
        yield f"{1000000 * (rank + 1)} 20000000 MPI_Barrier site=1+0x7 comm=0x1"
        yield f"open 30000000 MPI_Ssend site=1+0x{rank + 1:x} comm=0x1 peer={(rank + 1) % size} tag=0 sent=8"


def texts():
    """Of every trace, its name and its text."""
    golden = os.path.join(TESTS, "trace", "golden")
    for name in sorted(os.listdir(golden)):
        if name.endswith(".txt"):
            with open(os.path.join(golden, name), encoding="utf-8", errors="surrogateescape") as file:
                yield name, file.read()
    for name, lines in (*TRACES.items(), ("ranks", many_ranks), ("names", long_names), ("findings", many_findings),
                        ("regions", lambda: looping("a part of the step ")), ("names of regions", lambda: looping(LONG)),
                        ("iterations", lambda: looping(None)), ("hanging", hanging), ("uneven", uneven_work)):
        yield name, "\n".join(lines()) + "\n"


def screen_of(folder, lang, locale, **variables):
    environment = {**os.environ, "LC_ALL": locale, **variables}
    for name in ("COLUMNS", "TARRY_LANG"):
        if name not in variables:
            environment.pop(name, None)
    done = subprocess.run([TARRY, "report", "--lang", lang, "run.tarry"], cwd=folder, env=environment, capture_output=True,
                          check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def check_screen(screen, case, width=COLUMNS):
    lines = screen.decode().splitlines()
    assert lines and not lines[0].startswith(" "), (case, screen)
    assert len(lines) <= LINES or width < COLUMNS, (case, len(lines), screen.decode())
    longest = max(lines, key=len)
    assert len(longest) <= width, (case, len(longest), longest)
    assert b"\x1b" not in screen, case


def check_trace(folder, name):
    for lang in LANGUAGES:
        for locale in ("C.UTF-8", "C"):
            screen = screen_of(folder, lang, locale)
            check_screen(screen, (name, lang, locale))
            assert locale != "C" or screen.isascii(), (name, screen)
    if len(LANGUAGES) > 1:
        check_screen(screen_of(folder, "en", "C.UTF-8", COLUMNS="40"), (name, 40), 40)
    return screen_of(folder, "en", "C.UTF-8").decode()


def main():
    screens = {}
    for name, text in texts():
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "text"), "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text)
            subprocess.run([TARRY, "assemble", "-o", "run", "text"], cwd=folder, check=True)
            screens[name] = check_trace(folder, name)
    assert ":12345" in screens["names"], screens["names"]
    assert screens["findings"].count(".f90:") >= 5 and "95 findings hidden" in screens["findings"], screens["findings"]
    assert screens["regions"].count("efficiency") == 4 and "a part of the step 0: " in screens["regions"], screens["regions"]
    assert "10 iterations of 1.00 s" in screens["iterations"], screens["iterations"]
    assert "wait for each other" in screens["hanging"].replace("\n", " "), screens["hanging"]
    assert all(f"goes_on_.c:{line}" in screens["hanging"] for line in range(1, 5)), screens["hanging"]
    assert "4 096 processes on 64 nodes" in screens["ranks"], screens["ranks"]
    # The rank that computes too long is named, not the one that could take over work.
    assert re.search(r"1\. Load Imbalance.* rank 1$", screens["uneven"], re.MULTILINE), screens["uneven"]
    print(f"{len(screens)} traces fit on a screen")


main()

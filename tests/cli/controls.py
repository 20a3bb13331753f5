"""Names in traces and on the command line with control characters, marks that change the direction of text, and formulas: no command prints them
unchanged, and CSV has no cell that a spreadsheet would evaluate.

    controls.py BIN"""

import csv
import io
import os
import subprocess
import sys
import tempfile

TARRY = os.path.join(os.path.abspath(sys.argv[1]), "tarry")
# ESC and a colour, C1's CSI, a byte that is not a character, marks of direction, in the syntax of a trace as text.
EVIL = r"a\x1b[31mb\xc2\x9b7mc\x9bd\xe2\x80\xaee\xe2\x81\xa6f\xd8\x9cg"
PLAIN = EVIL.encode().decode("unicode_escape").encode("latin-1")
TURNING = {0x61c, 0x200e, 0x200f, *range(0x202a, 0x202f), *range(0x2066, 0x206a)}
TRACE = """tarry trace 1
process world=1 rank=0 size=2 run=1
property node "EVIL"
property host "=HYPERLINK(1)"
property note "EVIL"
clock monotonic 1000000000 tick=0 ns=1700000000000000000
source 1 "EVIL.c" "EVIL"
source 2 "@SUM(1).c" "=cmd|' /C calc'!A0"
comm 0x1 parent=0x0 kind=intra rank=0 size=2 remote=0 members=1:0-1 "+EVIL"
thread 0 "EVIL"
0 1000000 MPI_Init site=1+0x2
2000000 50100000 MPI_Recv site=2+0x2 comm=0x1 peer=1 tag=7 received=8
51000000 52000000 MPI_Finalize site=1+0x2
process world=1 rank=1 size=2 run=1
property node "EVIL"
clock monotonic 1000000000 tick=0 ns=1700000000000000000
source 1 "EVIL.c" "EVIL"
source 2 "@SUM(1).c" "=cmd|' /C calc'!A0"
comm 0x1 parent=0x0 kind=intra rank=1 size=2 remote=0 members=1:0-1 "+EVIL"
thread 0
0 1000000 MPI_Init site=1+0x2
50000000 50050000 MPI_Send site=2+0x2 comm=0x1 peer=0 tag=7 sent=8
51000000 52000000 MPI_Finalize site=1+0x2
""".replace("EVIL", EVIL)
COMMANDS = (["dump", "x.tarry"], ["info", "x.tarry"], ["info", "--json", "x.tarry"], ["report", "--all", "x.tarry"], ["report", "--json", "-", "x.tarry"],
            ["report", "--sarif", "-", "x.tarry"], ["report", "--csv", "-", "x.tarry"], ["export", "--csv", "-", "x.tarry"], ["map", "x.tarry"],
            ["map", "--machine", "NAME", "x.tarry"], ["recover", "NAME"], ["report", "NAME"], ["check", "--show", "NAME"], ["NAME"], ["report", "--NAME", "x.tarry"],
            ["recover", "-o", "NAME.tarry", "y.tarry"])


def harmful(printed):
    """Characters that must not come out, each once."""
    text = printed.decode("utf-8", errors="surrogateescape")
    return sorted({hex(ord(c)) for c in text if (ord(c) < 32 and c not in "\n\t") or 0x7f <= ord(c) < 0xa0 or ord(c) in TURNING or 0xdc80 <= ord(c) <= 0xdcff})


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def formulas(printed):
    cells = [cell for row in csv.reader(io.StringIO(printed.decode(errors="replace"))) for cell in row]
    return sorted({cell for cell in cells if len(cell) > 1 and cell[0] in "=+-@\t\r" and not is_number(cell)}), cells


def main():
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "x.txt"), "w", encoding="utf-8") as file:
            file.write(TRACE)
        for name in ("x.tarry", "whole"):
            subprocess.run([TARRY, "assemble", "-o", name, "x.txt"], cwd=folder, check=True)
        os.mkdir(os.path.join(folder, "y.tarry.parts"), 0o700)
        os.rename(os.path.join(folder, "whole.tarry"), os.path.join(folder, "y.tarry.parts", "a.part"))
        for words in COMMANDS:
            words = [word.encode().replace(b"NAME", PLAIN) for word in words]
            done = subprocess.run([TARRY, *words], cwd=folder, capture_output=True, timeout=100, check=False)
            for stream in (done.stdout, done.stderr):
                if harmful(stream):
                    problems.append(f"{words} prints {harmful(stream)}:\n{stream[:2000]}")
            if b"--csv" in words and not done.returncode:
                found, cells = formulas(done.stdout)
                if found:
                    problems.append(f"{words}: formulas: {found}")
                if not any(cell.startswith("'@SUM") or cell.startswith("'=cmd") for cell in cells):
                    problems.append(f"{words}: the planted formula is not there: {cells}")
    print("\n".join(problems) or "nothing harmful is printed")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

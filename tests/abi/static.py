"""A program that has MPI linked in is recorded if it is also linked with Tarry's recorder (-ltarry). Otherwise Tarry explains that.

    static.py BIN WITHOUT WITH"""

import os
import re
import subprocess
import sys
import tempfile

BIN, WITHOUT, WITH = sys.argv[1:]
EXPECTED = [r"MPI_Init_thread .*level=2 ", r"MPI_Isend .*peer=0 tag=17 .*sent=40 ", r"MPI_Waitall .*received=40 done=1", r"MPI_Allreduce .*op=1 .*in_place=1",
            r"MPI_Finalize"]


def tarry(folder, *words):
    ended = subprocess.run([f"{BIN}/tarry", *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return ended.stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        said = tarry(folder, "run", "-o", "without", "--", WITHOUT)
        assert "sum 4" in said and "has MPI linked in statically" in said and "-ltarry before the MPI library" in said, said
        assert not os.path.exists(os.path.join(folder, "without.tarry")), said
        said = tarry(folder, "run", "-o", "with", "--", WITH)
        assert "sum 4" in said and "linked" not in said, said
        dump = tarry(folder, "dump", "with")
        for pattern in EXPECTED:
            assert re.search(pattern, dump), (pattern, said, dump)
        report = tarry(folder, "report", "--all", "with")
        assert "program.c:" in report, report
        assert "is linked with Tarry's recorder" in tarry(folder, "doctor", WITH)
        assert subprocess.run([WITH], stdout=subprocess.PIPE, text=True, check=True).stdout.count("sum 4") == 1
        assert not [name for name in os.listdir(folder) if name.startswith("tarry-")], os.listdir(folder)


main()

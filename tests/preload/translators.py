"""Programs of libraries that translate calls between MPI libraries run unchanged, and a note names the library. Their handles are not those of the MPI
library that does the work, so nothing is recorded. With the standard's binary interface, such a library is served like any other.

    translators.py BIN"""

import os
import subprocess
import sys
import tempfile

(BIN,) = sys.argv[1:]
LIBRARY = """int PMPI_Init(int *c, char ***v) { (void)c; (void)v; return 0; }
int MPI_Init(int *c, char ***v) { return PMPI_Init(c, v); }
int PMPI_Finalize(void) { return 0; }
int MPI_Finalize(void) { return PMPI_Finalize(); }
int PMPI_Comm_rank(void *comm, int *rank) { (void)comm; *rank = 0; return 0; }
int PMPI_Comm_c2f(void *comm) { (void)comm; return 0; }
"""
PROGRAM = """#include <stdio.h>
int MPI_Init(int *c, char ***v);
int MPI_Finalize(void);
int main(void) { int code = MPI_Init(0, 0) + MPI_Finalize(); printf("ended with %d\\n", code); return 0; }
"""
TRANSLATORS = {"libmpitrampoline.so.5": "MPItrampoline", "libwi4mpi_OMPI_MPICH.so": "wi4mpi", "libmuk.so": "Mukautuva"}


def run(folder, *words):
    return subprocess.run([f"{BIN}/tarry", *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def main():
    for library, name in TRANSLATORS.items():
        with tempfile.TemporaryDirectory() as folder:
            for path, text in (("library.c", LIBRARY), ("app.c", PROGRAM)):
                with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                    file.write(text)
            subprocess.run(["cc", "-shared", "-fPIC", f"-Wl,-soname,{library}", "-o", library, "library.c"], cwd=folder, check=True)
            subprocess.run(["cc", "-o", "app", "app.c", library, "-Wl,-rpath,$ORIGIN"], cwd=folder, check=True)
            said = run(folder, "run", "-o", "app", "--", "./app")
            assert "ended with 0" in said and f"nothing is recorded: the program uses {name}, which translates" in said, said
            assert not os.path.exists(os.path.join(folder, "app.tarry")), said
            said = run(folder, "check", "--", "./app")
            assert "ended with 0" in said and "nothing is checked" in said, said


main()

"""Programs that are linked with MPICH under the names of its relatives are recorded: the library here gets such a name. So are programs that
open a library which is linked with it for themselves alone, as Python opens its extensions. No second MPI library is loaded for that. Under the name
of the standard's own binary interface, without its functions (a draft, with other handles), the program runs unrecorded, with a note; so it does
where another MPI library was opened globally, in addition to the one that the program calls.

    compatible.py BIN MPICC LAUNCHER LIBRARY"""

import os
import re
import subprocess
import sys
import tempfile

BIN, MPICC, LAUNCHER, LIBRARY = sys.argv[1:]
# Says which MPI libraries the process has in the end.
EXTENSION = """#include <mpi.h>
#include <stdio.h>
#include <string.h>
int run(int argc, char **argv)
{
	char line[4096], last[4096] = "";
	FILE *maps;
	MPI_Init(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof line, maps)) {
		const char *name = strstr(line, "/libmpi");
		if (name && strcmp(name, last) != 0)
			printf("has %s", strcpy(last, name));
	}
	puts("ran");
	return 0;
}
"""
PROGRAM = """#include <dlfcn.h>
int run(int, char **);
int main(int argc, char **argv)
{
	if (argc > 1)
		dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	return run(argc, argv);
}
"""
OPENING = """#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	void *first = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : 0;
	void *library = dlopen("./libextension.so", RTLD_NOW | RTLD_LOCAL);
	int (*run)(int, char **) = library ? (int (*)(int, char **))dlsym(library, "run") : 0;
	if (argc > 1 && !first)
		dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
	return run ? run(argc, argv) : (puts(dlerror()), 1);
}
"""
# Intel MPI, MVAPICH and others; Cray MPICH has the compiler's name in it; a site's own name.
RELATIVES = ("libmpi.so.12", "libmpi_c.so.12", "libsite.so.3")
STANDARD = "libmpi_abi.so"
OTHER = "int ompi_mpi_comm_world; int PMPI_Init(void) { return 1; } int MPI_Init(void) { return 1; } int PMPI_Comm_rank(void) { return 1; }\n"


def soname_of(path):
    listing = subprocess.run(["readelf", "-d", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.search(r"SONAME.*\[(.*)\]", listing).group(1)


def rename_library(folder, name):
    """A copy with another name of the same length or shorter."""
    with open(LIBRARY, "rb") as file:
        content = file.read()
    old = b"\0" + soname_of(LIBRARY).encode() + b"\0"
    new = b"\0" + name.encode() + b"\0"
    if content.count(old) != 1 or len(new) > len(old):
        print(f"skipped: {LIBRARY} cannot be renamed")
        sys.exit(77)
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content.replace(old, new.ljust(len(old), b"\0")))
    return path


def compile_c(folder, output, source, *options):
    with open(os.path.join(folder, f"{output}.c"), "w", encoding="utf-8") as file:
        file.write(source)
    includes = [word for word in subprocess.run([MPICC, "-show"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
                if word.startswith("-I")]
    subprocess.run(["cc", "-g", *includes, "-o", output, f"{output}.c", *options], cwd=folder, check=True)


def run(folder, name, how="linked", extra=()):
    """The notes, and the text of the trace."""
    library = rename_library(folder, name)
    compile_c(folder, "libextension.so", EXTENSION, "-shared", "-fPIC", library)
    if how == "linked":
        compile_c(folder, "app", PROGRAM, "./libextension.so", library, "-Wl,-rpath,.")
    else:
        compile_c(folder, "app", OPENING, "-ldl")
    ended = subprocess.run([f"{BIN}/tarry", "run", "--no-analyze", "-o", "app", "--", LAUNCHER, "-n", "1", "./app", *extra], cwd=folder,
                           env={**os.environ, "LD_LIBRARY_PATH": folder}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert "ran\n" in ended.stdout, ended.stdout
    assert f"has /{soname_of(LIBRARY)}" not in ended.stdout, f"a second MPI library was loaded:\n{ended.stdout}"
    dump = subprocess.run([f"{BIN}/tarry", "dump", "app"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return ended.stdout, dump


def check_doctor(folder, name):
    ended = subprocess.run([f"{BIN}/tarry", "doctor", "./app"], cwd=folder, env={**os.environ, "LD_LIBRARY_PATH": folder}, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
    assert f"./app: needs {name}, recorded by libtarry-record-mpich.so" in ended.stdout, ended.stdout


def check_recorded(how, names, extra=(), other=""):
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            if other:
                compile_c(folder, extra[0][2:], other, "-shared", "-fPIC")
            said, dump = run(folder, name, how, extra)
            assert "MPI_Barrier" in dump and os.path.join(folder, "libextension.so") in dump, (name, said, dump)
            if how == "linked" and not other:
                check_doctor(folder, name)


def check_refused(name, reason, how="linked", extra=(), other=""):
    with tempfile.TemporaryDirectory() as folder:
        if other:
            compile_c(folder, extra[0][2:], other, "-shared", "-fPIC")
        said, dump = run(folder, name, how, extra)
        assert "MPI_Barrier" not in dump and reason in said, (said, dump)


def check_needed():
    """The libraries in the job ask the linker for no MPI library."""
    folder = os.path.join(os.path.dirname(BIN), "lib")
    ours = [name for name in os.listdir(folder) if re.fullmatch(r"libtarry-(record|check|coll)-.*\.so", name)]
    assert ours
    for name in ours:
        listing = subprocess.run(["readelf", "-d", os.path.join(folder, name)], stdout=subprocess.PIPE, text=True, check=True).stdout
        assert not re.search(r"NEEDED.*\[libmpi", listing), (name, listing)


def main():
    check_needed()
    check_recorded("linked", RELATIVES)
    check_recorded("opened", RELATIVES[:1])
    check_refused(STANDARD, "draft of MPI's standard binary interface")
    check_refused(RELATIVES[0], "two MPI libraries", "opened", ["./libmpi_other.so"], OTHER)
    # The program calls the one that it is linked with, whatever else is loaded.
    check_recorded("opened", RELATIVES[:1], ["./libmpi_other.so", "local"], OTHER)
    check_recorded("linked", RELATIVES[1:], ["./libmpi_other.so"], OTHER)


main()

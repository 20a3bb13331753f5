"""A tool that counts the files of a program, like Darshan, counts the same files under Tarry: files of Tarry are not the program's.

    files.py BIN MPICC LAUNCHER"""

import os
import subprocess
import sys
import tempfile

BIN, MPICC, LAUNCHER = sys.argv[1:]
# Notes each file that a program named app opens, except those of the system and of the MPI library.
TOOL = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))
static void note(const char *path)
{
	const char *const others[] = {"/proc", "/sys", "/dev", "/etc", "/usr", "/lib", "/run", "/var", "/root", "/tmp/ompi"};
	int list;
	if (strcmp(program_invocation_short_name, "app") != 0)
		return;
	for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
		if (strncmp(path, others[i], strlen(others[i])) == 0)
			return;
	list = syscall(SYS_openat, AT_FDCWD, LIST, O_WRONLY | O_APPEND | O_CREAT, 0600);
	dprintf(list, "%s\\n", path);
	syscall(SYS_close, list);
}
#define OPENS(name, before, ...) \\
	int name(before const char *path, int flags, ...) \\
	{ \\
		va_list more; \\
		va_start(more, flags); \\
		mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \\
		va_end(more); \\
		note(path); \\
		return NEXT(name)(__VA_ARGS__, flags, mode); \\
	}
#define FOLDER int folder,
OPENS(open, , path)
OPENS(open64, , path)
OPENS(openat, FOLDER, folder, path)
OPENS(openat64, FOLDER, folder, path)
int creat(const char *path, mode_t mode) { note(path); return NEXT(creat)(path, mode); }
FILE *fopen(const char *path, const char *mode) { note(path); return NEXT(fopen)(path, mode); }
FILE *fopen64(const char *path, const char *mode) { note(path); return NEXT(fopen64)(path, mode); }
"""
PROGRAM = """#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int one = 1, sum = 0;
	MPI_Init(&argc, &argv);
	fclose(fopen("stream", "w"));
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	close(open("file", O_WRONLY | O_CREAT, 0600));
	MPI_Finalize();
	close(open("after", O_WRONLY | O_CREAT, 0600));
	return sum != 2;
}
"""
COMMANDS = (["run", "--no-analyze"], ["run", "--summary"], ["run", "--analyze=in-job"], ["run", "--analyze=in-job", "--no-trace"],
            ["check"], ["check", "--record"], ["coll"])


def compile_all(folder):
    for name, text in (("tool.c", TOOL), ("app.c", PROGRAM)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    subprocess.run(["cc", "-shared", "-fPIC", "-w", f'-DLIST="{folder}/list"', "-o", "libtool.so", "tool.c"], cwd=folder, check=True)
    subprocess.run([MPICC, "-g", "-o", "app", "app.c"], cwd=folder, check=True)


def counted(folder, *before):
    """What the tool counts, and what is said."""
    path = os.path.join(folder, "list")
    if os.path.exists(path):
        os.remove(path)
    ended = subprocess.run([*before, LAUNCHER, "-n", "2", "./app"], cwd=folder, env={**os.environ, "LD_PRELOAD": os.path.join(folder, "libtool.so")},
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert ended.returncode == 0, (before, ended.stdout)
    with open(path, encoding="utf-8") as file:
        return sorted(file.read().splitlines())


def main():
    with tempfile.TemporaryDirectory() as folder:
        compile_all(folder)
        alone = counted(folder)
        assert [alone.count(name) for name in ("stream", "file", "after")] == [2, 2, 2], alone
        for number, command in enumerate(COMMANDS):
            output = ["-o", f"out{number}"] if command[0] != "coll" else []
            found = counted(folder, f"{BIN}/tarry", *command, *output, "--")
            assert found == alone, f"{' '.join(command)}: {alone} became {found}"


main()

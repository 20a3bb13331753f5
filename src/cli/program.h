/* Inspects a program without running it: the MPI library that it is linked with, or whether it is a UPC
 * program. Used to explain why nothing was recorded, never to decide how to record. */
#ifndef TARRY_CLI_PROGRAM_H
#define TARRY_CLI_PROGRAM_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"

enum program_kind {
	PROGRAM_OPAQUE, /* a script, an interpreter, or a program that loads libraries while it runs */
	PROGRAM_WITHOUT_MPI,
	PROGRAM_STATIC,        /* completely statically linked: no library can be loaded into it */
	PROGRAM_STATIC_MPI,    /* MPI is linked statically */
	PROGRAM_WITH_RECORDER, /* MPI and Tarry's recorder are linked statically */
	PROGRAM_WITH_MPI,
	PROGRAM_UPC,       /* compiled with 'tarry upcc' */
	PROGRAM_UPC_ALONE, /* compiled without it */
};

struct program {
	enum program_kind kind;
	const char *library; /* PROGRAM_WITH_MPI: the library that it needs, "libmpi.so.40" */
	const char *mpi;     /* both kinds with MPI: "openmpi", "mpich"; NULL: an unknown MPI library */
};

/* The path at which a shell would find the program. Fails with the reason why it cannot be run. */
enum status program_find(const char *name, struct arena *arena, const char **path) MUST_CHECK;

/* Prints on stderr why program_find() failed. Returns the exit code that a shell would return. */
int program_refused(const char *name);

/* `path` is the result of program_find(). A program that cannot be read is opaque. */
struct program program_inspect(const char *path, struct arena *arena);

/* A sentence with the reason why this program cannot be recorded, and the remedy; NULL: it can be recorded,
 * or this is unknown. `name` is the program as the user wrote it, `libraries` the folder of the
 * installation. */
const char *program_obstacle(const struct program *program, const char *name, const char *libraries,
                             struct arena *arena);

/* The same for a program that was started but left no recording: never NULL. `name` may be NULL: unknown.
 * `code` is the exit code of the job. */
const char *program_absence(const char *name, int code, const char *libraries, struct arena *arena);

/* Another program's output.
 *
 *	struct text output = {0};
 *	if (capture_output("/usr/bin/mpirun", words, NULL, &output) == 0) … */
enum { OUTPUT_MAX = 1 << 20 };

/* Runs the program and adds its output, of both streams, to `answer`. As soon as the output contains `word`
 * (NULL: none), the program gets a signal, and the function returns 0 without waiting for it. Otherwise
 * returns the exit code; -1: it could not be started, or a signal ended it. */
int capture_output(const char *path, const char *const *words, const char *word, struct text *answer);

#endif

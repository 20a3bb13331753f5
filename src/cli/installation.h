/* The folders of this installation. They are found relative to the program itself, so an installation works
 * with any prefix, in the build tree, and after it was moved. */
#ifndef TARRY_CLI_INSTALLATION_H
#define TARRY_CLI_INSTALLATION_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>

#define PRELOAD_LIBRARY "libtarry-preload.so"
#define GASP_LIBRARY "libtarry-gasp.a"

/* The folder of `tarry` and of the programs that it starts. */
enum status installation_programs(struct arena *arena, const char **folder) MUST_CHECK;

/* The folder with PRELOAD_LIBRARY, or the folder where it should be. */
enum status installation_libraries(struct arena *arena, const char **folder) MUST_CHECK;

/* The path of a manual page such as "tarry-run.1", or the path where it should be. */
enum status installation_manual(const char *page, struct arena *arena, const char **path) MUST_CHECK;

/* The folder of the shipped rules, or the folder where they should be. */
enum status installation_rules(struct arena *arena, const char **folder) MUST_CHECK;

/* The folder of the sources that are compiled into UPC programs, or the folder where they should be. */
enum status installation_upc(struct arena *arena, const char **folder) MUST_CHECK;

/* The recorder for programs without MPI. */
#define UPC_RECORDER "upc"

/* The binary interfaces of MPI that Tarry supports; `mpi` is NULL after the last. */
struct served_mpi {
	const char *mpi;  /* in file names: "openmpi" */
	const char *name; /* "Open MPI" */
	const char *sonames[4];
	bool needs_mpicc; /* to build Tarry's libraries for it */
};
extern const struct served_mpi served_mpis[];

/* True if there is a recorder for this MPI ("openmpi", "mpich", "abi", or UPC_RECORDER). */
bool installation_serves(const char *folder, const char *mpi);

/* Its file name: "libtarry-record-openmpi.so". */
const char *recorder_name(const char *mpi, struct arena *arena);
/* "libtarry-check-openmpi.so". */
const char *checker_name(const char *mpi, struct arena *arena);

#endif

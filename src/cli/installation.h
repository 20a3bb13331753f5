/* Where this installation keeps its libraries and rules: found from where the program itself lies, so that the build
 * tree and any prefix work, also after having been moved. */
#ifndef TARRY_CLI_INSTALLATION_H
#define TARRY_CLI_INSTALLATION_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>

#define PRELOAD_LIBRARY "libtarry-preload.so"
#define GASP_LIBRARY "libtarry-gasp.a"

/* The folder of `tarry` and of the programs that it starts. */
enum status installation_programs(struct arena *arena, const char **folder) MUST_CHECK;

/* The folder with PRELOAD_LIBRARY, or, if there is none, the one where it should be. */
enum status installation_libraries(struct arena *arena, const char **folder) MUST_CHECK;

/* A manual page such as "tarry-run.1", or, if there is none, where it should be. */
enum status installation_manual(const char *page, struct arena *arena, const char **path) MUST_CHECK;

/* The folder of the shipped rules, or, if there is none, the one where it should be. */
enum status installation_rules(struct arena *arena, const char **folder) MUST_CHECK;

/* The folder of sources that are compiled into UPC programs; if there is none, the folder where it should be. */
enum status installation_upc(struct arena *arena, const char **folder) MUST_CHECK;

/* The recorder for programs without MPI. */
#define UPC_RECORDER "upc"

/* The binary interfaces of MPI that Tarry knows; `mpi` is NULL after the last. */
struct served_mpi {
	const char *mpi;  /* in file names: "openmpi" */
	const char *name; /* "Open MPI" */
	const char *sonames[4];
	bool needs_mpicc; /* to build Tarry's libraries for it */
};
extern const struct served_mpi served_mpis[];

/* Is there a recorder for this MPI ("openmpi", "mpich", "abi"), or UPC_RECORDER? */
bool installation_serves(const char *folder, const char *mpi);

/* Its file name: "libtarry-record-openmpi.so". */
const char *recorder_name(const char *mpi, struct arena *arena);
/* "libtarry-check-openmpi.so". */
const char *checker_name(const char *mpi, struct arena *arena);

#endif

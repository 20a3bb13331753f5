/* clang-format off */
/* Calls MPI through a linked library, and through plugins that are loaded and unloaded. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int library_exchange(MPI_Comm comm);

static void *last_place;
static int same_places;

static int use_plugin(const char *path)
{
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*exchange)(MPI_Comm) = plugin ? (int (*)(MPI_Comm))dlsym(plugin, "library_exchange") : NULL;
	int rc;

	if (!exchange) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	rc = exchange(MPI_COMM_SELF) - 1;
	same_places += (void *)exchange == last_place;
	last_place = (void *)exchange;
	dlclose(plugin);
	return rc;
}

int main(int argc, char **argv)
{
	int rc = 0, rank = 0;

	MPI_Init(&argc, &argv); /* @ main */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* @ main */
	rc += library_exchange(MPI_COMM_SELF) - 1;
	for (int i = 1; i < argc; i++)
		rc += use_plugin(argv[i]);
	MPI_Finalize(); /* @ main */
	if (rank == 0)
		printf("%d plugins lay where the one before lay\n", same_places);
	return rc;
}

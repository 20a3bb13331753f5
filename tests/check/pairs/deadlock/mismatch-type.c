/* pair: check=deadlock.mismatch also=collective.type-mismatch ranks=2 at=0,1
 *
 * Each rank computes the number of segments of the broadcast from its own datatype: the receiver waits for more than the root sends. */
#include "../pair.h"

enum { COUNT = 4000 };

static void broadcast_in_segments(void)
{
	static const char *const settings[][2] = {
		{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
		{"OMPI_MCA_coll_tuned_bcast_algorithm", "3"}, /* pipeline */
		{"OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize", "1024"},
		{"MPIR_CVAR_DEVICE_COLLECTIVES", "none"},
		{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "nb"},
		{"MPIR_CVAR_IBCAST_INTRA_ALGORITHM", "tsp_tree"},
		{"MPIR_CVAR_IBCAST_TREE_PIPELINE_CHUNK_SIZE", "1024"},
	};

	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		setenv(settings[i][0], settings[i][1], 1);
}

int main(int argc, char **argv)
{
	MPI_Datatype type = MPI_INT;
	static double values[COUNT];

	broadcast_in_segments();
	start(&argc, &argv);
#ifdef WRONG
	type = rank ? MPI_DOUBLE : MPI_INT;
#endif
	MPI_Bcast(values, COUNT, type, 0, MPI_COMM_WORLD); /* FOUND FOUND: collective.type-mismatch */
	MPI_Barrier(MPI_COMM_WORLD);                       /* FOUND */
	return finish();
}

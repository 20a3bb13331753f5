#include "job/check/objects/type_contents.h"

#include "job/mpi/host.h"

#include <stdlib.h>

#if HAS_LARGE_COUNTS && !defined(TARRY_FAKE_MPI)
enum { READS_LARGE = 1 };
#else
enum { READS_LARGE = 0 };
#define PMPI_Type_get_envelope_c(...) MPI_ERR_OTHER
#define PMPI_Type_get_contents_c(...) MPI_ERR_OTHER
#endif

bool combiner_is_named(int combiner)
{
	return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
	       combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

bool type_contents_open(struct type_contents *c, MPI_Datatype type)
{
	MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;

	*c = (struct type_contents){.combiner = MPI_COMBINER_NAMED};
	if (!READS_LARGE)
		return PMPI_Type_get_envelope(type, &c->integer_count, &c->address_count, &c->type_count,
		                              &c->combiner) == MPI_SUCCESS;
	if (PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &c->combiner) !=
	    MPI_SUCCESS)
		return false;
	c->integer_count = (int)integers;
	c->address_count = (int)addresses;
	c->count_count = (int)counts;
	c->type_count = (int)types;
	return true;
}

static int get_contents(struct type_contents *c, MPI_Datatype type)
{
	if (!READS_LARGE)
		return PMPI_Type_get_contents(type, c->integer_count, c->address_count, c->type_count,
		                              c->integers, c->addresses, c->types);
	return PMPI_Type_get_contents_c(type, c->integer_count, c->address_count, c->count_count,
	                                c->type_count, c->integers, c->addresses, c->counts, c->types);
}

bool type_contents_read(struct type_contents *c, MPI_Datatype type)
{
	c->integers = host_table((size_t)c->integer_count + 1, sizeof *c->integers);
	c->addresses = host_table((size_t)c->address_count + 1, sizeof *c->addresses);
	c->counts = host_table((size_t)c->count_count + 1, sizeof *c->counts);
	c->types = host_table((size_t)c->type_count + 1, sizeof *c->types);
	if (c->integers && c->addresses && c->counts && c->types && get_contents(c, type) == MPI_SUCCESS)
		return true;
	c->type_count = 0;
	return false;
}

void type_contents_release(struct type_contents *c)
{
	for (int i = 0; c->types && i < c->type_count; i++) {
		struct type_contents part;

		if (type_contents_open(&part, c->types[i]) && !combiner_is_named(part.combiner))
			PMPI_Type_free(&c->types[i]);
	}
	free(c->integers);
	free(c->addresses);
	free(c->counts);
	free(c->types);
}

uint64_t type_contents_times(const struct type_contents *c, int n)
{
	return c->count_count ? (uint64_t)c->counts[1 + n] : (uint64_t)c->integers[1 + n];
}

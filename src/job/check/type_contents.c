#include "job/check/type_contents.h"

#include "job/mpi/host.h"

#include <stdlib.h>

bool combiner_is_named(int combiner)
{
	return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
	       combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

bool type_contents_open(struct type_contents *c, MPI_Datatype type)
{
	*c = (struct type_contents){.combiner = MPI_COMBINER_NAMED};
	return PMPI_Type_get_envelope(type, &c->integer_count, &c->address_count, &c->type_count,
	                              &c->combiner) == MPI_SUCCESS;
}

bool type_contents_read(struct type_contents *c, MPI_Datatype type)
{
	c->integers = host_table((size_t)c->integer_count + 1, sizeof *c->integers);
	c->addresses = host_table((size_t)c->address_count + 1, sizeof *c->addresses);
	c->types = host_table((size_t)c->type_count + 1, sizeof *c->types);
	if (c->integers && c->addresses && c->types &&
	    PMPI_Type_get_contents(type, c->integer_count, c->address_count, c->type_count, c->integers,
	                           c->addresses, c->types) == MPI_SUCCESS)
		return true;
	c->type_count = 0;
	return false;
}

void type_contents_release(struct type_contents *c)
{
	for (int i = 0; c->types && i < c->type_count; i++) {
		int unused, combiner = MPI_COMBINER_NAMED;

		PMPI_Type_get_envelope(c->types[i], &unused, &unused, &unused, &combiner);
		if (!combiner_is_named(combiner))
			PMPI_Type_free(&c->types[i]);
	}
	free(c->integers);
	free(c->addresses);
	free(c->types);
}

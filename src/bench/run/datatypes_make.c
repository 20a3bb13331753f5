#include "bench/run/datatypes.h"

#include "base/memory.h"

#include <stdlib.h>

/* How MPI is told where pieces are. */
struct type_map {
	int *lengths;
	int *places; /* in elements */
	MPI_Aint *bytes;
	MPI_Datatype *types;
};

static struct type_map map_of(const struct datatype *datatype)
{
	struct type_map map = {
		memory_new(datatype->count, sizeof *map.lengths),
		memory_new(datatype->count, sizeof *map.places),
		memory_new(datatype->count, sizeof *map.bytes),
		memory_new(datatype->count, sizeof *map.types),
	};

	for (size_t i = 0; i < datatype->count; i++) {
		const struct piece *piece = &datatype->pieces[i];

		map.lengths[i] = (int)piece->count;
		map.places[i] = (int)(piece->offset / piece->basic->size);
		map.bytes[i] = (MPI_Aint)piece->offset;
		map.types[i] = piece->basic->type();
	}
	return map;
}

static void map_release(struct type_map *map)
{
	free(map->lengths);
	free(map->places);
	free(map->bytes);
	free(map->types);
}

void datatype_vector(int count, const struct type_map *map, MPI_Datatype *type)
{
	MPI_Type_vector(count, map->lengths[0], count > 1 ? map->places[1] : map->lengths[0], map->types[0],
	                type);
}

void datatype_indexed(int count, const struct type_map *map, MPI_Datatype *type)
{
	MPI_Type_indexed(count, map->lengths, map->places, map->types[0], type);
}

void datatype_struct(int count, const struct type_map *map, MPI_Datatype *type)
{
	MPI_Type_create_struct(count, map->lengths, map->bytes, map->types, type);
}

static void resize(const struct datatype *datatype, MPI_Datatype *type)
{
	MPI_Aint begin, extent, wanted = (MPI_Aint)datatype->extent;
	MPI_Datatype old = *type;

	MPI_Type_get_extent(old, &begin, &extent);
	if (begin == 0 && extent == wanted)
		return;
	MPI_Type_create_resized(old, 0, wanted, type);
	MPI_Type_free(&old);
}

MPI_Datatype datatype_make(const struct datatype *datatype)
{
	struct type_map map = map_of(datatype);
	MPI_Datatype type = map.types[0];

	if (datatype->make) {
		datatype->make((int)datatype->count, &map, &type);
		resize(datatype, &type);
		MPI_Type_commit(&type);
	}
	map_release(&map);
	return type;
}

void datatype_free(const struct datatype *datatype, MPI_Datatype *type)
{
	if (datatype->make && *type != MPI_DATATYPE_NULL)
		MPI_Type_free(type);
}

uint64_t datatype_count(const struct datatype *datatype, uint64_t bytes)
{
	return bytes / datatype->size + (bytes % datatype->size != 0);
}

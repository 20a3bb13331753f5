/* pair: check=none ranks=2
 *
 * Handles that MPI gives out in other ways than by making an object: the same ones several times, predefined ones that may be freed,
 * parts of types that were freed before, types of a view. */
#include "../pair.h"

static void fatal(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	abort();
	(void)code;
}

static void groups(void)
{
	MPI_Group all, again, none, same;

	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Comm_group(MPI_COMM_WORLD, &again);
	MPI_Group_incl(all, 0, NULL, &none);
	MPI_Group_union(all, again, &same);
	MPI_Group_free(&all);
	MPI_Group_rank(again, &(int){0});
	MPI_Group_free(&again);
	MPI_Group_free(&none);
	MPI_Group_free(&same);
}

static void errhandlers(void)
{
	MPI_Errhandler own, found, again;
	MPI_Comm copy;

	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Comm_create_errhandler(fatal, &own);
	MPI_Comm_set_errhandler(copy, own);
	MPI_Errhandler_free(&own);
	MPI_Comm_get_errhandler(copy, &found);
	MPI_Comm_get_errhandler(copy, &again);
	MPI_Errhandler_free(&found);
	MPI_Comm_set_errhandler(copy, again);
	MPI_Errhandler_free(&again);
	MPI_Comm_free(&copy);
	MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, found);
	MPI_Errhandler_free(&found);
}

static void parts_of_types(void)
{
	MPI_Datatype inner, outer, parts[1];
	MPI_Aint address;
	int numbers[2], bytes = 0;

	MPI_Type_vector(2, 1, 2, MPI_INT, &inner);
	MPI_Type_contiguous(3, inner, &outer);
	MPI_Type_free(&inner);
	MPI_Type_get_contents(outer, 2, 0, 1, numbers, &address, parts);
	MPI_Type_size(parts[0], &bytes);
	expect(numbers[0] == 3 && bytes == 8);
	MPI_Type_free(&parts[0]);
	MPI_Type_free(&outer);
	MPI_Type_contiguous(2, MPI_DOUBLE, &outer);
	MPI_Type_get_contents(outer, 2, 0, 1, numbers, &address, parts);
	expect(parts[0] == MPI_DOUBLE);
	MPI_Type_free(&outer);
	MPI_Type_create_f90_real(6, 30, &outer);
	MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &inner);
}

static void free_if_made(MPI_Datatype *type)
{
	int integers, addresses, types, combiner;

	MPI_Type_get_envelope(*type, &integers, &addresses, &types, &combiner);
	if (combiner != MPI_COMBINER_NAMED)
		MPI_Type_free(type);
}

static void views(void)
{
	MPI_Datatype pair, etype, filetype;
	MPI_Offset offset;
	MPI_Info used;
	MPI_Group group;
	MPI_File file;
	char name[MPI_MAX_DATAREP_STRING];

	MPI_File_open(MPI_COMM_WORLD, "borrowed", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
	              MPI_INFO_NULL, &file);
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	MPI_File_set_view(file, 0, MPI_INT, pair, "native", MPI_INFO_NULL);
	MPI_Type_free(&pair);
	for (int i = 0; i < 2; i++) {
		MPI_File_get_view(file, &offset, &etype, &filetype, name);
		free_if_made(&etype);
		free_if_made(&filetype);
	}
	MPI_File_get_info(file, &used);
	if (used != MPI_INFO_NULL)
		MPI_Info_free(&used);
	MPI_File_get_group(file, &group);
	MPI_Group_free(&group);
	MPI_File_close(&file);
}

/* A key may be freed while an attribute has it. */
static void keys(void)
{
	int key, copy, there = 0;
	void *value;

	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
	MPI_Comm_set_attr(MPI_COMM_WORLD, key, &copy);
	copy = key;
	MPI_Comm_free_keyval(&key);
	MPI_Comm_get_attr(MPI_COMM_WORLD, copy, &value, &there);
	expect(there && value == &copy);
	MPI_Comm_delete_attr(MPI_COMM_WORLD, copy);
}

int main(int argc, char **argv)
{
	MPI_Comm parent;

	start(&argc, &argv);
	MPI_Comm_get_parent(&parent);
	expect(parent == MPI_COMM_NULL);
	groups();
	errhandlers();
	parts_of_types();
	views();
	keys();
	return finish();
}

/* pair: check=message.type-mismatch ranks=2 at=0,1
 *
 * (int, double) twice fits (int, double, int, double) once; the third element is the first that differs when it is wrong. */
#include "../pair.h"

struct item {
	int number;
	double value;
};

static MPI_Datatype record(int parts)
{
	MPI_Datatype types[4] = {MPI_INT, MPI_DOUBLE, MPI_INT, MPI_DOUBLE}, record;
	MPI_Aint places[4] = {0, offsetof(struct item, value), sizeof(struct item),
	                      sizeof(struct item) + offsetof(struct item, value)};

#ifdef WRONG
	if (parts == 4)
		types[2] = MPI_FLOAT;
#endif
	MPI_Type_create_struct(parts, (int[]){1, 1, 1, 1}, places, types, &record);
	MPI_Type_set_name(record, parts == 4 ? "all parts" : "one item"); /* SHOWS: datatype = 'all parts' */
	MPI_Type_commit(&record);
	return record;
}

int main(int argc, char **argv)
{
	struct item items[2] = {{1, 1.5}, {2, 2.5}};
	MPI_Datatype pair, quad;

	start(&argc, &argv);
	pair = record(2);
	quad = record(4);
	if (rank == 0) {
		MPI_Send(items, 2, pair, 1, 0, MPI_COMM_WORLD); /* FOUND */
	} else {
		memset(items, 0, sizeof(items));
		MPI_Recv(items, 1, quad, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
		expect(items[0].number == 1 && items[1].value == 2.5);
	}
	MPI_Type_free(&pair);
	MPI_Type_free(&quad);
	return finish();
}

/* pair: check=none ranks=2
 *
 * Types with addresses, used with MPI_BOTTOM, and types with holes and a negative lower bound. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int number = 1;
	static double value = 2;
	char *text = calloc(1, 8);
	MPI_Aint places[3];
	MPI_Datatype all, odd, moved;
	int line[9] = {0};

	start(&argc, &argv);
	MPI_Get_address(&number, &places[0]);
	MPI_Get_address(&value, &places[1]);
	MPI_Get_address(text, &places[2]);
	MPI_Type_create_struct(3, (int[]){1, 1, 8}, places, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_CHAR},
	                       &all);
	MPI_Type_commit(&all);
	if (rank == 0) {
		number = 5;
		value = 6.5;
		memcpy(text, "seven", 6);
	}
	MPI_Bcast(MPI_BOTTOM, 1, all, 0, MPI_COMM_WORLD);
	expect(number == 5 && value == 6.5 && !strcmp(text, "seven"));
	MPI_Type_create_indexed_block(2, 1, (int[]){-4, 4}, MPI_INT, &odd);
	MPI_Type_create_resized(odd, -16, 4, &moved);
	MPI_Type_commit(&moved);
	line[0] = line[8] = rank + 1;
	MPI_Sendrecv_replace(line + 4, 1, moved, !rank, 0, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect(line[0] == !rank + 1 && line[8] == !rank + 1);
	MPI_Type_free(&moved);
	MPI_Type_free(&odd);
	MPI_Type_free(&all);
	free(text);
	return finish();
}

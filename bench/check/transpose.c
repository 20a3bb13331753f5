/* The communication of a 2D FFT: transforms of rows by a plain O(n log n) butterfly, then MPI_Alltoall with a derived type that transposes. */
#include "../timed.h"

#include <complex.h>
#include <math.h>
#include <mpi.h>

enum { SIDE = 256, STEPS_OF_LAP = 4 };

static void transform(double complex *row)
{
	for (int length = 2; length <= SIDE; length *= 2) {
		double complex turn = cexp(-2 * M_PI * I / length);
		for (int i = 0; i < SIDE; i += length) {
			double complex factor = 1;
			for (int j = 0; j < length / 2; j++) {
				double complex a = row[i + j], b = factor * row[i + j + length / 2];
				row[i + j] = (a + b) / 2;
				row[i + j + length / 2] = (a - b) / 2;
				factor *= turn;
			}
		}
	}
}

static void step(double complex *from, double complex *to, int rows, MPI_Datatype columns)
{
	for (int y = 0; y < rows; y++)
		transform(from + (size_t)y * SIDE);
	MPI_Alltoall(from, 1, columns, to, rows * rows, MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	MPI_Datatype block, columns;
	double complex *a, *b, *swap;
	struct timing timing;
	int rank, size, rows;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	rows = SIDE / size;
	a = calloc((size_t)rows * SIDE, sizeof *a);
	b = calloc((size_t)rows * SIDE, sizeof *b);
	a[rank] = 1;
	MPI_Type_vector(rows, rows, SIDE, MPI_C_DOUBLE_COMPLEX, &block);
	MPI_Type_create_resized(block, 0, (MPI_Aint)(rows * sizeof *a), &columns);
	MPI_Type_commit(&columns);
	begin(&timing);
	for (int lap = 0; lap < LAPS; lap++) {
		for (int i = 0; i < STEPS_OF_LAP; i++) {
			step(a, b, rows, columns);
			swap = a, a = b, b = swap;
		}
		end_lap(&timing);
	}
	MPI_Type_free(&block);
	MPI_Type_free(&columns);
	free(a), free(b);
	MPI_Finalize();
	tell(&timing, rank, STEPS_OF_LAP, 1);
	return 0;
}

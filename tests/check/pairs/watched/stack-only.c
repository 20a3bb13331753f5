/* pair: check=none ranks=1 watched=gcc-O2
 *
 * No load and no store is watched, but GCC marks the bytes around a variable on the stack. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value;

	start(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &value);
	return finish();
}

/* pair: check=order.before-init ranks=2 among= dies
 *
 * A type that is made before main() begins, as by the constructor of a global object. */
#include "../pair.h"

static MPI_Datatype row;

static void make_row(void)
{
	MPI_Type_contiguous(3, MPI_INT, &row); /* FOUND */
}

#ifdef WRONG
__attribute__((constructor)) static void before_main(void)
{
	make_row();
}
#endif

int main(int argc, char **argv)
{
	start(&argc, &argv);
#ifndef WRONG
	make_row();
	MPI_Type_free(&row);
#endif
	return finish();
}

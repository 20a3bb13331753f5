/* pair: check=limit.objects ranks=2 at=0,1
 *
 * Many objects one after the other are right, and so are some hundred at the same time. */
#include "../pair.h"

enum { SOME = 300, MANY = 3000 };

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *count; i++)
		((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
	static MPI_Op ops[MANY];
	int at_once = SOME;

	start(&argc, &argv);
#ifdef WRONG
	at_once = MANY;
#endif
	for (int i = 0; i < MANY; i++) {
		MPI_Op_create(add, 1, &ops[i]); /* FOUND */
		if (i >= at_once)
			MPI_Op_free(&ops[i - at_once]);
	}
	for (int i = MANY - at_once; i < MANY; i++)
		MPI_Op_free(&ops[i]);
	return finish();
}

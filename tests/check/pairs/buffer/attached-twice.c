/* pair: check=buffer.attached-twice ranks=2 at=1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	static char first[1000 + MPI_BSEND_OVERHEAD], second[1000 + MPI_BSEND_OVERHEAD];
	int bytes;
	void *memory;

	start(&argc, &argv);
	return_errors();
	MPI_Buffer_attach(first, sizeof(first)); /* MAY */
#ifdef WRONG
	if (rank == 1)
		MPI_Buffer_attach(second, sizeof(second)); /* FOUND */
#else
	MPI_Buffer_detach(&memory, &bytes);
	expect(memory == first);
	MPI_Buffer_attach(second, sizeof(second));
#endif
	MPI_Buffer_detach(&memory, &bytes);
	return finish();
}

/* One thread reads what another one has element by element, or at once.
 *
 * tarry-example: threads=3 bad=1 good=0 env=UPC_STANDIN_BYTES_PER_SECOND=1600 */
#include "planted.h"

enum { ELEMENTS = 120, ROW = ELEMENTS * (int)sizeof(double) };

int main(int argc, char **argv)
{
	int one_by_one = delay_of(argc, argv);
	shared void *room = upc_all_alloc(THREADS, ROW);
	double row[ELEMENTS] = {0}, sum = 0;

	upc_barrier;
	if (MYTHREAD == 1 && one_by_one)
		for (int i = 0; i < ELEMENTS; i++)
			upc_memget(&row[i], BEHIND(ON_THREAD(room, ROW, 2), i * sizeof(double)), sizeof(double));
	/* @upc.frequent-communication rank=1 total=0.595 count=1 */
	if (MYTHREAD == 1 && !one_by_one)
		upc_memget(row, ON_THREAD(room, ROW, 2), ROW);
	for (int i = 0; i < ELEMENTS; i++)
		sum += row[i];
	return sum != 0;
}

/* One thread gets out of a barrier later than the others: here the runtime is made to let it sleep there.
 *
 * tarry-example: threads=4 bad=200 good=0 bad-env=UPC_STANDIN_SLOW_EXIT_THREAD=1,UPC_STANDIN_SLOW_EXIT_MS=200 */
#include "planted.h"

int main(int argc, char **argv)
{
	int delay = delay_of(argc, argv);

	upc_barrier; /* @upc.barrier-completion rank=1 total=0.2 count=1 */
	if (MYTHREAD != 1)
		work(delay);
	return 0;
}

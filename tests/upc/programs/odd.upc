/* The runtime reports things that no tool expects: unknown ids, ends without starts, calls without a place.
 *
 * tarry-test: threads=2 env=UPC_STANDIN_ODD_EVENTS=1 */
#include "portable.h"

int main(void)
{
	upc_barrier;
	return 0;
}

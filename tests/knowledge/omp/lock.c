/* Each thread works while it holds the lock, and the first one also after it. In the good version all threads work outside.
 *
 * omp-case: ranks=2 */
#include "omp_case.h"

static int entered;
static omp_lock_t lock;

int main(int argc, char **argv)
{
	start(&argc, &argv);
	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
	{
		int number;
#ifdef GOOD
		work(320);
#endif
		omp_set_lock(&lock); /* @omp.lock-wait rank=0,1 total=0.32 count=2 */
		number = entered++;
#ifndef GOOD
		work(320);
#endif
		omp_unset_lock(&lock);
#ifndef GOOD
		if (number == 0)
			work(320);
#endif
		(void)number;
	}
	omp_destroy_lock(&lock);
	return end();
}

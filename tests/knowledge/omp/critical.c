/* Each thread works in a critical section, and the first one also after it. In the good version all threads work outside.
 *
 * omp-case: ranks=2 */
#include "omp_case.h"

static int entered;

int main(int argc, char **argv)
{
	start(&argc, &argv);
#pragma omp parallel num_threads(2)
	{
		int number;
#ifdef GOOD
		work(320);
#pragma omp critical(named)
		number = entered++;
#else
#pragma omp critical(named) /* @omp.critical-wait rank=0,1 total=0.32 count=2 */
		{
			number = entered++;
			work(320);
		}
		if (number == 0)
			work(320);
#endif
		(void)number;
	}
	return end();
}

/* Many regions without any work. In the good version one region is around all of them.
 *
 * omp-case: ranks=1 */
#include "omp_case.h"

enum { REGIONS = 2000 };

static int numbers[8 * 2];

int main(int argc, char **argv)
{
	start(&argc, &argv);
#ifdef GOOD
#pragma omp parallel num_threads(2)
	for (int i = 0; i < REGIONS; i++)
		numbers[8 * omp_get_thread_num()] += i;
#else
	for (int i = 0; i < REGIONS; i++)
#pragma omp parallel num_threads(2) /* @omp.short-region rank=0 count=1 */
		numbers[8 * omp_get_thread_num()] += i;
#endif
	return end() || !numbers[0];
}

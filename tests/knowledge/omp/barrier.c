/* Threads wait at an explicit barrier, at the end of a region and at the end of a loop.
 *
 * omp-case: ranks=2 saves=0.4 inlined=gcc,gfortran */
#include "omp_case.h"

int main(int argc, char **argv)
{
	start(&argc, &argv);
#pragma omp parallel num_threads(3) /* @omp.barrier-wait rank=0,1 total=0.24 count=4 */
	{
		work_of_thread(300, 60, 60);
#pragma omp barrier /* @omp.barrier-wait rank=0,1 total=0.32 count=4 */
		work_of_thread(60, 240, 60);
	}
#pragma omp parallel for schedule(static) num_threads(3) /* @omp.loop-imbalance rank=0,1 total=0.24 count=4 */
	for (int i = 0; i < 3; i++)
		work_of_thread(60, 60, 240);
	return end();
}

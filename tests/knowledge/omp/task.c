/* A thread creates a task and waits for it, because its own work is shorter. In the good version both have the same length.
 *
 * omp-case: ranks=2 saves=0.15 */
#include "omp_case.h"

#ifdef GOOD
enum { TASK = 250, OWN = 250 };
#else
enum { TASK = 400, OWN = 100 };
#endif

int main(int argc, char **argv)
{
	start(&argc, &argv);
#pragma omp parallel num_threads(2)
#pragma omp master
	{
#pragma omp task
		work(TASK);
		work(OWN);
#pragma omp taskwait /* @omp.task-wait rank=0,1 total=0.3 count=2 partner=0,1 */
	}
	return end();
}

/* One thread of four works alone between two regions. In the good version all of them share this work.
 *
 * omp-case: ranks=2 saves=0.3 */
#include "omp_case.h"

int main(int argc, char **argv)
{
	start(&argc, &argv);
#pragma omp parallel num_threads(4)
	work(60);
#ifdef GOOD
#pragma omp parallel num_threads(4)
	work(100);
#else
	work(400);
#endif
#pragma omp parallel num_threads(4) /* @omp.idle-threads rank=0,1 total=0.6 count=2 */
	work(60);
	return end();
}

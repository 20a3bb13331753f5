! omp-case: ranks=2 saves=0.3
#include "omp_case.F90"
program idle
  use omp_case
  implicit none
  call start()
  !$omp parallel num_threads(4)
  call work(60)
  !$omp end parallel
#ifdef GOOD
  !$omp parallel num_threads(4)
  call work(100)
  !$omp end parallel
#else
  call work(400)
#endif
  !$omp parallel num_threads(4) ! @omp.idle-threads rank=0,1 total=0.6 count=2
  call work(60)
  !$omp end parallel
  call finish()
end program idle

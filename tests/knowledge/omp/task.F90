! omp-case: ranks=2 saves=0.15
#include "omp_case.F90"
program task
  use omp_case
  implicit none
#ifdef GOOD
  integer, parameter :: in_task = 250, own = 250
#else
  integer, parameter :: in_task = 400, own = 100
#endif
  call start()
  !$omp parallel num_threads(2)
  !$omp master
  !$omp task
  call work(in_task)
  !$omp end task
  call work(own)
  !$omp taskwait ! @omp.task-wait rank=0,1 total=0.3 count=2 partner=0,1
  !$omp end master
  !$omp end parallel
  call finish()
end program task

! omp-case: ranks=2
#include "omp_case.F90"
program critical
  use omp_case
  implicit none
  integer :: entered, number
  entered = 0
  call start()
  !$omp parallel num_threads(2) private(number)
#ifdef GOOD
  call work(320)
  !$omp critical(named)
  number = entered
  entered = entered + 1
  !$omp end critical(named)
#else
  !$omp critical(named) ! @omp.critical-wait rank=0,1 total=0.32 count=2
  number = entered
  entered = entered + 1
  call work(320)
  !$omp end critical(named)
  if (number == 0) call work(320)
#endif
  !$omp end parallel
  call finish()
end program critical

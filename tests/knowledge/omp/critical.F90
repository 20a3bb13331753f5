! omp-case: ranks=2 saves=0.15
#include "omp_case.F90"
program critical
  use omp_case
  implicit none
  integer :: entered, thread, round
  entered = 0
  call start()
  !$omp parallel num_threads(2) private(thread, round)
  thread = omp_get_thread_num()
  if (thread == 1) call work(10)
  do round = 1, 2
    if (thread == 0 .and. round == 2) call work(170)
#ifdef GOOD
    call work(160)
#endif
    !$omp critical(named) ! @omp.critical-wait rank=0,1 total=0.3 count=4
    entered = entered + 1
#ifndef GOOD
    call work(160)
#endif
    !$omp end critical(named)
  end do
  if (thread == 1) call work(160)
  !$omp end parallel
  call finish()
end program critical

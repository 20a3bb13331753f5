! omp-case: ranks=2 saves=0.15
#include "omp_case.F90"
program lock
  use omp_case
  implicit none
  integer :: entered, thread, round
  integer(omp_lock_kind) :: guard
  entered = 0
  call start()
  call omp_init_lock(guard)
  !$omp parallel num_threads(2) private(thread, round)
  thread = omp_get_thread_num()
  if (thread == 1) call work(10)
  do round = 1, 2
    if (thread == 0 .and. round == 2) call work(170)
#ifdef GOOD
    call work(160)
#endif
    call omp_set_lock(guard) ! @omp.lock-wait rank=0,1 total=0.3 count=4
    entered = entered + 1
#ifndef GOOD
    call work(160)
#endif
    call omp_unset_lock(guard)
  end do
  if (thread == 1) call work(160)
  !$omp end parallel
  call omp_destroy_lock(guard)
  call finish()
end program lock

! omp-case: ranks=2
#include "omp_case.F90"
program lock
  use omp_case
  implicit none
  integer :: entered, number
  integer(omp_lock_kind) :: guard
  entered = 0
  call start()
  call omp_init_lock(guard)
  !$omp parallel num_threads(2) private(number)
#ifdef GOOD
  call work(320)
#endif
  call omp_set_lock(guard) ! @omp.lock-wait rank=0,1 total=0.32 count=2
  number = entered
  entered = entered + 1
#ifndef GOOD
  call work(320)
#endif
  call omp_unset_lock(guard)
#ifndef GOOD
  if (number == 0) call work(320)
#endif
  !$omp end parallel
  call omp_destroy_lock(guard)
  call finish()
end program lock

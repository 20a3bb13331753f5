! omp-case: ranks=2 saves=0.2
#include "omp_case.F90"
program loop
  use omp_case
  implicit none
#ifdef GOOD
  integer, parameter :: chunk = 1, long = 120, short = 120
#else
  integer, parameter :: chunk = 8, long = 240, short = 60
#endif
  integer, parameter :: steps = 12, step = 40
  integer :: i
  call start()
  !$omp parallel do schedule(dynamic, chunk) num_threads(2) ! @omp.loop-imbalance rank=0,1 total=0.16 count=2
  do i = 1, steps
    call work(step)
  end do
  !$omp end parallel do
  !$omp parallel num_threads(3)
  !$omp do schedule(dynamic) ! @omp.loop-imbalance rank=0,1 total=0.24 count=4
  do i = 1, 3
    call work(merge(long, short, i == 1))
  end do
  !$omp end do nowait
  call work(step)
  !$omp end parallel
  call finish()
end program loop

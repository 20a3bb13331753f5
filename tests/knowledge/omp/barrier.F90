! omp-case: ranks=2 saves=0.4 inlined=gcc,gfortran
#include "omp_case.F90"
program barrier
  use omp_case
  implicit none
  integer :: i
  call start()
  !$omp parallel num_threads(3) ! @omp.barrier-wait rank=0,1 total=0.24 count=4
  call work_of_thread(300, 60, 60)
  !$omp barrier ! @omp.barrier-wait rank=0,1 total=0.32 count=4
  call work_of_thread(60, 240, 60)
  !$omp end parallel
  !$omp parallel do schedule(static) num_threads(3) ! @omp.loop-imbalance rank=0,1 total=0.24 count=4
  do i = 1, 3
    call work_of_thread(60, 60, 240)
  end do
  !$omp end parallel do
  call finish()
end program barrier

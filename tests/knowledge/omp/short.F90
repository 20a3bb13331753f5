! omp-case: ranks=1
#include "omp_case.F90"
program short
  use omp_case
  implicit none
  integer, parameter :: regions = 2000
  integer :: numbers(0:8, 0:1), i
  numbers = 0
  call start()
#ifdef GOOD
  !$omp parallel num_threads(2) private(i)
  do i = 1, regions
    numbers(0, omp_get_thread_num()) = numbers(0, omp_get_thread_num()) + i
  end do
  !$omp end parallel
#else
  do i = 1, regions
    !$omp parallel num_threads(2) ! @omp.short-region rank=0 count=1
    numbers(0, omp_get_thread_num()) = numbers(0, omp_get_thread_num()) + i
    !$omp end parallel
  end do
#endif
  if (numbers(0, 0) == 0) stop 1
  call finish()
end program short

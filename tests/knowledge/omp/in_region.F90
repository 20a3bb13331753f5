! omp-case: ranks=2 saves=0.2
#include "omp_case.F90"
module slow_sum
  use omp_case
  implicit none
contains
  subroutine add_slowly(in, total, count, type)
    integer :: count, type
    integer :: in(count), total(count)
    total = total + in
    call work(300)
  end subroutine add_slowly
end module slow_sum

program in_region
  use slow_sum
  implicit none
  integer :: one(1), total(1), slow, error
  one = 1
  total = 0
  call start()
  call mpi_op_create(add_slowly, .true., slow, error)
  !$omp parallel num_threads(3)
  if (omp_get_thread_num() == 0) then
    call mpi_reduce_local(one, total, 1, MPI_INTEGER, slow, error) ! @omp.mpi-in-region rank=0,1 total=0.4 count=4
#ifdef GOOD
  else
    call work(300)
#endif
  end if
  !$omp barrier
#ifdef GOOD
  call work(100)
#else
  call work(300)
#endif
  !$omp end parallel
  call mpi_op_free(slow, error)
  call finish()
end program in_region

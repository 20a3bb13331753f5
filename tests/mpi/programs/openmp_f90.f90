! A thread of two works ten times as long; openmp.py expects the finding at the line of the region.
program openmp_f90
  use mpi
  use omp_lib
  implicit none
  interface
    function usleep(us) bind(c) result(code)
      use iso_c_binding, only: c_int
      integer(c_int), value :: us
      integer(c_int) :: code
    end function usleep
  end interface
  integer :: error, provided, i, ignored
  call mpi_init_thread(MPI_THREAD_FUNNELED, provided, error)
  do i = 1, 5
    !$omp parallel num_threads(2) private(ignored)
    ignored = usleep(merge(50000, 5000, omp_get_thread_num() == 1))
    !$omp end parallel
    call mpi_barrier(MPI_COMM_WORLD, error)
  end do
  call mpi_finalize(error)
end program openmp_f90

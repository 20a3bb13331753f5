! Cases of OpenMP problems, each with a bad version and, with -DGOOD, a good one that does the same work. Threads sleep.
module omp_case
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
contains
  subroutine work(ms)
    integer, intent(in) :: ms
    integer :: ignored
    ignored = usleep(ms * 1000 * STRETCH)
  end subroutine work

  ! By number of the thread. In the good version all take the mean.
  subroutine work_of_thread(first, second, third)
    integer, intent(in) :: first, second, third
    integer :: ms(0:2)
    ms = [first, second, third]
#ifdef GOOD
    ms = sum(ms) / 3
#endif
    call work(ms(omp_get_thread_num()))
  end subroutine work_of_thread

  subroutine start()
    integer :: provided, error
    call mpi_init_thread(MPI_THREAD_FUNNELED, provided, error)
    call mpi_barrier(MPI_COMM_WORLD, error)
  end subroutine start

  subroutine finish()
    integer :: error
    call mpi_barrier(MPI_COMM_WORLD, error)
    call mpi_finalize(error)
  end subroutine finish
end module omp_case

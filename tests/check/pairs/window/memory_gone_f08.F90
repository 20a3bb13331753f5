! pair: check=window.memory-gone ranks=2 at=0,1
!
! An allocated array is given back before the window.
program memory_gone
  use mpi_f08
  implicit none
  integer :: rank
  integer, allocatable, target :: values(:)
  type(MPI_Win) :: window

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  allocate(values(100))
  values = 0
  call mpi_win_create(values, 400_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window) ! PARTNER
  call mpi_win_fence(0, window)
  call mpi_win_fence(0, window)
#ifdef WRONG
  deallocate(values) ! RELEASED
  call mpi_win_free(window)
#else
  call mpi_win_free(window)
  deallocate(values)
#endif
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program

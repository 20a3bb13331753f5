! pair: check=race.one-sided ranks=2 at=0,1
program pair
  use mpi_f08
  implicit none
  integer :: rank, ierr, value, memory(8)
  type(MPI_Win) :: win
  type(MPI_Datatype) :: even
  integer :: values(4) = 1

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 7
  memory = 0
  call mpi_win_create(memory, int(16, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr) ! MAY
  call mpi_win_set_errhandler(win, MPI_ERRORS_RETURN, ierr)
  call mpi_type_vector(2, 1, 2, MPI_INTEGER, even)
  call mpi_type_commit(even)
  call mpi_win_fence(0, win)
#ifdef WRONG
  call mpi_put(values, 1, even, 0, int(0, MPI_ADDRESS_KIND), 1, even, win) ! FOUND
#else
  call mpi_put(values, 1, even, 0, int(rank, MPI_ADDRESS_KIND), 1, even, win)
#endif
  call mpi_win_fence(0, win)
  call mpi_type_free(even)
  call mpi_win_free(win, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program

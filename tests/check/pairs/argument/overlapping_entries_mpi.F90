! pair: check=argument.overlapping-entries ranks=2 at=0,1
program pair
  use mpi
  implicit none
  integer :: rank, ierr, win, type, memory(8), values(8), lengths(2), places(2)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  memory = rank
  lengths = (/ 2, 2 /)
  places = (/ 3, 0 /)
#ifdef WRONG
  places(2) = 4
#endif
  call mpi_type_indexed(2, lengths, places, MPI_INTEGER, type, ierr)
  call mpi_type_commit(type, ierr)
  call mpi_win_create(memory, int(32, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call mpi_win_fence(0, win, ierr)
  call mpi_get(values, 1, type, 1 - rank, int(0, MPI_ADDRESS_KIND), 4, MPI_INTEGER, win, ierr) ! FOUND
  call mpi_win_fence(0, win, ierr)
  call mpi_win_free(win, ierr)
  call mpi_type_free(type, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program

! pair: check=deadlock.cycle ranks=4 among=0,1
program split_half
  use mpi_f08
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  type(MPI_Comm) :: half
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  call mpi_comm_split(MPI_COMM_WORLD, rank / 2, rank, half)
#ifdef WRONG
  if (rank < 2) call mpi_recv(theirs, 1, MPI_INTEGER, 1 - rank, 0, half, MPI_STATUS_IGNORE) ! FOUND
#endif
  call mpi_barrier(MPI_COMM_WORLD) ! MAY
  call mpi_comm_free(half)
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program

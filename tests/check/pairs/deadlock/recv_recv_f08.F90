! pair: check=deadlock.cycle ranks=2 at=0,1
program recv_recv
  use mpi_f08
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
#ifdef WRONG
  call mpi_recv(theirs, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! FOUND
  call mpi_send(rank, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD)
#else
  call mpi_sendrecv(rank, 1, MPI_INTEGER, 1 - rank, 0, theirs, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#endif
  good = theirs == 1 - rank
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program

! pair: check=deadlock.cycle ranks=2 at=0,1
program intercommunicator
  use mpi
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  integer :: alone, inter
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  call mpi_comm_split(MPI_COMM_WORLD, rank, 0, alone, ierr)
  call mpi_intercomm_create(alone, 0, MPI_COMM_WORLD, 1 - rank, 3, inter, ierr)
#ifdef WRONG
  call mpi_ssend(rank, 1, MPI_INTEGER, 0, 0, inter, ierr) ! FOUND
  call mpi_recv(theirs, 1, MPI_INTEGER, 0, 0, inter, MPI_STATUS_IGNORE, ierr)
#else
  call mpi_sendrecv(rank, 1, MPI_INTEGER, 0, 0, theirs, 1, MPI_INTEGER, 0, 0, inter, MPI_STATUS_IGNORE, ierr)
#endif
  call mpi_comm_free(inter, ierr)
  call mpi_comm_free(alone, ierr)
  good = theirs == 1 - rank
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program

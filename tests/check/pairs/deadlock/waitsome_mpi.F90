! pair: check=deadlock.cycle ranks=2 at=0,1
program waitsome
  use mpi
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  integer :: requests(2), indices(2), done
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  call mpi_issend(rank, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, requests(1), ierr) ! MAY
  requests(2) = MPI_REQUEST_NULL
#ifdef WRONG
  call mpi_waitsome(2, requests, done, indices, MPI_STATUSES_IGNORE, ierr) ! FOUND
#endif
  call mpi_recv(theirs, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call mpi_waitsome(2, requests, done, indices, MPI_STATUSES_IGNORE, ierr)
  good = theirs == 1 - rank
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program

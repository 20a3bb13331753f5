! pair: check=deadlock.cycle ranks=2 at=0,1
program persistent
  use mpi_f08
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  type(MPI_Request) :: request
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  call mpi_recv_init(theirs, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, request, ierr) ! MAY
  call mpi_start(request, ierr) ! MAY
#ifdef WRONG
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr) ! FOUND
  call mpi_send(rank, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, ierr)
#else
  call mpi_send(rank, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, ierr)
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
#endif
  call mpi_request_free(request, ierr)
  good = theirs == 1 - rank
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program

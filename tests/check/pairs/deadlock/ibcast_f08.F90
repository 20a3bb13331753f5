! pair: check=deadlock.cycle ranks=2 at=0,1
program ibcast
  use mpi_f08
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  type(MPI_Request) :: request
  integer, asynchronous :: shared
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  shared = 5 * (1 - rank)
#ifdef WRONG
  if (rank == 0) call mpi_recv(theirs, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! FOUND
#endif
  call mpi_ibcast(shared, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, request) ! MAY
  call mpi_wait(request, MPI_STATUS_IGNORE) ! FOUND
  if (rank == 1) call mpi_send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD)
#ifndef WRONG
  if (rank == 0) call mpi_recv(theirs, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#endif
  good = shared == 5
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program

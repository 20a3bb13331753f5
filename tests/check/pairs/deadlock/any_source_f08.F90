! pair: check=deadlock.cycle ranks=4 at=0,1,2,3
program any_source
  use mpi_f08
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  integer :: right
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  right = mod(rank + 1, ranks)
#ifndef WRONG
  if (rank == 0) call mpi_send(rank, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD)
#endif
  call mpi_recv(theirs, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! FOUND
#ifndef WRONG
  if (rank /= 0) &
#endif
    call mpi_send(rank, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD)
  good = theirs == mod(rank + ranks - 1, ranks)
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program

! pair: check=deadlock.cycle ranks=6 at=0,1,2,3,4,5
program recv_ring
  use mpi
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  integer :: left, right
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  left = mod(rank + ranks - 1, ranks)
  right = mod(rank + 1, ranks)
#ifndef WRONG
  if (rank == 0) call mpi_send(rank, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD, ierr)
#endif
  call mpi_recv(theirs, 1, MPI_INTEGER, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr) ! FOUND
#ifndef WRONG
  if (rank /= 0) &
#endif
    call mpi_send(rank, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD, ierr)
  good = theirs == left
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program

! pair: check=deadlock.potential-send ranks=3 at=0,1,2 output
program potential_send_ring
  use mpi_f08
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  integer :: left, right
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  left = mod(rank + 2, 3)
  right = mod(rank + 1, 3)
#ifndef WRONG
  if (rank == 0) call mpi_recv(theirs, 1, MPI_INTEGER, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#endif
  call mpi_send(rank, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD) ! FOUND
#ifndef WRONG
  if (rank /= 0) &
#endif
    call mpi_recv(theirs, 1, MPI_INTEGER, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  good = theirs == left
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program

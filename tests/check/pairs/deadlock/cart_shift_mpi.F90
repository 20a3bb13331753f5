! pair: check=deadlock.cycle ranks=3 at=0,1,2
program cart_shift
  use mpi
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  integer :: ring, left, right, dims(1)
  logical :: periods(1)
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  dims = 3
  periods = .true.
  call mpi_cart_create(MPI_COMM_WORLD, 1, dims, periods, .false., ring, ierr)
  call mpi_cart_shift(ring, 0, 1, left, right, ierr)
#ifndef WRONG
  if (rank == 0) call mpi_send(rank, 1, MPI_INTEGER, right, 0, ring, ierr)
#endif
  call mpi_recv(theirs, 1, MPI_INTEGER, left, 0, ring, MPI_STATUS_IGNORE, ierr) ! FOUND
#ifndef WRONG
  if (rank /= 0) &
#endif
    call mpi_send(rank, 1, MPI_INTEGER, right, 0, ring, ierr)
  call mpi_comm_free(ring, ierr)
  good = theirs == left
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program

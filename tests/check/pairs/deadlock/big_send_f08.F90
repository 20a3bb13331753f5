! pair: check=deadlock.cycle ranks=2 at=0,1
program big_send
  use mpi_f08
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  integer, allocatable :: mine(:), others(:)
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  allocate (mine(2000000), others(2000000))
  mine = rank
#ifndef WRONG
  if (rank == 1) call mpi_recv(others, 2000000, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#endif
  call mpi_send(mine, 2000000, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD) ! FOUND
#ifndef WRONG
  if (rank == 0) &
#endif
    call mpi_recv(others, 2000000, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  good = others(2000000) == 1 - rank
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program

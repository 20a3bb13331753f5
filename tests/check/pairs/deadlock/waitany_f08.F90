! pair: check=deadlock.cycle ranks=3 at=0,1,2
program waitany
  use mpi_f08
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  integer :: others(2), left, right, which
  type(MPI_Request) :: requests(2)
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  left = mod(rank + 2, 3)
  right = mod(rank + 1, 3)
  call mpi_irecv(others(1), 1, MPI_INTEGER, left, 0, MPI_COMM_WORLD, requests(1))  ! MAY
  call mpi_irecv(others(2), 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD, requests(2)) ! MAY
#ifdef WRONG
  call mpi_waitany(2, requests, which, MPI_STATUS_IGNORE) ! FOUND
#endif
  call mpi_send(rank, 1, MPI_INTEGER, left, 0, MPI_COMM_WORLD)
  call mpi_send(rank, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD)
  call mpi_waitall(2, requests, MPI_STATUSES_IGNORE)
  good = others(1) == left .and. others(2) == right
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program

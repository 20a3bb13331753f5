! pair: check=argument.duplicate-request ranks=2 at=1 dies
!
! The same element of the array twice: no call waits for the second receive.
program duplicate_request
  use mpi
  implicit none
  integer :: rank, ierr, values(2), requests(2), twice(2)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  values = rank
  if (rank == 0) then
    call mpi_barrier(MPI_COMM_WORLD, ierr)
    call mpi_send(values, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr)
    call mpi_send(values, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, ierr)
  else
    call mpi_irecv(values(1), 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, requests(1), ierr) ! MAY
    call mpi_irecv(values(2), 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, requests(2), ierr)
    call mpi_barrier(MPI_COMM_WORLD, ierr)
#ifdef WRONG
    call mpi_wait(requests(2), MPI_STATUS_IGNORE, ierr)
    twice = requests(1)
    call mpi_waitall(2, twice, MPI_STATUSES_IGNORE, ierr) ! FOUND SHOWS: array_of_requests[2] = {MPI_Irecv, MPI_Irecv}
#else
    twice = requests
    call mpi_waitall(2, twice, MPI_STATUSES_IGNORE, ierr)
#endif
  end if
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program

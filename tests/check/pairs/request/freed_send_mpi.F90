! pair: check=request.freed-send ranks=2 at=0
!
! The answer tells that the message arrived, so the send may be freed. This is only noted.
program freed_send
  use mpi
  implicit none
  integer :: rank, ierr, request, nothing(1)
  integer, asynchronous :: value

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 3
  if (rank == 0) then
    call mpi_issend(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierr) ! MAY
#ifdef WRONG
    call mpi_request_free(request, ierr) ! FOUND
#else
    call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
#endif
    call mpi_recv(nothing, 0, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  else
    call mpi_recv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call mpi_send(nothing, 0, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, ierr)
  end if
  call mpi_barrier(MPI_COMM_WORLD, ierr)
  call mpi_finalize(ierr)
  if (rank == 0 .and. value == 3) print '(a)', 'ok'
end program

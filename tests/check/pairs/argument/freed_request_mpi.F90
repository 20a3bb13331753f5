! pair: check=argument.freed-handle ranks=2 at=0 dies
!
! A copy of a request that is complete. (Open MPI crashes if it is waited for.)
program freed_request
  use mpi
  implicit none
  integer :: rank, ierr, request, copy
  integer, asynchronous :: value

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  value = 9
  if (rank == 0) then
    call mpi_irecv(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierr) ! MAY
    copy = request
    call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
#ifdef WRONG
    call mpi_cancel(copy, ierr) ! FOUND
#endif
  else
    call mpi_send(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
  end if
  call mpi_finalize(ierr)
  if (rank == 0 .and. value == 9) print '(a)', 'ok'
end program

! pair: check=argument.wildcard-in-send ranks=2 at=1
program wildcard
  use mpi
  implicit none
  integer :: rank, ierr, value, request, status(MPI_STATUS_SIZE)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  value = rank
#ifdef WRONG
  if (rank == 1) call mpi_send_init(value, 1, MPI_INTEGER, 0, MPI_ANY_TAG, MPI_COMM_WORLD, request, ierr) ! FOUND
#endif
  if (rank == 1) then
    call mpi_send_init(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, request, ierr)
  else
    call mpi_recv_init(value, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request, ierr)
  end if
  call mpi_start(request, ierr)
  call mpi_wait(request, status, ierr)
  call mpi_request_free(request, ierr)
  call mpi_finalize(ierr)
  if (rank == 0 .and. value == 1) print '(a)', 'ok'
end program

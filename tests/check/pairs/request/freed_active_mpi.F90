! pair: check=request.freed-active ranks=2 at=0
program freed_active
  use mpi
  implicit none
  integer :: rank, ierr, request
  integer, save, asynchronous :: value

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 5
  if (rank == 0) then
    call mpi_irecv(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierr) ! MAY
#ifdef WRONG
    call mpi_request_free(request, ierr) ! FOUND
#else
    call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
#endif
  else
    call mpi_send(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
  end if
  call mpi_barrier(MPI_COMM_WORLD, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program

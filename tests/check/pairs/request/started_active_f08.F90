! pair: check=request.started-active ranks=2 at=0 dies
program started_active
  use mpi_f08
  implicit none
  integer :: rank, step
  integer, asynchronous :: value
  type(MPI_Request) :: request

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  value = 4
  if (rank == 0) then
    call mpi_recv_init(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request) ! PARTNER
  else
    call mpi_send_init(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request)
  end if
  do step = 1, 2
    call mpi_start(request) ! MAY
#ifdef WRONG
    if (rank == 0 .and. step == 2) call mpi_start(request) ! FOUND
#endif
    call mpi_wait(request, MPI_STATUS_IGNORE)
  end do
  call mpi_request_free(request)
  call mpi_finalize()
  if (rank == 0 .and. value == 4) print '(a)', 'ok'
end program

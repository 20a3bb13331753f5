! pair: check=request.not-cancellable ranks=2 at=0 dies
program pair
  use mpi_f08
  implicit none
  integer :: rank, values(4), other
  type(MPI_Request) :: request, receive

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  values = rank
  call mpi_irecv(other, 1, MPI_INTEGER, 1 - rank, 5, MPI_COMM_WORLD, receive)
  call mpi_ibcast(values, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, request) ! PARTNER
#ifdef WRONG
  if (rank == 0) call mpi_cancel(request) ! FOUND
#endif
  call mpi_cancel(receive)
  call mpi_wait(receive, MPI_STATUS_IGNORE)
  call mpi_wait(request, MPI_STATUS_IGNORE)
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program

! pair: check=argument.negative-count ranks=2 at=1
program negative_count
  use mpi_f08
  implicit none
  integer :: rank, ierr, values(4)
  type(MPI_Request) :: request

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  values = rank
#ifdef WRONG
  if (rank == 1) then
    call mpi_isend(values, -4, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, request, ierr) ! FOUND
  end if
#endif
  if (rank == 1) then
    call mpi_isend(values, 0, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, request, ierr)
  else
    call mpi_irecv(values, 4, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, request, ierr)
  end if
  call mpi_wait(request, MPI_STATUS_IGNORE)
  call mpi_finalize()
  if (rank == 0 .and. all(values == 0)) print '(a)', 'ok'
end program

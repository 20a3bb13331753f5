! pair: check=argument.tag-outside ranks=2 at=0
program tag_outside
  use mpi_f08
  implicit none
  integer :: rank, value, ierr
  type(MPI_Request) :: request
  type(MPI_Status) :: status

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  value = rank
#ifdef WRONG
  if (rank == 0) call mpi_irecv(value, 1, MPI_INTEGER, 1, -12, MPI_COMM_WORLD, request, ierr) ! FOUND
#endif
  call mpi_irecv(value, 1, MPI_INTEGER, 1 - rank, MPI_ANY_TAG, MPI_COMM_WORLD, request)
  call mpi_send(rank, 1, MPI_INTEGER, 1 - rank, 32767, MPI_COMM_WORLD)
  call mpi_wait(request, status)
  call mpi_finalize()
  if (rank == 0 .and. value == 1 .and. status%MPI_TAG == 32767) print '(a)', 'ok'
end program

! pair: check=message.unmatched-receive also=leak.request ranks=3 at=2
program unmatched
  use mpi_f08
  implicit none
  integer :: rank
  integer, asynchronous :: value
  type(MPI_Request) :: request

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  value = rank
  if (rank == 2) then
    call mpi_irecv(value, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request) ! FOUND FOUND: leak.request
#ifndef WRONG
    call mpi_wait(request, MPI_STATUS_IGNORE)
#endif
  end if
#ifndef WRONG
  if (rank == 0) call mpi_send(value, 1, MPI_INTEGER, 2, 9, MPI_COMM_WORLD)
#endif
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program

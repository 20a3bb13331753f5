! pair: check=memory.receive-written ranks=2 at=1 always=--buffers=all
program written
  use mpi_f08
  implicit none
  integer :: rank
  integer, asynchronous :: values(100)
  type(MPI_Request) :: request

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  values = rank
  if (rank == 0) then
    call mpi_send(values, 100, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
  else
    call mpi_irecv(values, 100, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request) ! PARTNER
#ifdef WRONG
    values(100) = 7 ! SEEN
#endif
    call mpi_wait(request, MPI_STATUS_IGNORE) ! FOUND
    if (any(values /= 0)) print '(a)', 'not so'
    values = 1
  end if
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program

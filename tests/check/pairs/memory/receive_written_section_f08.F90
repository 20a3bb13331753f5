! pair: check=memory.receive-written ranks=2 at=1 mpi=mpich always=--buffers=all
! A section with gaps, as a descriptor: what lies between its elements is the program's.
program section
  use mpi_f08
  implicit none
  integer :: rank
  integer, asynchronous :: values(20)
  type(MPI_Request) :: request

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  values = rank
  if (rank == 0) then
    call mpi_send(values, 10, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
  else
    call mpi_irecv(values(1:19:2), 10, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request) ! PARTNER
    values(2) = 5
#ifdef WRONG
    values(3) = 5
#endif
    call mpi_wait(request, MPI_STATUS_IGNORE) ! FOUND
    if (any(values(1:19:2) /= 0) .or. values(2) /= 5 .or. values(20) /= 1) print '(a)', 'not so'
  end if
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program

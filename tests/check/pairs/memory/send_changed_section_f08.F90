! pair: check=memory.send-changed ranks=2 at=0,1 mpi=mpich always=--buffers=send
!
! A section with a stride comes as a descriptor; what lies between its elements may change.
program changed
  use mpi_f08
  implicit none
  integer :: rank, other(50)
  integer, asynchronous :: values(100)
  type(MPI_Request) :: request

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  values = rank
  call mpi_isend(values(1:99:2), 50, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, request) ! PARTNER
  values(2:100:2) = 5
#ifdef WRONG
  values(51) = 6
#endif
  call mpi_recv(other, 50, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call mpi_wait(request, MPI_STATUS_IGNORE) ! FOUND
  call mpi_finalize()
  if (rank == 0 .and. other(50) == 1) print '(a)', 'ok'
end program

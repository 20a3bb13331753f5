! pair: check=race.message-order ranks=3 at=0,1,2
program matched_probe
  use mpi_f08
  implicit none
  integer :: rank, a, b, from
  type(MPI_Message) :: message
  type(MPI_Status) :: status

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) then
    from = 1
#ifdef WRONG
    from = MPI_ANY_SOURCE
#endif
    call mpi_mprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, message, status) ! FOUND
    call mpi_mrecv(a, 1, MPI_INTEGER, message, status)
    call mpi_recv(b, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status)
    if (a + b /= 3) print *, 'sum', a + b
  else
    call mpi_send(rank, 1, MPI_INTEGER, 0, rank, MPI_COMM_WORLD) ! PARTNER
  end if
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program

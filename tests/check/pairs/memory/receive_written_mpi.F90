! pair: check=memory.receive-written ranks=2 at=0,1 always=--buffers=all
program written
  use mpi
  implicit none
  integer :: rank, error, requests(2), i
  double precision :: halo(16), mine(16)

  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_recv_init(halo, 16, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, requests(1), error) ! PARTNER
  call mpi_send_init(mine, 16, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, requests(2), error)
  do i = 1, 3
    mine = rank + i
    halo = 0
    call mpi_startall(2, requests, error) ! PARTNER
#ifdef WRONG
    if (i == 2) halo(1) = -1 ! SEEN
#endif
    call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, error) ! FOUND
    if (any(halo /= 1 - rank + i)) print '(a)', 'not so'
  end do
  call mpi_request_free(requests(1), error)
  call mpi_request_free(requests(2), error)
  call mpi_finalize(error)
  if (rank == 0) print '(a)', 'ok'
end program

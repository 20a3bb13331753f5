! pair: check=leak.request ranks=2 at=0
program leak_request
  use mpi_f08
  implicit none
  integer :: rank, i
  integer, asynchronous :: values(3), more(3)
  type(MPI_Request) :: requests(3)

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  values = rank
  more = -1
  if (rank == 0) then
    do i = 1, 3
      call mpi_irecv(more(i), 1, MPI_INTEGER, 1, i, MPI_COMM_WORLD, requests(i)) ! FOUND
    end do
    call mpi_barrier(MPI_COMM_WORLD)
#ifdef WRONG
    call mpi_waitall(2, requests, MPI_STATUSES_IGNORE)
#else
    call mpi_waitall(3, requests, MPI_STATUSES_IGNORE)
#endif
  else
    do i = 1, 3
      call mpi_send(values(i), 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD)
    end do
    call mpi_barrier(MPI_COMM_WORLD)
  end if
  call mpi_finalize()
  if (rank == 0 .and. all(more == 1)) print '(a)', 'ok'
end program

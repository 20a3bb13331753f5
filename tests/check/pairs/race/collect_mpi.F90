! pair: check=race.message-order ranks=4 among=0
program collect
  use mpi
  implicit none
  integer :: rank, ranks, i, ierr, part, total

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  total = 0
  if (rank == 0) then
    do i = 1, ranks - 1
#ifdef WRONG
      call mpi_recv(part, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr) ! FOUND
#else
      call mpi_recv(part, 1, MPI_INTEGER, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
#endif
      total = total + part
    end do
    if (total /= 6) print *, 'total', total
  else
    call mpi_send(rank, 1, MPI_INTEGER, 0, rank, MPI_COMM_WORLD, ierr) ! PARTNER
  end if
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program

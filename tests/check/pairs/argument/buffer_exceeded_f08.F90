! pair: check=argument.buffer-exceeded ranks=2 at=1
!
! An allocated array is shorter than the count of the receive.
program buffer_exceeded
  use mpi_f08
  implicit none
  integer :: rank, length
  double precision, allocatable :: row(:), behind(:)
  double precision :: sent(100) = 1

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  length = 200
#ifdef WRONG
  length = 120
#endif
  allocate(row(length), behind(400))
  if (rank == 0) then
    call mpi_send(sent, 100, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD)
  else
    call mpi_recv(row, 200, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! FOUND
  end if
  deallocate(row, behind)
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program

! pair: check=memory.receive-written ranks=2 at=1 always=--buffers=all
program pair
  use mpi
  implicit none
  integer :: rank, ierr, type, request, block(20), lengths(2)
  integer(MPI_ADDRESS_KIND) :: addresses(2)
  common /shared/ block

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  block = 0
  if (rank == 0) block = 7
  lengths = (/ 3, 2 /)
  call mpi_get_address(block(4), addresses(1), ierr)
  call mpi_get_address(block(11), addresses(2), ierr)
  call mpi_type_create_hindexed(2, lengths, addresses, MPI_INTEGER, type, ierr)
  call mpi_type_commit(type, ierr)
  if (rank == 0) then
    call mpi_recv(block(20), 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call mpi_send(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD, ierr)
  else
    call mpi_irecv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, request, ierr) ! PARTNER
#ifdef WRONG
    block(12) = 3
#else
    block(13) = 3
#endif
    call mpi_send(block(20), 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, ierr)
    call mpi_wait(request, MPI_STATUS_IGNORE, ierr) ! FOUND
    if (sum(block) < 35) print '(a)', 'nothing was received'
  end if
  call mpi_type_free(type, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program

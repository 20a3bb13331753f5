! pair: check=leak.buffer ranks=2 at=0,1
program leak_buffer
  use mpi
  implicit none
  integer, parameter :: bytes = 1000
  integer :: rank, ierr, value, used
  integer(MPI_ADDRESS_KIND) :: place
  character, save, asynchronous :: room(bytes + MPI_BSEND_OVERHEAD)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_buffer_attach(room, bytes + MPI_BSEND_OVERHEAD, ierr) ! FOUND
  call mpi_bsend(rank, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, ierr)
  call mpi_recv(value, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
#ifndef WRONG
  call mpi_buffer_detach(place, used, ierr)
#endif
  call mpi_finalize(ierr)
  if (rank == 0 .and. value == 1) print '(a)', 'ok'
end program

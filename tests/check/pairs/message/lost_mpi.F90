! pair: check=message.lost ranks=2 at=1
program lost
  use mpi
  implicit none
  integer :: rank, ierr, value, i, bytes, used
  integer :: room(1000), address(2)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 4
  if (rank == 1) then
    call mpi_pack_size(3, MPI_INTEGER, MPI_COMM_WORLD, bytes, ierr)
    call mpi_buffer_attach(room, 4000, ierr)
    do i = 1, 3
      call mpi_bsend(value, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, ierr) ! FOUND
    end do
    call mpi_buffer_detach(address, used, ierr)
  else
    call mpi_recv(value, 1, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call mpi_recv(value, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
#ifndef WRONG
    call mpi_recv(value, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
#endif
  end if
  call mpi_finalize(ierr)
  if (rank == 0 .and. value == 4) print '(a)', 'ok'
end program

! pair: check=buffer.exhausted ranks=2 at=0 exit=any
!
! The buffer has room for one message; the right program waits for an answer.
program exhausted
  use mpi
  implicit none
  integer :: rank, ierr, values(50), room(1000), bytes, i, sent
  integer(kind=MPI_ADDRESS_KIND) :: place

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  values = rank
  do i = 1, 2
    sent = 1
    if (rank == 0) then
      if (i == 1) then
        call mpi_pack_size(50, MPI_INTEGER, MPI_COMM_WORLD, bytes, ierr)
        call mpi_buffer_attach(room, bytes + MPI_BSEND_OVERHEAD, ierr)
      end if
      call mpi_bsend(values, 50, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr) ! FOUND
      if (ierr /= MPI_SUCCESS) sent = 0
      call mpi_send(sent, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr)
#ifndef WRONG
      call mpi_recv(sent, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
#endif
    else
      call mpi_recv(sent, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      if (sent == 1) call mpi_recv(values, 50, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
#ifndef WRONG
      call mpi_send(sent, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, ierr)
#endif
    end if
  end do
  if (rank == 0) call mpi_buffer_detach(place, bytes, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program

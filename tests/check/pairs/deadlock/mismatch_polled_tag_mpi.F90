! pair: check=deadlock.mismatch also=message.tag-mismatch ranks=2 at=0,1
program mismatch_polled_tag
  use mpi
  implicit none
  integer, parameter :: question = 1, other = 2, answer = 3
  integer :: rank, value, tag, ierr
  logical :: flag
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 0
  tag = other
#ifdef WRONG
  tag = question
#endif
  if (rank == 0) then
    call mpi_send(value, 1, MPI_INTEGER, 1, tag, MPI_COMM_WORLD, ierr) ! MAY FOUND: message.tag-mismatch
    flag = .false.
    do while (.not. flag)
      call mpi_iprobe(1, answer, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, ierr) ! FOUND
    end do
    call mpi_recv(value, 1, MPI_INTEGER, 1, answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  else
    call mpi_recv(value, 1, MPI_INTEGER, 0, other, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr) ! FOUND FOUND: message.tag-mismatch
    call mpi_send(value, 1, MPI_INTEGER, 0, answer, MPI_COMM_WORLD, ierr)
  end if
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program

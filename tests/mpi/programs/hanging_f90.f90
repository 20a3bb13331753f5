! tarry-test: ranks=2 exit=any incomplete=1
!
! Each rank waits for the other to receive.
program hanging
  use mpi
  implicit none
  integer :: rank, ierror
  double precision :: values(2)

  values = 0
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Ssend(values, 2, MPI_DOUBLE_PRECISION, 1 - rank, 7, MPI_COMM_WORLD, ierror) ! here
  call MPI_Recv(values, 2, MPI_DOUBLE_PRECISION, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call MPI_Finalize(ierror)
end program

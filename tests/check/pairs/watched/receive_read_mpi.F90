! pair: check=memory.receive-read ranks=2 at=0 watched=gcc-O0,gcc-O2
!
! Fortran: an element is printed, and a section is copied, before MPI_Wait.
program receive_read
  use mpi
  implicit none
  integer :: rank, requests(2), ierr
  real(8) :: values(10), sum
  real(8), allocatable :: others(:)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  allocate(others(10))
  values = 1
  others = 2
  sum = 0
  if (rank == 0) then
    call MPI_Irecv(values, 10, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, requests(1), ierr) ! PARTNER
    call MPI_Irecv(others, 10, MPI_DOUBLE_PRECISION, 1, 1, MPI_COMM_WORLD, requests(2), ierr) ! PARTNER
#ifdef WRONG
    open(9, file='/dev/null')
    write(9, *) values(rank + 3) ! USED
    close(9)
    sum = others(rank + 1) ! USED
#endif
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr) ! FOUND
    sum = sum + values(rank + 3) + others(rank + 1)
  else
    call MPI_Send(values, 10, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, ierr)
    call MPI_Send(values, 10, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
  if (sum < 0) stop 1
end program

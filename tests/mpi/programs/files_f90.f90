! Formatted lines, a file of records, and one without, whose sizes files.py compares with the bytes in the trace.
!
! tarry-test: ranks=2
program files
  use mpi
  implicit none
  integer :: ierr, rank, i
  real(8) :: values(10000)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  values = 1.0d0
  if (rank == 0) then
    open (10, file='lines.txt', status='replace')
    do i = 1, 1000
      write (10, '(i8)') i
    end do
    close (10)
    open (11, file='records.dat', form='unformatted', status='replace')
    do i = 1, 20
      write (11) values
    end do
    close (11)
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  open (12, file='records.dat', form='unformatted', status='old')
  do i = 1, 20
    read (12) values
  end do
  close (12)
  print '(a, i0, a, f8.1)', 'rank ', rank, ': ', sum(values)
  call MPI_Finalize(ierr)
end program files

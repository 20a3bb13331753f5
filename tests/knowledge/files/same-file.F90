! Every rank reads the whole input, or one does for all.
program same_file
  use mpi
  implicit none
  integer, parameter :: block = 2**20 / 8, blocks = 16
  integer :: ierr, rank, i
  logical :: reads
  real(8) :: values(block, blocks)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
#ifdef GOOD
  reads = rank == 0
#else
  reads = .true.
#endif
  if (reads) then
    open (10, file='input.dat', access='stream', form='unformatted', status='old') ! @io.same-file rank=0,1 time=read
    do i = 1, blocks
      read (10) values(:, i)
    end do
    close (10)
  end if
  call MPI_Bcast(values, block * blocks, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program same_file

! pair: check=deadlock.hang options=--hang-timeout=3 ranks=2 at=0,1
program hang_iprobe
  use mpi_f08
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  logical :: there
  interface
    subroutine usleep(microseconds) bind(c)
      use iso_c_binding
      integer(c_int), value :: microseconds
    end subroutine
  end interface
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  if (rank == 0) then
    there = .false.
    do while (.not. there)
      call mpi_iprobe(1, 0, MPI_COMM_WORLD, there, MPI_STATUS_IGNORE); call usleep(5000) ! FOUND
    end do
    call mpi_recv(theirs, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end if
#ifndef WRONG
  if (rank == 1) call mpi_send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD)
#endif
  call mpi_barrier(MPI_COMM_WORLD) ! FOUND
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program

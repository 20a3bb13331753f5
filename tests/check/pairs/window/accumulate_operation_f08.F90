! pair: check=window.accumulate-operation ranks=2 at=0,1
program pair
  use mpi_f08
  implicit none
  integer :: rank, ierr, value, memory(8)
  type(MPI_Win) :: win
  type(MPI_Op) :: op

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 7
  memory = 0
  call mpi_win_create(memory, int(16, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr) ! MAY
  call mpi_win_set_errhandler(win, MPI_ERRORS_RETURN, ierr)
  call mpi_op_create(add, .true., op) ! PARTNER
  call mpi_win_fence(0, win)
#ifdef WRONG
  call mpi_accumulate(value, 1, MPI_INTEGER, 0, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, op, win) ! FOUND
#else
  call mpi_accumulate(value, 1, MPI_INTEGER, 0, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, MPI_SUM, win)
#endif
  call mpi_win_fence(0, win)
  call mpi_op_free(op)
  call mpi_win_free(win, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
contains
  subroutine add(in, inout, length, datatype)
    use iso_c_binding, only: c_ptr
    type(c_ptr), value :: in, inout
    integer :: length
    type(MPI_Datatype) :: datatype
  end subroutine
end program

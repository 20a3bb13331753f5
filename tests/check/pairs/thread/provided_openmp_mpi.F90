! pair: check=thread.provided also=thread.level ranks=2 at=0,1 flags=-fopenmp,-rdynamic
!
! An MPI library that provides less than the program requires: the layer below the checker is a part of this program.
function init_funneled(argc, argv, required, provided) bind(c, name='PMPI_Init_thread') result(code)
  use iso_c_binding
  use mpi, only: MPI_THREAD_FUNNELED
  implicit none
  type(c_ptr), value :: argc, argv
  integer(c_int), value :: required
  integer(c_int) :: provided, code
  integer(c_intptr_t), parameter :: next_library = -1 ! RTLD_NEXT
  procedure(init), pointer :: next
  interface
    integer(c_int) function init(argc, argv, required, provided) bind(c)
      import
      type(c_ptr), value :: argc, argv
      integer(c_int), value :: required
      integer(c_int) :: provided
    end function
    type(c_funptr) function dlsym(library, name) bind(c)
      import
      integer(c_intptr_t), value :: library
      character(kind=c_char), intent(in) :: name(*)
    end function
  end interface

  call c_f_procpointer(dlsym(next_library, 'PMPI_Init_thread' // c_null_char), next)
  code = next(argc, argv, min(required, MPI_THREAD_FUNNELED), provided)
end function

program provided_openmp
  use mpi
  use omp_lib, only: omp_get_thread_num
  implicit none
  integer :: rank, provided, members = 0, ierr, caller = 0

  call mpi_init_thread(MPI_THREAD_MULTIPLE, provided, ierr) ! FOUND
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
#ifdef WRONG
  caller = 1
#endif
  !$omp parallel num_threads(1 + caller)
  if (omp_get_thread_num() == caller) call mpi_comm_size(MPI_COMM_WORLD, members, ierr) ! PARTNER FOUND: thread.level
  !$omp end parallel
  call mpi_barrier(MPI_COMM_WORLD, ierr)
  call mpi_finalize(ierr)
  if (rank == 0 .and. members == 2 .and. provided < MPI_THREAD_MULTIPLE) print '(a)', 'ok'
end program

! pair: check=memory.overlap ranks=2
program fetch
   use mpi
   implicit none
   integer :: rank, win, error, results(2), one
   ! Aligned: MPICH 4.0 accesses other bytes of a window whose address is not a multiple of 16.
   integer, save, asynchronous :: memory(64)
   integer(MPI_ADDRESS_KIND) :: bytes, zero, first

   call MPI_Init(error)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   memory = 0
   one = 1
   bytes = 16
   zero = 0
   first = 1
   call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, error)
   call MPI_Win_lock_all(0, win, error)
   call MPI_Fetch_and_op(one, results(1), MPI_INTEGER, 0, zero, MPI_SUM, win, error) ! PARTNER
#ifdef WRONG
   call MPI_Fetch_and_op(one, results(1), MPI_INTEGER, 0, first, MPI_SUM, win, error) ! FOUND
#else
   call MPI_Fetch_and_op(one, results(2), MPI_INTEGER, 0, first, MPI_SUM, win, error)
#endif
   call MPI_Win_unlock_all(win, error)
   call MPI_Win_free(win, error)
   call MPI_Finalize(error)
   if (rank == 0) print '(a)', 'ok'
end program

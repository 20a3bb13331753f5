! pair: check=race.local-access ranks=2 always=--buffers=all
program loads
   use mpi_f08
   use, intrinsic :: iso_c_binding
   implicit none
   type(c_ptr) :: base
   integer, pointer, asynchronous :: memory(:)
   integer :: rank, value, seen
   type(MPI_Win) :: win
   integer(MPI_ADDRESS_KIND) :: bytes, found
   logical :: flag

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   bytes = 64
   value = 7
   seen = 0
   call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
   call c_f_pointer(base, memory, [16])
   call MPI_Win_get_attr(win, MPI_WIN_BASE, found, flag)
   if (.not. flag .or. found /= transfer(base, found)) print '(a)', 'another base'
   memory(1) = 0
   call MPI_Win_fence(0, win)
   if (rank == 0) then
      bytes = 0
      call MPI_Put(value, 1, MPI_INTEGER, 1, bytes, 1, MPI_INTEGER, win) ! FOUND
   end if
#ifndef WRONG
   call MPI_Win_fence(0, win)
#endif
   if (rank == 1) seen = memory(1) ! USED
   call MPI_Win_fence(0, win)
#ifndef WRONG
   if (rank == 1 .and. seen /= 7) print '(a)', 'not seen'
#endif
   call MPI_Win_free(win)
   call MPI_Finalize()
   if (rank == 0) print '(a)', 'ok'
end program

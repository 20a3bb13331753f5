! pair: check=race.local-access ranks=2 watchpoints always=--buffers=all
! A load under a lock of the own window, outside of loops, while another process accumulates.
program local_load_once
	use mpi_f08
	use iso_c_binding
	implicit none
	integer :: rank, number, seen
	integer, pointer :: memory(:)
	type(c_ptr) :: base
	type(MPI_Win) :: win

	call MPI_Init()
	call MPI_Comm_rank(MPI_COMM_WORLD, rank)
	call MPI_Win_allocate(4096_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
	call c_f_pointer(base, memory, [1024])
	memory(1) = 0
	number = 7
	seen = 0
	call MPI_Barrier(MPI_COMM_WORLD)
	if (rank == 0) then
		call MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win)
		call MPI_Accumulate(number, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_SUM, win) ! FOUND
		call MPI_Win_unlock(1, win)
	end if
#ifndef WRONG
	call MPI_Barrier(MPI_COMM_WORLD)
#endif
	if (rank == 1) then
		call MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win)
		seen = memory(1) ! USED
		call MPI_Win_unlock(1, win)
	end if
	call MPI_Barrier(MPI_COMM_WORLD)
	if (seen > 7) print '(a)', 'wrong'
	call MPI_Win_free(win)
	call MPI_Finalize()
	if (rank == 0) print '(a)', 'ok'
end program

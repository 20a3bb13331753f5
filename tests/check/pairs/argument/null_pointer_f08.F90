! pair: check=argument.null-pointer ranks=2 at=0,1 dies
!
! A pointer that is not associated, in place of an array of displacements.
program null_pointer
	use mpi_f08
	implicit none
	integer :: rank, all(2), counts(2)
	integer, pointer :: displs(:)
	integer, target :: places(2)

	call MPI_Init()
	call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank)
	counts = 1
	places = [0, 1]
	displs => places
#ifdef WRONG
	nullify(displs)
#endif
	call MPI_Allgatherv(rank, 1, MPI_INTEGER, all, counts, displs, MPI_INTEGER, MPI_COMM_WORLD) ! FOUND
	call MPI_Finalize()
	if (rank == 0 .and. all(2) == 1) print '(a)', 'ok'
end program

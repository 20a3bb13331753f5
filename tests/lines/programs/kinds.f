C     Fixed form, without interfaces.
      SUBROUTINE EXCHG(COMM, TIMES)
      INCLUDE 'mpif.h'
      INTEGER COMM, TIMES, I, IERR, VALUES(10)
      INTEGER STATUS(MPI_STATUS_SIZE)
      VALUES(1) = 0
      DO 10 I = 1, TIMES
        CALL MPI_BARRIER(COMM, IERR)
C       @ exchg x3
        CALL MPI_SENDRECV(VALUES(1), 1, MPI_INTEGER,
C       @ exchg x3
     &    MPI_PROC_NULL, 1, VALUES(2), 1, MPI_INTEGER,
     &    MPI_PROC_NULL, 1, COMM, STATUS, IERR)
   10 CONTINUE
      CALL MPI_BCAST(VALUES, 10, MPI_INTEGER, 0, COMM, IERR)
C     @ exchg
      END

      PROGRAM KINDS
      INCLUDE 'mpif.h'
      INTEGER IERR
      CALL MPI_INIT(IERR)
C     @ kinds
      CALL EXCHG(MPI_COMM_SELF, 3)
      CALL MPI_FINALIZE(IERR)
C     @ kinds
      END

/* The <mpi.h> of the fake MPI library. Its numbers differ from those of real libraries, so that nothing works by chance. The functions
 * are generated from the table of calls. */
#ifndef TARRY_FAKE_MPI
#error "only for what is built with the fake MPI library"
#endif
#ifndef TESTS_UNIT_FAKE_MPI_H
#define TESTS_UNIT_FAKE_MPI_H

#include <stddef.h>
#include <stdint.h>

#define MPI_VERSION 4
#define MPI_SUBVERSION 0

typedef int MPI_Comm, MPI_Datatype, MPI_Errhandler, MPI_File, MPI_Fint, MPI_Group, MPI_Info, MPI_Message,
	MPI_Op;
typedef int MPI_Request, MPI_Session, MPI_Win;
typedef int MPI_T_enum, MPI_T_cvar_handle;
typedef intptr_t MPI_Aint;
typedef int64_t MPI_Count, MPI_Offset;
typedef MPI_Count partition_count; /* of MPI_Psend_init, as in MPI 4.0 (flavour.h) */

typedef struct {
	int MPI_SOURCE, MPI_TAG, MPI_ERROR;
	int cancelled;
	MPI_Count bytes;
} MPI_Status;

#define MPI_STATUS_IGNORE ((MPI_Status *)NULL)
#define MPI_STATUSES_IGNORE ((MPI_Status *)NULL)
#define MPI_IN_PLACE ((void *)-7)
#define MPI_UNWEIGHTED ((int *)-8)
#define MPI_WEIGHTS_EMPTY ((int *)-9)
#define MPI_ERRCODES_IGNORE ((int *)NULL)
#define MPI_ARGV_NULL ((char **)NULL)

/* All null handles. */
enum {
	MPI_COMM_NULL,
	MPI_DATATYPE_NULL = 0,
	MPI_ERRHANDLER_NULL = 0,
	MPI_FILE_NULL = 0,
	MPI_GROUP_NULL = 0,
	MPI_INFO_NULL = 0,
	MPI_KEYVAL_INVALID = 0,
	MPI_MESSAGE_NULL = 0,
	MPI_OP_NULL = 0,
	MPI_REQUEST_NULL = 0,
	MPI_SESSION_NULL = 0,
	MPI_WIN_NULL = 0
};

enum { MPI_COMM_WORLD = 71, MPI_COMM_SELF, MPI_MESSAGE_NO_PROC, MPI_GROUP_EMPTY, MPI_INFO_ENV };
#define MPI_COMM_NULL_COPY_FN NULL
enum { MPI_COMM_TYPE_SHARED = 1 };
enum { MPI_ERRORS_ARE_FATAL = 81, MPI_ERRORS_RETURN };
enum { MPI_TAG_UB = 91 };
enum { MPI_BSEND_OVERHEAD = 56 };
/* The lowest byte of a predefined datatype is its size. */
enum { MPI_BYTE = 0x5201, MPI_SHORT = 0x5202, MPI_INT = 0x5204, MPI_DOUBLE = 0x5208 };
enum { MPI_UNSIGNED = 0x5304, MPI_UNSIGNED_LONG = 0x5308, MPI_UNSIGNED_LONG_LONG = 0x5408 };
enum {
	MPI_CHAR = 0x5501,
	MPI_UNSIGNED_CHAR = 0x5601,
	MPI_PACKED = 0x5701,
	MPI_FLOAT = 0x5504,
	MPI_LONG = 0x5508
};
enum { MPI_LONG_LONG = 0x5608, MPI_INT32_T = 0x5604, MPI_INT64_T = 0x5708, MPI_UINT64_T = 0x5808 };
enum {
	MPI_INTEGER = 0x5704,
	MPI_REAL = 0x5804,
	MPI_DOUBLE_PRECISION = 0x5908,
	MPI_C_DOUBLE_COMPLEX = 0x5510
};
enum {
	MPI_NO_OP = 31,
	MPI_REPLACE,
	MPI_MAXLOC,
	MPI_MINLOC,
	MPI_BXOR,
	MPI_LXOR,
	MPI_BOR,
	MPI_LOR,
	MPI_BAND,
	MPI_LAND,
	MPI_PROD,
	MPI_SUM,
	MPI_MIN,
	MPI_MAX
};

enum { MPI_UNDEFINED = -15, MPI_ANY_TAG, MPI_ROOT, MPI_PROC_NULL, MPI_ANY_SOURCE };
/* Classes of errors. */
enum {
	MPI_SUCCESS,
	MPI_ERR_WIN,
	MPI_ERR_UNSUPPORTED_OPERATION,
	MPI_ERR_UNSUPPORTED_DATAREP,
	MPI_ERR_SPAWN,
	MPI_ERR_SIZE,
	MPI_ERR_SERVICE,
	MPI_ERR_RMA_SYNC,
	MPI_ERR_RMA_CONFLICT,
	MPI_ERR_READ_ONLY,
	MPI_ERR_QUOTA,
	MPI_ERR_PORT,
	MPI_ERR_NO_SUCH_FILE,
	MPI_ERR_NO_SPACE,
	MPI_ERR_NOT_SAME,
	MPI_ERR_NO_MEM,
	MPI_ERR_NAME,
	MPI_ERR_LOCKTYPE,
	MPI_ERR_KEYVAL,
	MPI_ERR_IO,
	MPI_ERR_INFO,
	MPI_ERR_INFO_VALUE,
	MPI_ERR_INFO_NOKEY,
	MPI_ERR_INFO_KEY,
	MPI_ERR_FILE,
	MPI_ERR_FILE_IN_USE,
	MPI_ERR_FILE_EXISTS,
	MPI_ERR_DUP_DATAREP,
	MPI_ERR_DISP,
	MPI_ERR_CONVERSION,
	MPI_ERR_BASE,
	MPI_ERR_BAD_FILE,
	MPI_ERR_ASSERT,
	MPI_ERR_AMODE,
	MPI_ERR_ACCESS,
	MPI_ERR_PENDING,
	MPI_ERR_IN_STATUS,
	MPI_ERR_INTERN,
	MPI_ERR_OTHER,
	MPI_ERR_TRUNCATE,
	MPI_ERR_UNKNOWN,
	MPI_ERR_ARG,
	MPI_ERR_DIMS,
	MPI_ERR_TOPOLOGY,
	MPI_ERR_OP,
	MPI_ERR_GROUP,
	MPI_ERR_ROOT,
	MPI_ERR_REQUEST,
	MPI_ERR_RANK,
	MPI_ERR_COMM,
	MPI_ERR_TAG,
	MPI_ERR_TYPE,
	MPI_ERR_COUNT,
	MPI_ERR_BUFFER
};
enum { MPI_THREAD_SINGLE = 40, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
enum { MPI_GRAPH = 11, MPI_DIST_GRAPH, MPI_CART };
enum { MPI_LOCK_SHARED = 51, MPI_LOCK_EXCLUSIVE };
enum { MPI_WIN_BASE = 71, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL };
enum {
	MPI_MODE_NOSUCCEED = 32,
	MPI_MODE_NOPRECEDE = 64,
	MPI_MODE_NOPUT = 128,
	MPI_MODE_NOSTORE = 256,
	MPI_MODE_NOCHECK = 512
};
enum {
	MPI_MODE_WRONLY = 1,
	MPI_MODE_RDONLY = 2,
	MPI_MODE_RDWR = 4,
	MPI_MODE_CREATE = 8,
	MPI_MODE_EXCL = 16,
	MPI_MODE_SEQUENTIAL = 1024,
	MPI_MODE_APPEND = 2048
};
#define MPI_DISPLACEMENT_CURRENT ((MPI_Offset)-99)
enum {
	MPI_MAX_LIBRARY_VERSION_STRING = 64,
	MPI_MAX_PORT_NAME = 64,
	MPI_MAX_OBJECT_NAME = 64,
	MPI_MAX_INFO_KEY = 64
};

/* The part of the tools interface that the recorder uses. */
int PMPI_T_init_thread(int required, int *provided);
int PMPI_T_finalize(void);
int PMPI_T_cvar_get_index(const char *name, int *index);
int PMPI_T_cvar_get_info(int index, char *name, int *name_room, int *verbosity, MPI_Datatype *type,
                         MPI_T_enum *names, char *text, int *text_room, int *bind, int *scope);
int PMPI_T_cvar_handle_alloc(int index, void *object, MPI_T_cvar_handle *handle, int *count);
int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void *value);
int PMPI_T_cvar_handle_free(MPI_T_cvar_handle *handle);

#include "fake_mpi.h"

#endif

/* The <mpi.h> of MPI's standard binary interface (MPI 5.0, chapter 20), which all libraries named libmpi_abi implement. With this own copy,
 * Tarry's libraries for the interface are built without an MPI library. The standard fixes the integer types, the layout of a status, the values of all
 * constants, and predefined handles, which are small numbers instead of addresses. The functions come from the table of calls. */
#ifndef TARRY_JOB_MPI_ABI_MPI_H
#define TARRY_JOB_MPI_ABI_MPI_H

#include <stddef.h>
#include <stdint.h>

/* Tells code which interface it is compiled for. */
#define TARRY_MPI_ABI 1

#define MPI_VERSION 5
#define MPI_SUBVERSION 0
#define MPI_ABI_VERSION 1
#define MPI_ABI_SUBVERSION 0

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset, MPI_Count;
typedef int MPI_Fint; /* of all supported Fortran compilers; not part of the interface */
/* The count of MPI_Psend_init, as corrected after MPI 4.0 (flavour.h). */
typedef int partition_count;

typedef struct {
	int MPI_SOURCE, MPI_TAG, MPI_ERROR;
	int MPI_internal[5];
} MPI_Status;

typedef struct MPI_ABI_Comm *MPI_Comm;
typedef struct MPI_ABI_Datatype *MPI_Datatype;
typedef struct MPI_ABI_Errhandler *MPI_Errhandler;
typedef struct MPI_ABI_File *MPI_File;
typedef struct MPI_ABI_Group *MPI_Group;
typedef struct MPI_ABI_Info *MPI_Info;
typedef struct MPI_ABI_Message *MPI_Message;
typedef struct MPI_ABI_Op *MPI_Op;
typedef struct MPI_ABI_Request *MPI_Request;
typedef struct MPI_ABI_Session *MPI_Session;
typedef struct MPI_ABI_Win *MPI_Win;
typedef struct MPI_ABI_T_enum *MPI_T_enum;
typedef struct MPI_ABI_T_cvar_handle *MPI_T_cvar_handle;

/* Handles. A class of objects has its own range of numbers. */
#define MPI_OP_NULL ((MPI_Op)0x20)
#define MPI_SUM ((MPI_Op)0x21)
#define MPI_MIN ((MPI_Op)0x22)
#define MPI_MAX ((MPI_Op)0x23)
#define MPI_PROD ((MPI_Op)0x24)
#define MPI_BAND ((MPI_Op)0x28)
#define MPI_BOR ((MPI_Op)0x29)
#define MPI_BXOR ((MPI_Op)0x2a)
#define MPI_LAND ((MPI_Op)0x30)
#define MPI_LOR ((MPI_Op)0x31)
#define MPI_LXOR ((MPI_Op)0x32)
#define MPI_MINLOC ((MPI_Op)0x38)
#define MPI_MAXLOC ((MPI_Op)0x39)
#define MPI_REPLACE ((MPI_Op)0x3c)
#define MPI_NO_OP ((MPI_Op)0x3d)

#define MPI_COMM_NULL ((MPI_Comm)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_COMM_SELF ((MPI_Comm)0x102)
#define MPI_GROUP_NULL ((MPI_Group)0x108)
#define MPI_GROUP_EMPTY ((MPI_Group)0x109)
#define MPI_WIN_NULL ((MPI_Win)0x110)
#define MPI_FILE_NULL ((MPI_File)0x118)
#define MPI_SESSION_NULL ((MPI_Session)0x120)
#define MPI_MESSAGE_NULL ((MPI_Message)0x128)
#define MPI_MESSAGE_NO_PROC ((MPI_Message)0x129)
#define MPI_INFO_NULL ((MPI_Info)0x130)
#define MPI_INFO_ENV ((MPI_Info)0x131)
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0x140)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)0x141)
#define MPI_ERRORS_ABORT ((MPI_Errhandler)0x142)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x143)
#define MPI_REQUEST_NULL ((MPI_Request)0x180)

#define MPI_DATATYPE_NULL ((MPI_Datatype)0x200)
#define MPI_AINT ((MPI_Datatype)0x201)
#define MPI_COUNT ((MPI_Datatype)0x202)
#define MPI_OFFSET ((MPI_Datatype)0x203)
#define MPI_PACKED ((MPI_Datatype)0x207)
#define MPI_SHORT ((MPI_Datatype)0x208)
#define MPI_INT ((MPI_Datatype)0x209)
#define MPI_LONG ((MPI_Datatype)0x20a)
#define MPI_LONG_LONG ((MPI_Datatype)0x20b)
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_UNSIGNED_SHORT ((MPI_Datatype)0x20c)
#define MPI_UNSIGNED ((MPI_Datatype)0x20d)
#define MPI_UNSIGNED_LONG ((MPI_Datatype)0x20e)
#define MPI_UNSIGNED_LONG_LONG ((MPI_Datatype)0x20f)
#define MPI_FLOAT ((MPI_Datatype)0x210)
#define MPI_C_FLOAT_COMPLEX ((MPI_Datatype)0x212)
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_CXX_FLOAT_COMPLEX ((MPI_Datatype)0x213)
#define MPI_DOUBLE ((MPI_Datatype)0x214)
#define MPI_C_DOUBLE_COMPLEX ((MPI_Datatype)0x216)
#define MPI_CXX_DOUBLE_COMPLEX ((MPI_Datatype)0x217)
#define MPI_LOGICAL ((MPI_Datatype)0x218)
#define MPI_INTEGER ((MPI_Datatype)0x219)
#define MPI_REAL ((MPI_Datatype)0x21a)
#define MPI_COMPLEX ((MPI_Datatype)0x21b)
#define MPI_DOUBLE_PRECISION ((MPI_Datatype)0x21c)
#define MPI_DOUBLE_COMPLEX ((MPI_Datatype)0x21d)
#define MPI_CHARACTER ((MPI_Datatype)0x21e)
#define MPI_LONG_DOUBLE ((MPI_Datatype)0x220)
#define MPI_C_LONG_DOUBLE_COMPLEX ((MPI_Datatype)0x224)
#define MPI_CXX_LONG_DOUBLE_COMPLEX ((MPI_Datatype)0x225)
#define MPI_FLOAT_INT ((MPI_Datatype)0x228)
#define MPI_DOUBLE_INT ((MPI_Datatype)0x229)
#define MPI_LONG_INT ((MPI_Datatype)0x22a)
#define MPI_2INT ((MPI_Datatype)0x22b)
#define MPI_SHORT_INT ((MPI_Datatype)0x22c)
#define MPI_LONG_DOUBLE_INT ((MPI_Datatype)0x22d)
#define MPI_2REAL ((MPI_Datatype)0x230)
#define MPI_2DOUBLE_PRECISION ((MPI_Datatype)0x231)
#define MPI_2INTEGER ((MPI_Datatype)0x232)
#define MPI_C_BOOL ((MPI_Datatype)0x238)
#define MPI_CXX_BOOL ((MPI_Datatype)0x239)
#define MPI_WCHAR ((MPI_Datatype)0x23c)
/* The following numbers contain the size: bits 3 to 5 are its binary logarithm. */
#define MPI_INT8_T ((MPI_Datatype)0x240)
#define MPI_UINT8_T ((MPI_Datatype)0x241)
#define MPI_CHAR ((MPI_Datatype)0x243)
#define MPI_SIGNED_CHAR ((MPI_Datatype)0x244)
#define MPI_UNSIGNED_CHAR ((MPI_Datatype)0x245)
#define MPI_BYTE ((MPI_Datatype)0x247)
#define MPI_INT16_T ((MPI_Datatype)0x248)
#define MPI_UINT16_T ((MPI_Datatype)0x249)
#define MPI_INT32_T ((MPI_Datatype)0x250)
#define MPI_UINT32_T ((MPI_Datatype)0x251)
#define MPI_INT64_T ((MPI_Datatype)0x258)
#define MPI_UINT64_T ((MPI_Datatype)0x259)
#define MPI_LOGICAL1 ((MPI_Datatype)0x2c0)
#define MPI_INTEGER1 ((MPI_Datatype)0x2c1)
#define MPI_LOGICAL2 ((MPI_Datatype)0x2c8)
#define MPI_INTEGER2 ((MPI_Datatype)0x2c9)
#define MPI_REAL2 ((MPI_Datatype)0x2ca)
#define MPI_LOGICAL4 ((MPI_Datatype)0x2d0)
#define MPI_INTEGER4 ((MPI_Datatype)0x2d1)
#define MPI_REAL4 ((MPI_Datatype)0x2d2)
#define MPI_COMPLEX4 ((MPI_Datatype)0x2d3)
#define MPI_LOGICAL8 ((MPI_Datatype)0x2d8)
#define MPI_INTEGER8 ((MPI_Datatype)0x2d9)
#define MPI_REAL8 ((MPI_Datatype)0x2da)
#define MPI_COMPLEX8 ((MPI_Datatype)0x2db)
#define MPI_LOGICAL16 ((MPI_Datatype)0x2e0)
#define MPI_INTEGER16 ((MPI_Datatype)0x2e1)
#define MPI_REAL16 ((MPI_Datatype)0x2e2)
#define MPI_COMPLEX16 ((MPI_Datatype)0x2e3)
#define MPI_COMPLEX32 ((MPI_Datatype)0x2eb)

/* Special addresses. */
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_BUFFER_AUTOMATIC ((void *)2)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_ERRCODES_IGNORE ((int *)0)
#define MPI_ARGV_NULL ((char **)0)
#define MPI_ARGVS_NULL ((char ***)0)
#define MPI_UNWEIGHTED ((int *)10)
#define MPI_WEIGHTS_EMPTY ((int *)11)
#define MPI_DISPLACEMENT_CURRENT ((MPI_Offset)-1)

/* Error classes, from 1 without gaps. */
enum {
	MPI_SUCCESS,
	MPI_ERR_BUFFER,
	MPI_ERR_COUNT,
	MPI_ERR_TYPE,
	MPI_ERR_TAG,
	MPI_ERR_COMM,
	MPI_ERR_RANK,
	MPI_ERR_REQUEST,
	MPI_ERR_ROOT,
	MPI_ERR_GROUP,
	MPI_ERR_OP,
	MPI_ERR_TOPOLOGY,
	MPI_ERR_DIMS,
	MPI_ERR_ARG,
	MPI_ERR_UNKNOWN,
	MPI_ERR_TRUNCATE,
	MPI_ERR_OTHER,
	MPI_ERR_INTERN,
	MPI_ERR_PENDING,
	MPI_ERR_IN_STATUS,
	MPI_ERR_ACCESS,
	MPI_ERR_AMODE,
	MPI_ERR_ASSERT,
	MPI_ERR_BAD_FILE,
	MPI_ERR_BASE,
	MPI_ERR_CONVERSION,
	MPI_ERR_DISP,
	MPI_ERR_DUP_DATAREP,
	MPI_ERR_FILE_EXISTS,
	MPI_ERR_FILE_IN_USE,
	MPI_ERR_FILE,
	MPI_ERR_INFO_KEY,
	MPI_ERR_INFO_NOKEY,
	MPI_ERR_INFO_VALUE,
	MPI_ERR_INFO,
	MPI_ERR_IO,
	MPI_ERR_KEYVAL,
	MPI_ERR_LOCKTYPE,
	MPI_ERR_NAME,
	MPI_ERR_NO_MEM,
	MPI_ERR_NOT_SAME,
	MPI_ERR_NO_SPACE,
	MPI_ERR_NO_SUCH_FILE,
	MPI_ERR_PORT,
	MPI_ERR_QUOTA,
	MPI_ERR_READ_ONLY,
	MPI_ERR_RMA_ATTACH,
	MPI_ERR_RMA_CONFLICT,
	MPI_ERR_RMA_RANGE,
	MPI_ERR_RMA_SHARED,
	MPI_ERR_RMA_SYNC,
	MPI_ERR_SERVICE,
	MPI_ERR_SIZE,
	MPI_ERR_SPAWN,
	MPI_ERR_UNSUPPORTED_DATAREP,
	MPI_ERR_UNSUPPORTED_OPERATION,
	MPI_ERR_WIN,
	MPI_ERR_RMA_FLAVOR,
	MPI_ERR_PROC_ABORTED,
	MPI_ERR_VALUE_TOO_LARGE,
	MPI_ERR_SESSION,
	MPI_ERR_ERRHANDLER,
	MPI_ERR_ABI,
	MPI_ERR_LASTCODE = 0x3fff
};

enum { MPI_ANY_SOURCE = -1, MPI_ANY_TAG = -2, MPI_PROC_NULL = -3, MPI_ROOT = -4, MPI_UNDEFINED = -32766 };

enum {
	MPI_THREAD_SINGLE = 0,
	MPI_THREAD_FUNNELED = 1024,
	MPI_THREAD_SERIALIZED = 2048,
	MPI_THREAD_MULTIPLE = 4096
};

/* Modes of files and assertions about windows: powers of two, except 512. */
enum {
	MPI_MODE_APPEND = 1,
	MPI_MODE_CREATE = 2,
	MPI_MODE_DELETE_ON_CLOSE = 4,
	MPI_MODE_EXCL = 8,
	MPI_MODE_RDONLY = 16,
	MPI_MODE_RDWR = 32,
	MPI_MODE_SEQUENTIAL = 64,
	MPI_MODE_UNIQUE_OPEN = 128,
	MPI_MODE_WRONLY = 256,
	MPI_MODE_NOCHECK = 1024,
	MPI_MODE_NOPRECEDE = 2048,
	MPI_MODE_NOPUT = 4096,
	MPI_MODE_NOSTORE = 8192,
	MPI_MODE_NOSUCCEED = 16384
};

enum { MPI_ORDER_C = 12, MPI_ORDER_FORTRAN = 15 };
enum { MPI_DISTRIBUTE_NONE = 16, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG };
enum {
	MPI_COMBINER_NAMED = 101,
	MPI_COMBINER_DUP,
	MPI_COMBINER_CONTIGUOUS,
	MPI_COMBINER_VECTOR,
	MPI_COMBINER_HVECTOR,
	MPI_COMBINER_INDEXED,
	MPI_COMBINER_HINDEXED,
	MPI_COMBINER_INDEXED_BLOCK,
	MPI_COMBINER_HINDEXED_BLOCK,
	MPI_COMBINER_STRUCT,
	MPI_COMBINER_SUBARRAY,
	MPI_COMBINER_DARRAY,
	MPI_COMBINER_F90_REAL,
	MPI_COMBINER_F90_COMPLEX,
	MPI_COMBINER_F90_INTEGER,
	MPI_COMBINER_RESIZED,
	MPI_COMBINER_VALUE_INDEX
};
enum { MPI_TYPECLASS_INTEGER = 192, MPI_TYPECLASS_REAL, MPI_TYPECLASS_COMPLEX };
enum { MPI_IDENT = 201, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL };
enum { MPI_CART = 211, MPI_GRAPH, MPI_DIST_GRAPH };
enum {
	MPI_COMM_TYPE_SHARED = 221,
	MPI_COMM_TYPE_HW_UNGUIDED,
	MPI_COMM_TYPE_HW_GUIDED,
	MPI_COMM_TYPE_RESOURCE_GUIDED
};
enum { MPI_LOCK_EXCLUSIVE = 301, MPI_LOCK_SHARED };
enum { MPI_WIN_FLAVOR_CREATE = 311, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_DYNAMIC, MPI_WIN_FLAVOR_SHARED };
enum { MPI_WIN_UNIFIED = 321, MPI_WIN_SEPARATE };
enum { MPI_SEEK_CUR = 401, MPI_SEEK_END, MPI_SEEK_SET };

/* Keys of attributes. */
enum {
	MPI_KEYVAL_INVALID,
	MPI_TAG_UB = 501,
	MPI_IO,
	MPI_HOST,
	MPI_WTIME_IS_GLOBAL,
	MPI_APPNUM,
	MPI_LASTUSEDCODE,
	MPI_UNIVERSE_SIZE,
	MPI_WIN_BASE = 601,
	MPI_WIN_DISP_UNIT,
	MPI_WIN_SIZE,
	MPI_WIN_CREATE_FLAVOR,
	MPI_WIN_MODEL
};

enum {
	MPI_MAX_DATAREP_STRING = 128,
	MPI_MAX_ERROR_STRING = 512,
	MPI_MAX_INFO_KEY = 256,
	MPI_MAX_INFO_VAL = 1024,
	MPI_MAX_LIBRARY_VERSION_STRING = 8192,
	MPI_MAX_OBJECT_NAME = 128,
	MPI_MAX_PORT_NAME = 1024,
	MPI_MAX_PROCESSOR_NAME = 256,
	MPI_MAX_STRINGTAG_LEN = 1024,
	MPI_MAX_PSET_NAME_LEN = 1024,
	MPI_BSEND_OVERHEAD = 512
};

/* Callbacks of the program. */
typedef void MPI_User_function(void *, void *, int *, MPI_Datatype *);
typedef void MPI_User_function_c(void *, void *, MPI_Count *, MPI_Datatype *);
typedef int MPI_Grequest_query_function(void *, MPI_Status *);
typedef int MPI_Grequest_free_function(void *);
typedef int MPI_Grequest_cancel_function(void *, int);
typedef int MPI_Copy_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Delete_function(MPI_Comm, int, void *, void *);
typedef MPI_Copy_function MPI_Comm_copy_attr_function;
typedef MPI_Delete_function MPI_Comm_delete_attr_function;
typedef int MPI_Type_copy_attr_function(MPI_Datatype, int, void *, void *, void *, int *);
typedef int MPI_Type_delete_attr_function(MPI_Datatype, int, void *, void *);
typedef int MPI_Win_copy_attr_function(MPI_Win, int, void *, void *, void *, int *);
typedef int MPI_Win_delete_attr_function(MPI_Win, int, void *, void *);
typedef int MPI_Datarep_extent_function(MPI_Datatype, MPI_Aint *, void *);
typedef int MPI_Datarep_conversion_function(void *, MPI_Datatype, int, void *, MPI_Offset, void *);
typedef int MPI_Datarep_conversion_function_c(void *, MPI_Datatype, MPI_Count, void *, MPI_Offset, void *);
typedef void MPI_Comm_errhandler_function(MPI_Comm *, int *, ...);
typedef void MPI_File_errhandler_function(MPI_File *, int *, ...);
typedef void MPI_Win_errhandler_function(MPI_Win *, int *, ...);
typedef void MPI_Session_errhandler_function(MPI_Session *, int *, ...);
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_DUP_FN ((MPI_Comm_copy_attr_function *)1)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)

/* The part of the tools interface that the recorder uses. */
int PMPI_T_init_thread(int required, int *provided);
int PMPI_T_finalize(void);
int PMPI_T_cvar_get_index(const char *name, int *index);
int PMPI_T_cvar_get_info(int index, char *name, int *name_room, int *verbosity, MPI_Datatype *type,
                         MPI_T_enum *names, char *text, int *text_room, int *bind, int *scope);
int PMPI_T_cvar_handle_alloc(int index, void *object, MPI_T_cvar_handle *handle, int *count);
int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void *value);
int PMPI_T_cvar_handle_free(MPI_T_cvar_handle *handle);

#include "calls/mpi_calls.h"

#endif

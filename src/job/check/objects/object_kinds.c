#include "job/check/objects/object_kinds.h"

#include "job/check/objects/mapped_memory.h"
#include "job/mpi/fortran.h"

#include <stdio.h>
#if defined(OPEN_MPI)
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>
#endif

/* One line per kind of handle: its word in the names of functions, its C type and its null handle. */
#if HAS_SESSIONS
#define SESSION_HANDLES(X) X(SESSION, session, MPI_Session, MPI_SESSION_NULL)
#else
#define SESSION_HANDLES(X)
#endif
#define HANDLES(X) \
	X(COMM, comm, MPI_Comm, MPI_COMM_NULL) \
	X(TYPE, type, MPI_Datatype, MPI_DATATYPE_NULL) \
	X(GROUP, group, MPI_Group, MPI_GROUP_NULL) \
	X(WIN, win, MPI_Win, MPI_WIN_NULL) \
	X(OP, op, MPI_Op, MPI_OP_NULL) \
	X(INFO, info, MPI_Info, MPI_INFO_NULL) \
	X(FILE, file, MPI_File, MPI_FILE_NULL) \
	X(ERRHANDLER, errhandler, MPI_Errhandler, MPI_ERRHANDLER_NULL) \
	X(MESSAGE, message, MPI_Message, MPI_MESSAGE_NULL) \
	X(REQUEST, request, MPI_Request, MPI_REQUEST_NULL) \
	SESSION_HANDLES(X)

const char *object_type_name(enum object_kind kind)
{
#define TYPE_NAME(KIND, word, type, null) [OBJECT_##KIND] = #type,
	static const char *const names[OBJECT_KINDS] = {HANDLES(TYPE_NAME)[OBJECT_KEYVAL] = "keyval"};

	return names[kind];
}

const char *null_handle_name(enum object_kind kind)
{
#define NULL_NAME(KIND, word, type, null) [OBJECT_##KIND] = #null,
	static const char *const names[OBJECT_KINDS] = {
		HANDLES(NULL_NAME)[OBJECT_KEYVAL] = "MPI_KEYVAL_INVALID"};

	return names[kind] ? names[kind] : "NULL";
}

bool handle_is_null(enum object_kind kind, uint64_t handle)
{
#define NULL_OF(KIND, word, type, null) \
	case OBJECT_##KIND: \
		return handle == HANDLE(null);

	switch (kind) {
		HANDLES(NULL_OF)
	case OBJECT_KEYVAL:
		return (int)handle == MPI_KEYVAL_INVALID;
	default:
		return false;
	}
}

uint64_t handle_at(enum object_kind kind, const void *array, size_t index, bool fortran)
{
#define VALUE_OF(KIND, word, type, null) \
	case OBJECT_##KIND: \
		return fortran ? F_HANDLE(word, (const MPI_Fint *)array + index) \
		               : HANDLE(((const type *)array)[index]);

	switch (kind) {
		HANDLES(VALUE_OF)
	case OBJECT_KEYVAL: /* an integer in both languages */
		return (uint64_t)((const int *)array)[index];
	default:
		return 0;
	}
}

bool handle_is_missing(uint64_t handle)
{
	return sizeof(MPI_Request) == sizeof(void *) && (int64_t)handle < 0;
}

void handle_print(uint64_t handle, bool fortran, char text[HANDLE_TEXT])
{
	if (fortran && handle_is_missing(handle))
		snprintf(text, HANDLE_TEXT, "%d", (int32_t)~handle);
	else if ((int64_t)handle == (int32_t)handle) /* handles of MPICH are integers, except files */
		snprintf(text, HANDLE_TEXT, "%#x", (uint32_t)handle);
	else
		snprintf(text, HANDLE_TEXT, "%#llx", (unsigned long long)handle);
}

#if defined(TARRY_FAKE_MPI)
bool handle_is_malformed(enum object_kind kind, uint64_t handle)
{
	(void)kind;
	return (int64_t)handle < 0;
}
#elif defined(OPEN_MPI)
/* True if MPI knows an object at this address: its Fortran handle leads back to it. */
static bool is_registered(enum object_kind kind, uint64_t handle)
{
#define REGISTERED(KIND, type, Name) \
	case OBJECT_##KIND: \
		return HANDLE(PMPI_##Name##_f2c(PMPI_##Name##_c2f((type)(uintptr_t)handle))) == handle;

	switch (kind) {
		REGISTERED(COMM, MPI_Comm, Comm)
		REGISTERED(GROUP, MPI_Group, Group)
		REGISTERED(OP, MPI_Op, Op)
		REGISTERED(WIN, MPI_Win, Win)
	default:
		return true; /* another thread may create an object with that number just now */
	}
}

extern const char ompi_request_t_class[] __attribute__((weak));

/* Reads memory that may not exist (0). Returns `otherwise` if the system does not allow such reads. */
static uint64_t word_at(uint64_t address, uint64_t otherwise)
{
	uint64_t word = 0;
	const struct iovec to = {&word, sizeof word}, from = {(void *)(uintptr_t)address, sizeof word};
	const int kept_errno = errno;
	const bool is_refused = process_vm_readv(getpid(), &to, 1, &from, 1, 0) != sizeof word &&
	                        errno != EFAULT;

	errno = kept_errno;
	return is_refused ? otherwise : word;
}

/* Objects begin with the address of their class, which contains its name and its parent class. */
static bool has_class_of_requests(uint64_t handle)
{
	enum { DEEPEST = 16 };
	const uint64_t wanted = (uintptr_t)ompi_request_t_class;
	uint64_t class = word_at(handle, wanted);

	for (int i = 0; i < DEEPEST && class && class != wanted; i++)
		class = word_at(class + sizeof(void *), wanted);
	return class == wanted;
}

/* The test counts only if a known request passes it: in debugging libraries, something precedes the class. */
static bool is_no_request(uint64_t handle)
{
	return ompi_request_t_class && !has_class_of_requests(handle) &&
	       has_class_of_requests(HANDLE(MPI_REQUEST_NULL));
}

/* Handles are addresses of structures of several hundred bytes. */
bool handle_is_malformed(enum object_kind kind, uint64_t handle)
{
	enum { LOWEST_ADDRESS = 4096, BYTES_THAT_MAY_BE_READ = 1024 };

	if (kind == OBJECT_KEYVAL)
		return (int64_t)handle < 0;
	if ((int64_t)handle < LOWEST_ADDRESS || handle % sizeof(void *) != 0)
		return true;
	if (kind == OBJECT_REQUEST)
		return is_no_request(handle);
	if (!is_mapped(handle))
		return true;
	return is_mapped(handle + BYTES_THAT_MAY_BE_READ) && !is_registered(kind, handle);
}
#elif defined(TARRY_MPI_ABI)
/* Numbers below 4096 are reserved for predefined objects; each kind has a range of them. Libraries may use all other numbers. */
bool handle_is_malformed(enum object_kind kind, uint64_t handle)
{
	enum { LIBRARY_FIRST = 4096 };
	static const struct {
		uint16_t first, last;
	} ranges[OBJECT_KINDS] = {
		[OBJECT_OP] = {0x20, 0x3f},           [OBJECT_COMM] = {0x100, 0x107},
		[OBJECT_GROUP] = {0x108, 0x10f},      [OBJECT_WIN] = {0x110, 0x117},
		[OBJECT_FILE] = {0x118, 0x11f},       [OBJECT_SESSION] = {0x120, 0x127},
		[OBJECT_MESSAGE] = {0x128, 0x12f},    [OBJECT_INFO] = {0x130, 0x13f},
		[OBJECT_ERRHANDLER] = {0x140, 0x17f}, [OBJECT_REQUEST] = {0x180, 0x1ff},
		[OBJECT_TYPE] = {0x200, 0x3ff},
	};

	return ranges[kind].first && handle < LIBRARY_FIRST &&
	       (handle < ranges[kind].first || handle > ranges[kind].last);
}
#else
/* The two highest bits say how the object is stored (0: invalid), the next four bits its kind. */
bool handle_is_malformed(enum object_kind kind, uint64_t handle)
{
	static const uint8_t bits[OBJECT_KINDS] = {
		[OBJECT_COMM] = 1,      [OBJECT_GROUP] = 2,     [OBJECT_TYPE] = 3, [OBJECT_ERRHANDLER] = 5,
		[OBJECT_OP] = 6,        [OBJECT_INFO] = 7,      [OBJECT_WIN] = 8,  [OBJECT_KEYVAL] = 9,
		[OBJECT_REQUEST] = 0xb, [OBJECT_MESSAGE] = 0xb,
	};
	const uint32_t word = (uint32_t)handle;

	if (kind == OBJECT_FILE)
		return handle < 4096 || handle % sizeof(void *) != 0;
	return bits[kind] && (word >> 30 == 0 || (word >> 26 & 0xf) != bits[kind]);
}
#endif

bool predefined_next(size_t *position, struct predefined_object *object)
{
#define PREDEFINED(kind, constant) {OBJECT_##kind, HANDLE(constant), #constant},
	/* Handles of Open MPI are addresses, not constants. */
	const struct predefined_object all[] = {
#include "job/check/objects/predefined.def"
	};

	do {
		if (*position == sizeof all / sizeof *all)
			return false;
		*object = all[(*position)++];
	} while (handle_is_null(object->kind, object->handle));
	return true;
}

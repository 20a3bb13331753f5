/* The GNU-like runtime's functions of which no tool hears: a tool that wants them wraps them at link time. */
#include <upc_collective.h>
#include <upc_nb.h>

static const struct upcr_place unseen;

#define MOVEMENT(name) \
	void upc_##name(void *dst, const void *src, size_t bytes, upc_flag_t flags) \
	{ \
		upcr_##name(dst, src, bytes, flags, unseen); \
	}

MOVEMENT(all_broadcast)
MOVEMENT(all_scatter)
MOVEMENT(all_gather)
MOVEMENT(all_gather_all)
MOVEMENT(all_exchange)

void upc_all_permute(void *dst, const void *src, const int *perm, size_t bytes, upc_flag_t flags)
{
	upcr_all_permute(dst, src, perm, bytes, flags, unseen);
}

#define REDUCTION(letters, type) \
	void upc_all_reduce##letters(void *dst, const void *src, upc_op_t op, size_t elements, size_t block, \
	                             type (*function)(type, type), upc_flag_t flags) \
	{ \
		upcr_all_reduce##letters(dst, src, op, elements, block, function, flags, unseen); \
	} \
	void upc_all_prefix_reduce##letters(void *dst, const void *src, upc_op_t op, size_t elements, \
	                                    size_t block, type (*function)(type, type), upc_flag_t flags) \
	{ \
		upcr_all_prefix_reduce##letters(dst, src, op, elements, block, function, flags, unseen); \
	}

UPCR_REDUCTIONS(REDUCTION)

#define COPY(name) \
	upc_handle_t upc_##name##_nb(void *dst, const void *src, size_t bytes) \
	{ \
		return upcr_##name##_nb(dst, src, bytes, unseen); \
	} \
	void upc_##name##_nbi(void *dst, const void *src, size_t bytes) \
	{ \
		upcr_##name##_nbi(dst, src, bytes, unseen); \
	}

COPY(memget)
COPY(memput)
COPY(memcpy)

void upc_sync(upc_handle_t handle)
{
	upcr_sync(handle, unseen);
}

int upc_sync_attempt(upc_handle_t handle)
{
	return upcr_sync_attempt(handle, unseen);
}

void upc_synci(void)
{
	upcr_synci(unseen);
}

int upc_synci_attempt(void)
{
	return upcr_synci_attempt(unseen);
}

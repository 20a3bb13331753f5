/* upc_fence is a keyword; where a header makes a macro of it, that is kept as a function first. One statement, as before. */
#ifdef upc_fence
#define TARRY_UPC_PLAIN_FENCE 1
static __inline__ void tarry_upc_plain_fence(void)
{
	upc_fence;
}
#undef upc_fence
#define upc_fence \
	do { \
		tarry_upc_fence_start(__FILE__, __LINE__); \
		tarry_upc_plain_fence(); \
		tarry_upc_fence_end(); \
	} while (0)
#else
#define upc_fence \
	do { \
		tarry_upc_fence_start(__FILE__, __LINE__); \
		upc_fence; \
		tarry_upc_fence_end(); \
	} while (0)
#endif

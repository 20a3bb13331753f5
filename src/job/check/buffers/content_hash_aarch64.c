#include "job/check/buffers/content_hash.h"

#ifdef __aarch64__
/* All AArch64 processors have NEON. */
content_hash *content_hash_find(void)
{
	return NULL;
}
#endif

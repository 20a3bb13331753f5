/* Finds changes of a buffer while MPI sends from it (`--buffers=send`): compares hashes of its bytes when the operation begins and when it is
 * complete. Gaps of derived types are not part of the hash. */
#ifndef TARRY_JOB_CHECK_BUFFERS_BUFFER_CONTENTS_H
#define TARRY_JOB_CHECK_BUFFERS_BUFFER_CONTENTS_H

#include "job/check/buffers/active_buffers.h"

extern HIDDEN bool buffer_contents_wanted;
/* Reads the setting, also for receive_shadows.h; before the first call. */
void buffer_contents_init(void);

/* The hash does not depend on how the bytes are divided into runs. */
uint64_t byte_pattern_hash(const struct byte_pattern *pattern);
/* The hash of at most the first `limit` bytes. */
uint64_t byte_pattern_hash_first(const struct byte_pattern *pattern, int64_t limit);

/* The operation begins. `hash`: of its data; 0: unknown. */
void buffer_contents_keep(struct active_buffer *buffer, uint64_t hash);
/* `call` has completed the operation. True: the buffer's content has changed. */
bool buffer_contents_compare(struct agent_call *call, struct active_buffer *buffer);

#endif

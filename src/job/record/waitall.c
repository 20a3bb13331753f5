#include "job/record/waitall.h"

#include <string.h>

/* Requests that have been ended already come back to life, to end again in completion_add_all(). */
void waitall_resume(struct waitall *wait)
{
	const int64_t *words = wait->done.s->expected + WAITALL_FIRST;
	struct completion *done = &wait->done;

	done->key = done->few;
	done->numbers = done->few_numbers;
	done->words = KEY_VALUES;
	for (int i = 0; i < done->count; i++, words += WAITALL_WORDS) {
		uint32_t number = (uint32_t)words[1];
		request_get(number)->traits = (uint32_t)(words[1] >> 32) | REQUEST_CLAIMED;
		request_table.taken[number / REQUEST_BITS] |= 1ull << number % REQUEST_BITS;
		done->numbers[i] = number;
		memcpy(wait->raw + WAITALL_FIRST + (ptrdiff_t)WAITALL_WORDS * i, words, 2 * sizeof *words);
	}
}

void waitall_remember(struct waitall *wait, const void *site, const MPI_Status *statuses)
{
	struct stream *s = wait->done.s;
	int count = wait->done.count;

	if (count < 1 || count > WAITALL_FEW || process.multithreaded)
		return;
	wait->raw[KEY_SITE] = (int64_t)(uintptr_t)site;
	wait->raw[KEY_WHAT] = RAW_WHAT(s, CALL_Waitall);
	wait->raw[2] = count;
	for (int i = 0; i < count; i++) {
		int64_t *words = wait->raw + WAITALL_FIRST + (ptrdiff_t)WAITALL_WORDS * i;
		uint32_t traits = (uint32_t)(words[1] >> 32);
		if (words[1] < 0 || traits & ~(uint32_t)PLAIN_TRAITS ||
		    (traits & REQUEST_RECEIVES && !statuses))
			return;
		words[2] = traits & REQUEST_RECEIVES ? KEY_SOURCE(statuses[i].MPI_SOURCE, statuses[i].MPI_TAG)
		                                     : 0;
		words[3] = traits & REQUEST_RECEIVES ? status_bytes(&statuses[i]) : 0;
	}
	stream_remember_raw(s, wait->raw, (uint32_t)(WAITALL_FIRST + WAITALL_WORDS * count), NULL, 0);
}

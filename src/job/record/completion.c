#include "job/record/completion.h"

#include <string.h>

/* The key and the numbers share one piece of the thread's memory. The words that the key has already are copied. */
bool completion_find_room(struct completion *done, size_t words, size_t numbers)
{
	char *memory = stream_scratch(done->s, words * sizeof(int64_t) + numbers * sizeof(uint32_t));

	if (!memory)
		return false;
	memcpy(memory, done->key, done->words * sizeof(int64_t));
	done->key = (int64_t *)memory;
	if (numbers)
		done->numbers = (uint32_t *)(memory + words * sizeof(int64_t));
	return true;
}

void completion_forget(const void *requests, int count, bool fortran)
{
	const void *place;

	process_lock_if_shared();
	for (int i = 0; i < count; i++) {
		uint64_t handle = request_handle_at(requests, i, fortran, &place);
		uint32_t number = request_find_locked(handle, place, 0);
		if (number != NO_REQUEST && !(request_get(number)->traits & REQUEST_PERSISTENT))
			request_remove_locked(number);
	}
	process_unlock_if_shared();
}

bool completion_room(struct completion *done, int pairs)
{
	size_t words = done->words + 2 * (size_t)(pairs > 0 ? pairs : 0);

	return words <= sizeof done->few / sizeof *done->few || completion_find_room(done, words, 0);
}

MPI_Status *completion_own_statuses(struct completion *done)
{
	size_t bytes = (size_t)done->count * sizeof(MPI_Status);
	struct recording_stream *s = done->s;

	if (bytes <= s->statuses_bytes)
		return s->statuses;
	if (s->statuses)
		process_give_back(s->statuses, s->statuses_bytes);
	s->statuses_bytes = (bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
	s->statuses = process_claim(s->statuses_bytes);
	if (!s->statuses) {
		s->statuses_bytes = 0;
		process_note_lack();
	}
	return s->statuses;
}

/* These functions write to the key through a cursor and return it. If they used the key's length, the compiler would have to load it again
 * after each word, because the key may alias it. */
static inline int64_t *put_received(int64_t *at, uint32_t number, const MPI_Status *status)
{
	at[0] = KEY_DONE(number, true);
	at[1] = KEY_SOURCE(status->MPI_SOURCE >= 0               ? status->MPI_SOURCE
	                   : status->MPI_SOURCE == MPI_PROC_NULL ? RANK_NULL
	                                                         : RANK_ANY,
	                   status->MPI_TAG);
	at[2] = status_bytes(status);
	return at + 3;
}

/* For the rare cases: cancelled requests, and requests that create a communicator. */
static int64_t *put_special(int64_t *at, uint32_t number, const struct request *request,
                            const MPI_Status *status)
{
	bool cancelled = request->traits & REQUEST_CANCELLED && status && status_cancelled(status);

	if (!cancelled && request->traits & REQUEST_RECEIVES && status)
		return put_received(at, number, status);
	*at++ = KEY_DONE(number, false);
	if (cancelled) {
		*at++ = FIELD_CANCELLED;
		*at++ = 1;
	}
	if (request->traits & REQUEST_MAKES_COMM) {
		bool fortran = request->traits & REQUEST_FORTRAN;
		MPI_Comm comm = fortran ? f_comm(request->promised->place)
		                        : *(MPI_Comm *)request->promised->place;
		*at++ = FIELD_NEWCOMM;
		*at++ = (int64_t)object_identity(
			comm_made_by_request(request->promised->parent, request->promised->identity, comm));
	}
	return at;
}

static inline __attribute__((always_inline)) int64_t *put_done(int64_t *at, uint32_t *claimed,
                                                               const MPI_Status *status)
{
	uint32_t number = *claimed;
	struct request *request;

	if (UNLIKELY(number == NO_REQUEST))
		return at;
	*claimed = NO_REQUEST;
	request = request_get(number);
	if (UNLIKELY(request->traits & (REQUEST_CANCELLED | REQUEST_MAKES_COMM)))
		at = put_special(at, number, request, status);
	else if (request->traits & REQUEST_RECEIVES && status)
		at = put_received(at, number, status);
	else
		*at++ = KEY_DONE(number, false);
	if (request->traits & REQUEST_PERSISTENT)
		request->traits &= ~(uint32_t)(REQUEST_CLAIMED | REQUEST_CANCELLED | REQUEST_STARTED);
	else
		request_remove_locked(number);
	return at;
}

static bool is_gone(const struct completion *done, const void *requests, int i)
{
	const void *place;

	return i >= 0 && i < done->count && done->numbers[i] != NO_REQUEST &&
	       request_handle_at(requests, i, true, &place) == HANDLE(MPI_REQUEST_NULL);
}

int completion_index(const struct completion *done, const void *requests, int index)
{
	bool from_zero = index == 0 ||
	                 (!is_gone(done, requests, index - 1) && is_gone(done, requests, index));

	return from_zero ? index : index - 1;
}

void completion_add(struct completion *done, int i, const MPI_Status *status)
{
	if (i < 0 || i >= done->count)
		return;
	process_lock_if_shared();
	done->words = (uint32_t)(put_done(done->key + done->words, &done->numbers[i], status) - done->key);
	process_unlock_if_shared();
}

void completion_add_all(struct completion *done, const MPI_Status *statuses, int rc)
{
	bool one_by_one = UNLIKELY(rc != MPI_SUCCESS) && statuses;
	int64_t *at = done->key + done->words;
	uint32_t *numbers = done->numbers;

	process_lock_if_shared();
	for (int i = 0, count = done->count; i < count; i++)
		if (!one_by_one || statuses[i].MPI_ERROR != MPI_ERR_PENDING)
			at = put_done(at, &numbers[i], statuses ? &statuses[i] : NULL);
	process_unlock_if_shared();
	done->words = (uint32_t)(at - done->key);
}

void completion_add_some(struct completion *done, const MPI_Status *statuses, int count, const int *indices,
                         int base)
{
	/* After a failed call, its count may hold any number. */
	for (int i = 0; i < count && i < done->count; i++)
		completion_add(done, indices[i] - base, statuses ? &statuses[i] : NULL);
}

/* For MPI_Startall: the requests in the key are started instead of completed. */
void completion_starts(struct completion *done, int count, const void *requests, bool fortran)
{
	const void *place;

	if (!completion_room(done, count))
		return;
	for (int i = 0; i < count; i++) {
		uint64_t handle = request_handle_at(requests, i, fortran, &place);
		int64_t number = request_start(handle, place);
		if (number != ABSENT)
			completion_pair(done, FIELD_REQUEST, number);
	}
}

void completion_give_up(struct completion *done)
{
	process_lock_if_shared();
	for (int i = 0; i < done->count; i++)
		if (done->numbers[i] != NO_REQUEST)
			request_get(done->numbers[i])->traits &= ~(uint32_t)REQUEST_CLAIMED;
	process_unlock_if_shared();
}

/* Restores ended requests, so that completion_add_all() can end them. */
void waitall_resume(struct waitall *wait)
{
	const int64_t *words = wait->done.s->expected + WAITALL_FIRST;
	struct completion *done = &wait->done;

	done->key = done->few;
	done->numbers = done->few_numbers;
	done->words = KEY_VALUES;
	for (int i = 0; i < done->count; i++, words += WAITALL_WORDS) {
		uint32_t number = (uint32_t)words[0];
		request_get(number)->traits = (uint32_t)(words[0] >> 32) | REQUEST_CLAIMED;
		request_table.free[number / REQUEST_BITS] &= ~(1ull << number % REQUEST_BITS);
		done->numbers[i] = number;
		wait->raw[WAITALL_FIRST + (ptrdiff_t)WAITALL_WORDS * i] = words[0];
	}
}

void waitall_remember(struct waitall *wait, const void *site, uint32_t id, const MPI_Status *statuses)
{
	struct recording_stream *s = wait->done.s;
	int count = wait->done.count;

	if (count < 1 || count > WAITALL_FEW || process_is_multithreaded)
		return;
	wait->raw[KEY_SITE] = (int64_t)(uintptr_t)site;
	wait->raw[KEY_WHAT] = RAW_WHAT(s, id);
	wait->raw[2] = count;
	for (int i = 0; i < count; i++) {
		int64_t *words = wait->raw + WAITALL_FIRST + (ptrdiff_t)WAITALL_WORDS * i;
		uint32_t traits = (uint32_t)(words[0] >> 32);
		if (words[0] < 0 || traits & ~(uint32_t)PLAIN_TRAITS ||
		    (traits & REQUEST_RECEIVES && !statuses))
			return;
		words[1] = traits & REQUEST_RECEIVES ? KEY_SOURCE(statuses[i].MPI_SOURCE, statuses[i].MPI_TAG)
		                                     : 0;
		words[2] = traits & REQUEST_RECEIVES ? status_bytes(&statuses[i]) : 0;
	}
	stream_remember_raw(s, wait->raw, (uint32_t)(WAITALL_FIRST + WAITALL_WORDS * count), NULL, 0);
}

/* True if the predicted call completes the same requests. */
static bool completes_the_same(const struct completion *done, const int64_t *known, uint32_t words)
{
	uint32_t at = 0;

	for (int i = 0; i < done->count; i++) {
		if (done->numbers[i] == NO_REQUEST)
			continue;
		if (at >= words || (known[at] & 0xff) != FIELD_DONE ||
		    (uint32_t)(known[at] >> 8) != done->numbers[i])
			return false;
		at += known[at] >> 40 ? 3 : 1;
	}
	return at == words;
}

/* Waitany and Waitsome complete different requests each time. */
static bool is_predicted(const struct completion *done, const int64_t *begin, uint32_t begin_words,
                         uint32_t id)
{
	const struct recording_stream *s = done->s;
	const struct known_key *known = s->guess == NO_CALL ? NULL : &s->known[s->guess];

	if (!known || (id != CALL_Wait && id != CALL_Waitall) || s->origins || known->words == UINT32_MAX ||
	    known->words < begin_words ||
	    (UNLIKELY(selection.active) && !selection_lets_expect(s, id, begin[KEY_SITE])))
		return false;
	for (uint32_t i = 0; i < begin_words; i++)
		if (s->words[known->first + i] != begin[i])
			return false;
	return completes_the_same(done, s->words + known->first + begin_words, known->words - begin_words);
}

uint64_t completion_open(const struct completion *done, const void *site, uint32_t id, int64_t many,
                         uint64_t start)
{
	int64_t key[OPEN_WORDS] = {(int64_t)(uintptr_t)site, KEY_CALL(id, 0), many};
	uint32_t words = KEY_VALUES + (many != ABSENT);

	if (LIKELY(is_predicted(done, key, words, id))) {
		stream_open_predicted(done->s, start);
		return start;
	}
	for (int i = 0; i < done->count && words + 2 <= OPEN_WORDS; i++)
		if (done->numbers[i] != NO_REQUEST) {
			key[words++] = FIELD_REQUEST;
			key[words++] = done->numbers[i];
		}
	return stream_open(done->s, key, words, start);
}

uint64_t completion_opens(const struct completion *done, const void *site, uint32_t id, uint64_t start)
{
	int64_t key[OPEN_WORDS] = {(int64_t)(uintptr_t)site, KEY_CALL(id, 0)};
	uint32_t words = done->words < OPEN_WORDS ? done->words : OPEN_WORDS;

	memcpy(key + KEY_VALUES, done->key + KEY_VALUES, (words - KEY_VALUES) * sizeof *key);
	return stream_open(done->s, key, words, start);
}

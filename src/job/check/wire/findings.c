#include "job/check/wire/findings.h"

#include "job/check/wire/service.h"

#include <pthread.h>
#include <stdlib.h>

void finding_release(struct check_finding *finding)
{
	for (uint32_t i = 0; i < finding->call_count; i++)
		call_release(&finding->calls[i]);
	for (uint32_t i = 0; i < finding->value_count; i++) {
		free((char *)(uintptr_t)finding->values[i].name);
		free((char *)(uintptr_t)finding->values[i].text);
	}
	free(finding->calls);
	free(finding->values);
}

static void send_finding(const struct check_finding *finding)
{
	struct message_writer body = {0};

	finding_put(&body, finding);
	if (!body.failed)
		service_finding(&body);
	writer_release(&body);
}

/* An error in a loop is found repeatedly. From the second time on, it is counted, and reported whenever its
 * count has doubled, and at the end. If there are too many different errors, the others are reported each time. */
enum { REPEATED_SLOTS = 256, REPEATED_TRIES = 8 };

static struct repeated_finding {
	uint64_t identity; /* 0: free */
	uint64_t times, unreported;
	struct check_finding finding; /* the last occurrence that was not reported */
} repeated[REPEATED_SLOTS];
static pthread_mutex_t repeated_lock = PTHREAD_MUTEX_INITIALIZER;

static struct repeated_finding *find_repeated(uint64_t identity)
{
	for (uint64_t i = 0; i < REPEATED_TRIES; i++) {
		struct repeated_finding *slot = &repeated[(identity + i) % REPEATED_SLOTS];

		if (!slot->identity)
			slot->identity = identity;
		if (slot->identity == identity)
			return slot;
	}
	return NULL;
}

static void send_repeated(struct repeated_finding *slot)
{
	if (!slot->unreported)
		return;
	slot->finding.times = slot->unreported;
	slot->unreported = 0;
	send_finding(&slot->finding);
}

void finding_send(struct check_finding *finding)
{
	struct repeated_finding *slot;
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	pthread_mutex_lock(&repeated_lock);
	slot = find_repeated(finding_identity(finding) | 1);
	if (!slot || !slot->times++) {
		send_finding(finding);
		finding_release(finding);
	} else {
		finding_release(&slot->finding);
		slot->finding = *finding;
		slot->unreported++;
		if (!(slot->times & (slot->times - 1)))
			send_repeated(slot);
	}
	pthread_mutex_unlock(&repeated_lock);
	pthread_setcancelstate(before, NULL);
}

void findings_flush(void)
{
	pthread_mutex_lock(&repeated_lock);
	for (size_t i = 0; i < REPEATED_SLOTS; i++)
		send_repeated(&repeated[i]);
	pthread_mutex_unlock(&repeated_lock);
}

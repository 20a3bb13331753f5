/* Where a UPC thread is a process, a runtime takes its helpers, which are plain threads, for itself. */
#include <stdarg.h>

#include "portable.h"

#include <gasp.h>
#include <gasp_upc.h>
#include <pthread.h>

static void *help(void *context)
{
	for (int i = 0; i < 1000; i++) {
		gasp_event_notify(context, GASP_UPC_NOTIFY, GASP_START, "helpers.upc", 13, 0, 0, 0);
		gasp_event_notify(context, GASP_UPC_NOTIFY, GASP_END, "helpers.upc", 14, 0, 0, 0);
	}
	return NULL;
}

int main(void)
{
	extern __thread char tarry_upc_self;
	pthread_t helper;
	int shares = pthread_create(&helper, NULL, help, &tarry_upc_self);

	if (shares == 0)
		pthread_join(helper, NULL);
	upc_fence;
	return shares;
}

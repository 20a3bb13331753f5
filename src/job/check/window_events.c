#include "job/check/window_events.h"

#include "check/protocol/messages.h"
#include "job/mpi/flavour.h"

uint32_t window_assertions(int64_t assertion)
{
	return (assertion & MPI_MODE_NOCHECK ? ASSERTION_NOCHECK : 0) |
	       (assertion & MPI_MODE_NOSTORE ? ASSERTION_NOSTORE : 0) |
	       (assertion & MPI_MODE_NOPUT ? ASSERTION_NOPUT : 0) |
	       (assertion & MPI_MODE_NOPRECEDE ? ASSERTION_NOPRECEDE : 0) |
	       (assertion & MPI_MODE_NOSUCCEED ? ASSERTION_NOSUCCEED : 0);
}

void window_event_before(struct agent_call *call, struct checked_window *window)
{
	(void)call;
	(void)window;
}

void window_event_after(struct agent_call *call, struct checked_window *window)
{
	(void)call;
	(void)window;
}

void window_made(const struct agent_call *call, struct checked_window *window)
{
	(void)call;
	(void)window;
}

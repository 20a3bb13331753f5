#include "job/check/ending.h"

#include "job/check/process_state.h"
#include "job/check/service.h"

#include <unistd.h>

noreturn void ending_stop(void)
{
	findings_flush();
	service_end(END_STOPPED);
	_exit(EXIT_STOPPED);
}

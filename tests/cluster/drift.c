/* A clock that runs wrong: CLOCK_MONOTONIC gains DRIFT_PPM millionths in every process that this is preloaded into. */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t id, struct timespec *time)
{
	static int (*real)(clockid_t, struct timespec *);
	static long long ppm;
	long long ns;
	int code;

	if (!real) {
		const char *setting = getenv("DRIFT_PPM");
		ppm = setting ? atoll(setting) : 0;
		*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
	}
	code = real(id, time);
	if (code == 0 && id == CLOCK_MONOTONIC) {
		ns = time->tv_sec * 1000000000LL + time->tv_nsec;
		ns += ns / 1000000 * ppm;
		time->tv_sec = ns / 1000000000;
		time->tv_nsec = ns % 1000000000;
	}
	return code;
}

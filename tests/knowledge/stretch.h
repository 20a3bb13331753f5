/* Included before a planted program (-include): on a busy machine all its sleeps take STRETCH times as long.
 * Arguments of usleep() may exceed a second, which Linux allows. */
#ifndef TESTS_KNOWLEDGE_STRETCH_H
#define TESTS_KNOWLEDGE_STRETCH_H

#include <unistd.h>

#define usleep(us) usleep((useconds_t)(us) * (STRETCH))

#endif

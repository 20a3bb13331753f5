/* Included before a planted program (-include): all that it sleeps takes STRETCH times as long, on a machine that is busy with
 * other things. Arguments of usleep() may become larger than a second, which Linux allows. */
#ifndef TESTS_KNOWLEDGE_STRETCH_H
#define TESTS_KNOWLEDGE_STRETCH_H

#include <unistd.h>

#define usleep(us) usleep((useconds_t)(us) * (STRETCH))

#endif

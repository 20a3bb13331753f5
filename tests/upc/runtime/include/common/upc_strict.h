/* The UPC library, with strict accesses to shared memory. */
#include <upc.h>

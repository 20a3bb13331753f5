/* The UPC library, with relaxed accesses to shared memory. */
#include <upc.h>

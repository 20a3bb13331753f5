/* The up-calls, as a source that the user's UPC compiler compiles. */
#define TARRY_UPC_UPCALL 1
#pragma pupc off
#include "tarry_upc_dialect.h"

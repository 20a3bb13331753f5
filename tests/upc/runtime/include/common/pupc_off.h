/* From here on calls are not reported: each place where `#pragma pupc off` is. */
#undef UPCR_HERE
#define UPCR_HERE ((struct upcr_place){NULL, 0, 0})

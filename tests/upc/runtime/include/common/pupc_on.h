/* From here on calls are reported, if instrumentation is enabled: each place where `#pragma pupc on` is. */
#undef UPCR_HERE
#ifdef UPCR_REPORT
#define UPCR_HERE ((struct upcr_place){__FILE__, __LINE__, UPCR_REPORT})
#else
#define UPCR_HERE ((struct upcr_place){NULL, 0, 0})
#endif

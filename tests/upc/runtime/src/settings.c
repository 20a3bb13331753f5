/* Options of the compiler driver; it replaces this file if they are different. */
extern const int upcr_static_threads;
extern const int upcr_pthreads; /* threads in each process; 0: all of them in one */

const int upcr_static_threads = 0;
const int upcr_pthreads = 1;

/* What the compiler driver was told; it brings a file of its own in place of this one if that is something else. */
extern const int upcr_static_threads;
extern const int upcr_pthreads; /* threads in each process; 0: all of them in one */

const int upcr_static_threads = 0;
const int upcr_pthreads = 1;

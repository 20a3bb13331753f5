/* Functions of the library that the strange program is linked with, all of them traced. */
#ifndef STRANGE_H
#define STRANGE_H

int outer(int n); /* calls inner() and MPI */
int inner(int n);
const char *greet(const char *name);
void call_back(void (*function)(void));
int tick(void);
int unused(int n);
int hidden_work(int n); /* in a library of a plugin */

#endif

/* The output of `tarry --version`: the version, the commit from which it was built, and the supported MPI
 * libraries. */
#ifndef TARRY_CLI_VERSION_H
#define TARRY_CLI_VERSION_H

void version_print(void);

#endif

/* The answer to `tarry --version`: the version, the commit that it was built from, and the interfaces whose programs this installation records. */
#ifndef TARRY_CLI_VERSION_H
#define TARRY_CLI_VERSION_H

void version_print(void);

#endif

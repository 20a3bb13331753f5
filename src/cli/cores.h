/* Cores that this process may run on; those that are several processors to the system count once. */
#ifndef TARRY_CLI_CORES_H
#define TARRY_CLI_CORES_H

int allowed_cores(void);

#endif

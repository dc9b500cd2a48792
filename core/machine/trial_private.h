/* SPDX-License-Identifier: BSD-3-Clause */
/* Running a function of somebody else's library where a crash cannot hurt: in a child process.
 *
 * Why fork() alone, although slurmstepd has threads: a child of a process with threads may call
 * what is async-signal-safe only, as a lock may be held by a thread that it has not got. The C
 * library mends its own locks after fork (malloc, stdio, the dynamic loader). Where a lock of
 * another library hangs the child, the caller waits a few seconds, kills it and refuses: nothing
 * worse happens. The alternatives are worse. A program to start by posix_spawn must be installed on
 * every compute node and be found. A check of our own for what the library is known to crash on
 * says nothing about the rest. */
#ifndef SMAP_TRIAL_PRIVATE_H
#define SMAP_TRIAL_PRIVATE_H

#include <stddef.h>

#include "base/error.h"

struct smap_trial {
    int (*attempt)(void *context, struct smap_error *err);
    void *context;
    int seconds; /* it may take */
};

/* Returns what the attempt returns, with its text, after it has run in a child that is gone by
 * then. Where it did not come to its end (a crash, an exit, too much time, or 256 MiB more memory):
 * SMAP_ESYS, and the text says so as a verb: "crashes (Aborted)". said: what it wrote to standard
 * error, cut to size - 1 characters; nothing of it appears on the caller's. */
int smap_trial_run(char said[], size_t size, const struct smap_trial *trial,
                   struct smap_error *err);

#endif

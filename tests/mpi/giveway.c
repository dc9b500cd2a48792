/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into MPICH's programs by the tests, whose processes are more than the machine has
 * cores: MPICH polls while it waits and does not give way, which costs a message the time slices of
 * all others. A round of polling that brought nothing gives way here. For MPICH on UCX (ch4:ucx),
 * such as Debian's; elsewhere the function is never called. */
#include <dlfcn.h>
#include <sched.h>

typedef unsigned progress(void *worker);

__attribute__((visibility("default"))) progress ucp_worker_progress;

unsigned ucp_worker_progress(void *worker)
{
    static progress *next;
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned count = next(worker);
    if (count == 0)
        sched_yield();
    return count;
}

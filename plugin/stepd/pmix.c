/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/pmix.h"

#include <stdlib.h>

#ifdef STENCILMAP_HAVE_PMIX
#include <dlfcn.h>
#include <inttypes.h>
#include <pmix_common.h>
#include <stdio.h>
#include <string.h>

/* Slurm's mpi/pmix plugin has the library loaded with global symbols; it is never loaded here. */
struct pmix_publisher {
    pmix_status_t (*store)(const pmix_proc_t *proc, const char key[], pmix_value_t *value);
    pmix_proc_t proc;
};

struct pmix_publisher *pmix_open(uint32_t jobid, uint32_t stepid)
{
    int (*initialized)(void) = NULL;
    struct pmix_publisher *p = calloc(1, sizeof(*p));
    if (!p)
        return NULL;
    *(void **)&p->store = dlsym(RTLD_DEFAULT, "PMIx_Store_internal");
    *(void **)&initialized = dlsym(RTLD_DEFAULT, "PMIx_Initialized");
    if (!p->store || !initialized || !initialized()) {
        free(p);
        return NULL;
    }
    /* The namespace as Slurm's plugin names it. */
    snprintf(p->proc.nspace, sizeof(p->proc.nspace), "slurm.pmix.%" PRIu32 ".%" PRIu32, jobid,
             stepid);
    return p;
}

void pmix_close(struct pmix_publisher *publisher)
{
    free(publisher);
}

void pmix_publish(struct pmix_publisher *publisher, uint32_t rank, const char *key,
                  const char *value)
{
    pmix_value_t stored = {.type = PMIX_STRING};
    if (!publisher || !value)
        return;
    stored.data.string = (char *)value; /* copied by the library */
    publisher->proc.rank = rank == PMIX_ALL_RANKS ? PMIX_RANK_WILDCARD : rank;
    publisher->store(&publisher->proc, key, &stored);
}

#else

struct pmix_publisher *pmix_open(uint32_t jobid, uint32_t stepid)
{
    (void)jobid;
    (void)stepid;
    return NULL;
}

void pmix_close(struct pmix_publisher *publisher)
{
    free(publisher);
}

void pmix_publish(struct pmix_publisher *publisher, uint32_t rank, const char *key,
                  const char *value)
{
    (void)publisher;
    (void)rank;
    (void)key;
    (void)value;
}
#endif

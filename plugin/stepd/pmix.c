/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/pmix.h"

#include <stdlib.h>

#ifdef STENCILMAP_HAVE_PMIX
#include <assert.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <pmix_common.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Slurm's mpi/pmix plugin has the library loaded with global symbols; it is never loaded here. So
 * it may be another version than that of the headers. Of all that is there, a process and a text
 * are what is used; these have had the same layout from version 2 on, and up to what will be 7. */
enum { MAJOR_LEAST = 2, MAJOR_MOST = 6 };
static_assert(PMIX_STRING == 3 && PMIX_RANK_WILDCARD == UINT32_MAX - 1 &&
                  offsetof(pmix_proc_t, rank) == 256 && sizeof(pmix_proc_t) == 260 &&
                  offsetof(pmix_value_t, data) == sizeof(void *) &&
                  sizeof(((pmix_value_t *)NULL)->type) == 2,
              "PMIx's structures have changed: read what has, and MAJOR_MOST again");

struct pmix_publisher {
    pmix_status_t (*store)(const pmix_proc_t *proc, const char key[], pmix_value_t *value);
    pmix_proc_t proc;
};

/* "OpenPMIx 4.2.2rc2 (PMIx Standard: ...)", or with other words in front. */
static bool is_known(const char *version)
{
    unsigned long major = version ? strtoul(version + strcspn(version, "0123456789"), NULL, 10) : 0;
    return major >= MAJOR_LEAST && major <= MAJOR_MOST;
}

struct pmix_publisher *pmix_open(uint32_t jobid, uint32_t stepid, struct smap_error *err)
{
    pmix_status_t (*store)(const pmix_proc_t *proc, const char key[], pmix_value_t *value) = NULL;
    int (*initialized)(void) = NULL;
    const char *(*get_version)(void) = NULL;
    *(void **)&store = dlsym(RTLD_DEFAULT, "PMIx_Store_internal");
    *(void **)&initialized = dlsym(RTLD_DEFAULT, "PMIx_Initialized");
    *(void **)&get_version = dlsym(RTLD_DEFAULT, "PMIx_Get_version");
    if (!store || !initialized || !initialized())
        return NULL;
    const char *version = get_version ? get_version() : NULL;
    if (!is_known(version)) {
        smap_fail(err, SMAP_ENOTSUP,
                  "hints are not published as PMIx keys: version '%.80s' of PMIx is not one of %d "
                  "to %d",
                  version ? version : "?", MAJOR_LEAST, MAJOR_MOST);
        return NULL;
    }
    struct pmix_publisher *p = calloc(1, sizeof(*p));
    if (!p)
        return NULL;
    p->store = store;
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

struct pmix_publisher *pmix_open(uint32_t jobid, uint32_t stepid, struct smap_error *err)
{
    (void)jobid;
    (void)stepid;
    (void)err;
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

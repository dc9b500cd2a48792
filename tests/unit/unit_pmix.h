/* SPDX-License-Identifier: BSD-3-Clause */
/* A FAKE of the PMIx server's library, which the plugin finds by name: it only remembers. To be
 * included once. */
#ifndef STENCILMAP_UNIT_PMIX_H
#define STENCILMAP_UNIT_PMIX_H

#include "unit.h"

#include "stepd/hints.h"

#ifdef STENCILMAP_HAVE_PMIX
#include <pmix_common.h>
#endif

enum { KEYS_MAX = 64 };

static struct {
    uint32_t rank;
    char key[64], value[256];
} published[KEYS_MAX];
static size_t published_count;
static const char *pmix_version; /* NULL: that of the headers' time */

static inline void pmix_reset(void)
{
    published_count = 0;
    pmix_version = NULL;
}

#ifdef STENCILMAP_HAVE_PMIX
#define EXPORTED __attribute__((visibility("default")))
EXPORTED int PMIx_Initialized(void);
EXPORTED const char *PMIx_Get_version(void);
EXPORTED pmix_status_t PMIx_Store_internal(const pmix_proc_t *proc, const char *key,
                                           pmix_value_t *value);

int PMIx_Initialized(void)
{
    return 1;
}

const char *PMIx_Get_version(void)
{
    return pmix_version ? pmix_version : "OpenPMIx 4.2.2rc2 (PMIx Standard: 4.2)";
}

pmix_status_t PMIx_Store_internal(const pmix_proc_t *proc, const char *key, pmix_value_t *value)
{
    assert_string_equal(proc->nspace, "slurm.pmix.1.0");
    assert_true(published_count < KEYS_MAX);
    published[published_count].rank = proc->rank;
    snprintf(published[published_count].key, sizeof(published[0].key), "%s", key);
    snprintf(published[published_count].value, sizeof(published[0].value), "%s",
             value->data.string);
    published_count++;
    return PMIX_SUCCESS;
}
#endif

/* What a task of that rank can ask for; NULL: not published. */
static inline const char *key_of(uint32_t rank, enum hint hint)
{
    char key[HINTS_KEY_SIZE];
    hints_key(key, hint);
    for (size_t i = 0; i < published_count; i++)
        if (strcmp(published[i].key, key) == 0 &&
            (published[i].rank == rank || published[i].rank > INT32_MAX))
            return published[i].value;
    return NULL;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines for tests. */
#ifndef STENCILMAP_UNIT_TOPOLOGY_H
#define STENCILMAP_UNIT_TOPOLOGY_H

#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "machine/slots.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char data[] = STENCILMAP_TEST_DATA "/topology";

static inline struct smap_topology *load(const struct smap_topology_source *source)
{
    struct smap_topology *t = NULL;
    struct smap_error err = {""};
    if (smap_topology_load(&t, source, &err))
        fail_msg("%s", err.text);
    return t;
}

#endif

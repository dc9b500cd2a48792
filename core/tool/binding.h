/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of srun's --cpu-bind on a machine, for stencilmap cores. */
#ifndef STENCILMAP_TOOL_BINDING_H
#define STENCILMAP_TOOL_BINDING_H

#include "base/cputext.h"
#include "machine/shape.h"
#include "tool/options.h"

struct binding {
    struct smap_cpubind list;
    struct smap_shape shape; /* its leaves are cpus */
    uint32_t *leaf_of_cpu;   /* SMAP_CPUS_MAX; UINT32_MAX: no cpu of this machine */
    size_t tasks;
};

/* The cpus of a task; a list that is too short begins anew. */
const unsigned *binding_cpus(const struct binding *binding, size_t task, size_t *count);

/* The first of them in the machine's own order. */
uint32_t binding_first_leaf(const struct binding *binding, size_t task);

/* The objects of a level that a task has cpus of, each once; returns how many. object has room for
 * the leaves. */
size_t binding_objects(unsigned object[], const struct binding *binding, size_t task, size_t level);

/* The name of a level; those of a hierarchy of bare numbers have none: "level0". */
void binding_level_name(char name[SMAP_NAME_SIZE], const struct smap_shape *shape, size_t level);

/* One line, what crosses each level: by the grid that the options tell, else between consecutive
 * tasks. */
int binding_print_crossings(const struct binding *binding, const struct args *args,
                            struct smap_error *err);

/* What is odd, a line each on standard error. */
int binding_print_notes(const struct binding *binding, struct smap_error *err);

#endif

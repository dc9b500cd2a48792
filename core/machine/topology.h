/* SPDX-License-Identifier: BSD-3-Clause */
/* The cores of one node as they are, and which levels there are. hwloc does the looking; its types
 * do not show here. The list of cores in a given order is made by slots.h.
 *
 * "leaf": a core, or a hardware thread (PU) where asked. "OS id": the kernel's cpu number, what
 * sched_setaffinity and map_cpu take. "Logical": the position in hwloc's order, which walks the
 * tree depth first, so that neighbours in number are neighbours in the machine. Where hwloc knows
 * no cores, each PU is one.
 *
 * Levels. Candidates are the kinds of hierarchy.h; pu as a leaf only. A kind is a level if its
 * objects divide the allowed cores: every core in one of them, none across another level's border;
 * otherwise naming it is refused with the reason. NUMA nodes without cores, or with the cores of
 * an earlier one (HBM, GPU memory), do not count; of several around one core the smallest counts.
 * Levels with one object in each of the next outer one are merged with it; its names stay valid
 * (see smap_level.alias). */
#ifndef SMAP_TOPOLOGY_H
#define SMAP_TOPOLOGY_H

#include "machine/shape.h"
#include "order/order_parse.h"

struct smap_topology;

/* At most one is set: the file of `lstopo --of xml`, or an hwloc synthetic string ("pack:2 core:4
 * pu:2"). Neither means this machine. */
struct smap_topology_source {
    const char *xml;
    const char *synthetic;
    bool gpus; /* look for GPUs too, which takes longer: see smap_topology_wants_gpus */
};

/* On success the caller owns *topology; initially all cpus that hwloc says are allowed. A refusal
 * names the file or string. hwloc reads the environment (HWLOC_*). */
int smap_topology_load(struct smap_topology **topology, const struct smap_topology_source *source,
                       struct smap_error *err);
void smap_topology_destroy(struct smap_topology *topology);

/* Narrows the allowed set (never widens; may be called repeatedly) to
 * - cores: a list as in SPANK's S_STEP_ALLOC_CORES, "0-1,4": logical core numbers of the whole
 *   machine, allowed or not; numbers the machine does not have are ignored. NULL: all;
 * - cpus[0..cpu_count): OS ids, such as an affinity mask; unknown ids are ignored. NULL: all.
 * Refused, and nothing changed, if the list is garbled or nothing would be left. */
int smap_topology_restrict(struct smap_topology *topology, const char *cores, const unsigned *cpus,
                           size_t cpu_count, struct smap_error *err);

/* Does an order or hierarchy (NULL: none) name the level "gpu"? */
bool smap_topology_wants_gpus(const char *order, const char *hierarchy);

/* GPUs are numbered by their PCI addresses, as CUDA_DEVICE_ORDER=PCI_BUS_ID and Slurm do: 3D
 * controllers and accelerators, where there are none VGA controllers. At most SMAP_GPUS_MAX. */
enum { SMAP_GPUS_MAX = 64 };
size_t smap_topology_gpu_count(const struct smap_topology *topology);

/* Keeps those in a list "0,2-3", which are numbered anew. Nothing changes where it is garbled or
 * names one that is not there: then its numbers mean something else. */
void smap_topology_keep_gpus(struct smap_topology *topology, const char *list);

/* The number of the GPU nearest to each cpu, SMAP_NO_OBJECT where none is known. The allowed cores
 * that are near to the same GPUs, since these hang on one socket, are divided over them. */
int smap_topology_gpus(uint32_t gpu[], const struct smap_topology *topology, const unsigned cpu[],
                       size_t count, struct smap_error *err);

size_t smap_topology_core_count(const struct smap_topology *topology); /* allowed, >= 1 */
size_t smap_topology_cpu_count(const struct smap_topology *topology);  /* allowed, >= 1 */

/* False where each PU stands for a core. */
bool smap_topology_has_cores(const struct smap_topology *topology);

/* Smallest and largest number of allowed PUs of a core. */
void smap_topology_threads(size_t *smallest, size_t *largest, const struct smap_topology *topology);

enum smap_leaf {
    SMAP_LEAF_AUTO, /* for slots: pu if the order or hierarchy names it, else core */
    SMAP_LEAF_CORE,
    SMAP_LEAF_PU, /* for slots: refused where "cores have 1 to 2 PUs" */
};

/* "socket:2 numa:4 l3:2 core:8"; ragged levels list their sizes, "socket:2 core:9+8", or the range
 * when there are many, "core:1..8". With SMAP_LEAF_PU the threads too, where cores have more than
 * one: "core:8 pu:2". NULL without memory; the caller frees. */
char *smap_topology_text(const struct smap_topology *topology, enum smap_leaf leaf);

/* True if every object of a level holds equally many of the next level. */
bool smap_topology_is_regular(const struct smap_topology *topology, enum smap_leaf leaf);

/* The detected levels of the node (no node level). On a ragged machine the arities are the largest
 * ones, good for names only; *regular tells (NULL allowed). */
int smap_topology_hierarchy(struct smap_hierarchy *hierarchy, bool *regular,
                            const struct smap_topology *topology, enum smap_leaf leaf,
                            struct smap_error *err);

/* The allowed leaves and how the levels divide them, for slots.c. Of each core only the first
 * `threads` PUs (0: all). To be cleared by the caller, also after a failure. */
int smap_topology_shape(struct smap_shape *shape, const struct smap_topology *topology,
                        enum smap_leaf leaf, size_t threads, struct smap_error *err);

/* The same with the level "gpu": each object has the leaves that are nearest to one GPU, and
 * objects come in the order of the GPUs' numbers. So levels with several GPUs in an object (a
 * socket) would stand in the way; they are left out unless named(context, level) says otherwise. */
struct smap_gpu_level {
    bool (*named)(const void *context, const char *level);
    const void *context;
};
int smap_topology_shape_gpus(struct smap_shape *shape, const struct smap_topology *topology,
                             enum smap_leaf leaf, size_t threads, const struct smap_gpu_level *gpus,
                             struct smap_error *err);

/* Position of an OS cpu id in logical order over the whole machine, for sorting masks by locality;
 * SIZE_MAX for an unknown id. */
size_t smap_topology_logical(const struct smap_topology *topology, unsigned cpu);

/* OS ids of the NUMA nodes next to these cpus, ascending, each once; returns how many there are and
 * stores at most `capacity` of them (capacity = cpu_count is always enough). 0 where the machine
 * has no NUMA node for them. */
size_t smap_topology_numa_nodes(unsigned *nodes, size_t capacity,
                                const struct smap_topology *topology, const unsigned *cpus,
                                size_t cpu_count);

#endif

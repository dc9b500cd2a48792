/* SPDX-License-Identifier: BSD-3-Clause */
/* Which GPU is near to which core. hwloc tells beside which object of the machine a GPU is; where
 * several are beside the same one, its cores are divided over them. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "machine/topology_private.h"

/* 3D controllers, displays without a screen, and accelerators, as PCI classes them. */
static bool is_accelerator(hwloc_obj_t device)
{
    unsigned class = device->attr->pcidev.class_id;
    return class == 0x0302 || class == 0x0380 || class == 0x1200;
}

/* A VGA controller, but for those by which somebody far away looks after the node: ASPEED, Matrox.
 */
static bool is_display(hwloc_obj_t device)
{
    unsigned vendor = device->attr->pcidev.vendor_id;
    return device->attr->pcidev.class_id == 0x0300 && vendor != 0x1a03 && vendor != 0x102b;
}

static int by_address(const void *a, const void *b)
{
    const struct hwloc_pcidev_attr_s *x = &(*(const hwloc_obj_t *)a)->attr->pcidev;
    const struct hwloc_pcidev_attr_s *y = &(*(const hwloc_obj_t *)b)->attr->pcidev;
    if (x->domain != y->domain)
        return x->domain < y->domain ? -1 : 1;
    if (x->bus != y->bus)
        return x->bus < y->bus ? -1 : 1;
    if (x->dev != y->dev)
        return x->dev < y->dev ? -1 : 1;
    return (x->func > y->func) - (x->func < y->func);
}

static void collect(struct smap_topology *t, bool (*wanted)(hwloc_obj_t))
{
    hwloc_obj_t device = NULL;
    while (t->gpus < SMAP_GPUS_MAX && (device = hwloc_get_next_pcidev(t->hw, device)))
        if (wanted(device))
            t->gpu[t->gpus++] = device;
}

void smap_hw_find_gpus(struct smap_topology *t)
{
    collect(t, is_accelerator);
    if (t->gpus == 0)
        collect(t, is_display);
    qsort(t->gpu, t->gpus, sizeof(t->gpu[0]), by_address);
}

/* How deep in the machine the smallest object is that has both. */
static int depth_of_both(hwloc_obj_t gpu, hwloc_obj_t core, hwloc_topology_t hw)
{
    hwloc_obj_t around = hwloc_get_non_io_ancestor_obj(hw, gpu);
    while (around && !(around->cpuset && hwloc_bitmap_isincluded(core->cpuset, around->cpuset)))
        around = around->parent;
    return around ? around->depth : -1;
}

/* The GPUs that are nearest to a core, as bits. */
static uint64_t nearest(const struct smap_topology *t, hwloc_obj_t core)
{
    uint64_t set = 0;
    int deepest = -1;
    for (size_t g = 0; g < t->gpus; g++) {
        int depth = depth_of_both(t->gpu[g], core, t->hw);
        if (depth > deepest)
            set = 0;
        if (depth >= deepest) {
            deepest = depth;
            set |= UINT64_C(1) << g;
        }
    }
    return set;
}

/* The k-th of them. */
static uint32_t pick(uint64_t set, size_t k)
{
    for (uint32_t g = 0; g < SMAP_GPUS_MAX; g++)
        if ((set >> g & 1) && k-- == 0)
            return g;
    return SMAP_NO_OBJECT;
}

int smap_hw_gpus_of_cores(uint32_t gpu_of_core[], const struct smap_topology *t,
                          struct smap_error *err)
{
    uint64_t *set = calloc(t->cores, sizeof(*set));
    if (!set)
        return smap_nomem(err);
    for (size_t i = 0; i < t->cores; i++)
        if (hwloc_bitmap_intersects(t->core[i]->cpuset, t->allowed))
            set[i] = nearest(t, t->core[i]);
    for (size_t i = 0; i < t->cores; i++) {
        size_t all = 0, before = 0; /* allowed cores that are near to the same GPUs */
        for (size_t k = 0; k < t->cores; k++) {
            all += set[k] == set[i];
            before += set[k] == set[i] && k < i;
        }
        size_t count = (size_t)__builtin_popcountll(set[i]);
        gpu_of_core[i] = count ? pick(set[i], before * count / all) : SMAP_NO_OBJECT;
    }
    free(set);
    return SMAP_OK;
}

void smap_topology_keep_gpus(struct smap_topology *topology, const char *list)
{
    hwloc_obj_t kept[SMAP_GPUS_MAX];
    size_t count = 0;
    uint64_t first, last, next = 0; /* ascending, each once */
    do {
        if (!smap_scan_uint(&list, UINT32_MAX, &first))
            return;
        last = first;
        if (smap_scan_char(&list, '-') && !smap_scan_uint(&list, UINT32_MAX, &last))
            return;
        if (first < next || last < first || last >= topology->gpus)
            return;
        for (next = first; next <= last; next++)
            kept[count++] = topology->gpu[next];
    } while (smap_scan_char(&list, ','));
    if (*list != '\0')
        return;
    memcpy(topology->gpu, kept, count * sizeof(kept[0]));
    topology->gpus = count;
}

size_t smap_topology_gpu_count(const struct smap_topology *topology)
{
    return topology->gpus;
}

int smap_topology_gpus(uint32_t gpu[], const struct smap_topology *topology, const unsigned cpu[],
                       size_t count, struct smap_error *err)
{
    uint32_t *of_core = calloc(topology->cores, sizeof(*of_core));
    int rc = of_core ? smap_hw_gpus_of_cores(of_core, topology, err) : smap_nomem(err);
    for (size_t i = 0; rc == SMAP_OK && i < count; i++) {
        hwloc_obj_t pu = cpu[i] < topology->cpus ? topology->cpu[cpu[i]].pu : NULL;
        hwloc_obj_t core = pu ? smap_hw_core(topology, pu) : NULL;
        size_t k = 0;
        while (k < topology->cores && topology->core[k] != core)
            k++;
        gpu[i] = k < topology->cores ? of_core[k] : SMAP_NO_OBJECT;
    }
    free(of_core);
    return rc;
}

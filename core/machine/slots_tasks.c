/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/slots_tasks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char *given(const char *text)
{
    return text && text[0] ? text : NULL;
}

/* PUs of a core that may be used, 1 at least. */
static uint64_t limited(uint64_t threads, const struct smap_slot_request *request)
{
    uint64_t limit = request->threads_per_core;
    threads = limit > 0 && limit < threads ? limit : threads;
    return threads ? threads : 1;
}

/* Do the bare numbers of H multiply to the PUs of a node rather than to its cores? Some fit both:
 * as the cores of all nodes, and as the PUs of one. They mean the nodes of the step, unless that
 * leaves too few cores for the tasks. */
static bool numbers_count_pus(const struct smap_topology *topology,
                              const struct smap_slot_request *request,
                              const struct smap_hierarchy *h)
{
    struct smap_hierarchy of_cores = *h, of_pus = *h;
    uint64_t cores = smap_topology_core_count(topology), pus = smap_topology_cpu_count(topology);
    if (request->nodes > 1 && request->count <= cores &&
        smap_hierarchy_split(&of_cores, request->nodes, cores, cores))
        return false;
    return pus != cores && smap_hierarchy_split(&of_pus, 0, pus, pus);
}

/* Does the request itself speak of PUs? */
static bool counts_pus(const struct smap_topology *topology,
                       const struct smap_slot_request *request)
{
    struct smap_hierarchy h;
    if (given(request->order) && smap_order_names(request->order, "pu"))
        return true;
    if (!given(request->hierarchy) || smap_hierarchy_parse(&h, request->hierarchy, NULL) != SMAP_OK)
        return false;
    return h.level[0].name[0] ? smap_hierarchy_find(&h, "pu") != SIZE_MAX
                              : numbers_count_pus(topology, request, &h);
}

/* Level numbers do not count the PUs: they get the last number and vary slowest. Names need
 * nothing. NULL without memory. */
static char *order_over_pus(const char *order)
{
    struct smap_text text = {0};
    size_t numbers = 0;
    const char *rest = strstr(order, ",membind");
    size_t length = rest ? (size_t)(rest - order) : strlen(order);
    smap_order_check(&numbers, order, NULL);
    if (numbers == 0)
        return strdup(order);
    smap_text_add(&text, "%.*s%s%zu%s", (int)length, order, memchr(order, '-', length) ? "-" : ",",
                  numbers, rest ? rest : "");
    return smap_text_take(&text);
}

static char *hierarchy_over_pus(const char *hierarchy, uint64_t threads)
{
    struct smap_text text = {0};
    smap_text_add(&text, "%s,%s%" PRIu64, hierarchy, strchr(hierarchy, ':') ? "pu:" : "", threads);
    return smap_text_take(&text);
}

static int share_cores(const struct smap_topology *topology,
                       const struct smap_slot_request *request, uint64_t threads,
                       struct smap_slots *slots, struct smap_error *err)
{
    struct smap_slot_request finer = *request;
    char *order = given(request->order) ? order_over_pus(request->order) : NULL;
    char *hierarchy =
        given(request->hierarchy) ? hierarchy_over_pus(request->hierarchy, threads) : NULL;
    int rc = (!order && given(request->order)) || (!hierarchy && given(request->hierarchy))
                 ? smap_nomem(err)
                 : SMAP_OK;
    finer.order = order;
    finer.hierarchy = hierarchy;
    finer.per_task = request->cpus_per_task;
    finer.leaf = SMAP_LEAF_PU;
    if (rc == SMAP_OK)
        rc = smap_topology_slots(slots, topology, &finer, err);
    free(order);
    free(hierarchy);
    return rc;
}

int smap_topology_task_slots(struct smap_slots *slots, const struct smap_topology *topology,
                             const struct smap_slot_request *request, struct smap_error *err)
{
    struct smap_slot_request whole = *request;
    size_t least, most;
    smap_topology_threads(&least, &most, topology);
    uint64_t threads = limited(most, request);
    uint64_t counted =
        request->cpus_per_core > 0 ? limited(request->cpus_per_core, request) : threads;
    uint64_t cpus_per_task = request->cpus_per_task ? request->cpus_per_task : 1;
    if (counts_pus(topology, request)) {
        whole.leaf = SMAP_LEAF_PU;
        whole.per_task = cpus_per_task;
        return smap_topology_slots(slots, topology, &whole, err);
    }
    whole.leaf = SMAP_LEAF_CORE;
    whole.per_task = cpus_per_task / counted + (cpus_per_task % counted != 0);
    int rc = smap_topology_slots(slots, topology, &whole, err);
    /* Sharing helps only where the scheduler counts threads and whole cores are more than asked. */
    if (rc != SMAP_ENOTSUP || counted == 1 || cpus_per_task % counted == 0)
        return rc;
    whole.cpus_per_task = cpus_per_task;
    int shared = share_cores(topology, &whole, threads, slots, NULL);
    return shared == SMAP_OK ? SMAP_OK : rc;
}

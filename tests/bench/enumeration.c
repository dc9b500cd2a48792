/* SPDX-License-Identifier: BSD-3-Clause */
/* What enumerating cores in an order costs: Algorithm 3 on a bare hierarchy, the walk through a
 * machine that is not regular, and the whole way from hwloc's tree to the list of slots. Times are
 * those of the machine it runs on, so each stands beside something to compare it with.
 *   make bench_enumeration && tests/bench/enumeration */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "machine/shape_walk.h"
#include "machine/slots.h"
#include "machine/topology.h"

#define REPEAT 5

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void give_up(const struct smap_error *err)
{
    fprintf(stderr, "enumeration: %s\n", err->text);
    exit(EXIT_FAILURE);
}

static void row(const char *what, size_t cores, double ms, const char *beside, double other)
{
    printf("%-34s %9zu cores %9.2f ms  %6.1f ns/core  %7.2f x %s\n", what, cores, ms,
           ms * 1e6 / (double)cores, ms / other, beside);
}

/* The least of some runs: what the machine does besides makes it only longer. */
static double least(double best, double begin)
{
    double took = now_ms() - begin;
    return took < best ? took : best;
}

static void bare(void)
{
    struct smap_hierarchy h;
    struct smap_order order = {.count = 6, .level = {1, 3, 5, 0, 2, 4}};
    struct smap_error err;
    size_t cores = (size_t)1 << 20;
    uint64_t *core = calloc(cores, sizeof(*core));
    double took = 1e9, filled = 1e9;
    /* 2^20 */
    if (!core || smap_hierarchy_parse(&h, "16,4,4,8,8,64", &err) != SMAP_OK)
        exit(EXIT_FAILURE);
    for (int i = 0; i < REPEAT; i++) {
        double begin = now_ms();
        for (size_t k = 0; k < cores; k++)
            ((volatile uint64_t *)core)[k] = k;
        filled = least(filled, begin);
        begin = now_ms();
        if (smap_order_cores(core, cores, &h, &order, &err))
            give_up(&err);
        took = least(took, begin);
    }
    row("Algorithm 3, 6 levels", cores, took, "writing the list", filled);
    free(core);
}

/* The last object of each level is short of some cores. */
static void make_ragged(struct smap_shape *shape, size_t cores)
{
    static const struct {
        const char *name;
        uint32_t size;
    } levels[] = {{"socket", 16384}, {"numa", 1024}, {"l3", 16}, {"core", 1}};
    struct smap_error err;
    uint32_t *label = calloc(cores, sizeof(*label));
    if (!label || smap_shape_init(shape, cores, cores, &err))
        exit(EXIT_FAILURE);
    for (size_t i = 0; i < cores; i++)
        shape->leaf[i] = (struct smap_shape_leaf){(unsigned)i, i, 1};
    for (size_t l = 0; l < sizeof(levels) / sizeof(levels[0]); l++) {
        for (size_t i = 0; i < cores; i++)
            label[i] = (uint32_t)i / levels[l].size;
        if (smap_shape_add(shape, levels[l].name, label, (uint32_t)cores, &err))
            give_up(&err);
    }
    free(label);
    if (smap_shape_settle(shape, &err))
        give_up(&err);
}

static void ragged(void)
{
    size_t cores = 1000003;
    struct smap_shape shape = {0};
    struct smap_order order = {.count = 4, .level = {1, 2, 3, 0}};
    struct smap_error err;
    uint32_t *coordinates = calloc(cores * 4, sizeof(*coordinates));
    uint32_t *sequence = calloc(cores, sizeof(*sequence));
    double took = 1e9, settled = 1e9;
    for (int i = 0; i < REPEAT && coordinates && sequence; i++) {
        double begin = now_ms();
        make_ragged(&shape, cores);
        settled = least(settled, begin);
        begin = now_ms();
        if (smap_shape_walk(coordinates, sequence, &shape, &order, &err))
            give_up(&err);
        took = least(took, begin);
        smap_shape_clear(&shape);
    }
    row("a walk, not regular, 4 levels", cores, took, "finding the levels", settled);
    free(coordinates);
    free(sequence);
}

static void machine(const char *description, const char *order)
{
    const struct smap_topology_source source = {.synthetic = description};
    const struct smap_slot_request request = {.order = order};
    struct smap_topology *topology = NULL;
    struct smap_slots slots = {0};
    struct smap_error err;
    double took = 1e9, begin = now_ms();
    if (smap_topology_load(&topology, &source, &err))
        give_up(&err);
    double load = now_ms() - begin;
    for (int i = 0; i < REPEAT; i++) {
        smap_slots_clear(&slots);
        begin = now_ms();
        if (smap_topology_slots(&slots, topology, &request, &err))
            give_up(&err);
        took = least(took, begin);
    }
    row(description, slots.count, took, "hwloc's load", load);
    smap_slots_clear(&slots);
    smap_topology_destroy(topology);
}

int main(void)
{
    bare();
    ragged();
    machine("pack:2 numa:4 l3:2 core:8 pu:2", "numa,l3,core");
    machine("pack:4 numa:4 l3:8 core:8 pu:2", "numa,l3,core");
    machine("pack:8 numa:8 l3:16 core:8 pu:1", "numa,l3,core");
    return EXIT_SUCCESS;
}

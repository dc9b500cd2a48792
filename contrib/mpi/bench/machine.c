/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "nodekey.h"

void bench_no_memory(void)
{
    fprintf(stderr, "stencilmap-bench: out of memory\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

void *bench_alloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        bench_no_memory();
    return memory;
}

static uint32_t slurm_node_id(void)
{
    const char *text = getenv("SLURM_NODEID");
    uint64_t id;
    bool good = text && smap_scan_uint(&text, INT32_MAX - 1, &id) && *text == '\0';
    return good ? (uint32_t)id : UINT32_MAX;
}

static int compare_ids(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* pairs holds (node, id) of p processes: one id per node, and another one for each? */
static bool ids_distinct(const uint32_t pairs[], int p, uint32_t nodes)
{
    uint32_t *id_of = bench_alloc(nodes, sizeof(*id_of));
    bool good = true;
    memset(id_of, 0xff, nodes * sizeof(*id_of));
    for (int r = 0; good && r < p; r++) {
        uint32_t node = pairs[2 * r], id = pairs[2 * r + 1];
        good = id != UINT32_MAX && (id_of[node] == UINT32_MAX || id_of[node] == id);
        id_of[node] = id;
    }
    qsort(id_of, nodes, sizeof(*id_of), compare_ids);
    for (uint32_t i = 1; good && i < nodes; i++)
        good = id_of[i - 1] != id_of[i];
    free(id_of);
    return good;
}

/* The place of this process's node (of nodes, as the node split numbers them) in Slurm's order of
 * filling nodes, where all processes know it and it tells the nodes apart; else node itself. */
static uint32_t node_key(uint32_t node, uint32_t nodes)
{
    int rank, size, good = 0;
    uint32_t own[2] = {node, slurm_node_id()};
    uint32_t *pairs = NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        pairs = bench_alloc((size_t)size, sizeof(own));
    MPI_Gather(own, 2, MPI_UINT32_T, pairs, 2, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    if (rank == 0)
        good = ids_distinct(pairs, size, nodes);
    MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free(pairs);
    return good ? own[1] : node;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Numbers the hosts by the sorted keys of all processes. */
static void number_hosts(struct bench_machine *m, const uint64_t keys[])
{
    uint64_t *sorted = bench_alloc((size_t)m->size, sizeof(*sorted));
    memcpy(sorted, keys, (size_t)m->size * sizeof(*sorted));
    qsort(sorted, (size_t)m->size, sizeof(*sorted), compare_keys);
    for (int i = 0; i < m->size; i++)
        if (i == 0 || sorted[i] != sorted[m->hosts - 1])
            sorted[m->hosts++] = sorted[i];
    m->host_of_rank = bench_alloc((size_t)m->size, sizeof(*m->host_of_rank));
    for (int i = 0; i < m->size; i++) {
        const uint64_t *at = bsearch(&keys[i], sorted, m->hosts, sizeof(*sorted), compare_keys);
        m->host_of_rank[i] = (uint32_t)(at - sorted);
    }
    free(sorted);
}

/* On world rank 0. */
static void find_hosts(struct bench_machine *m)
{
    uint64_t own = smap_node_key();
    uint64_t *keys = m->rank == 0 ? bench_alloc((size_t)m->size, sizeof(*keys)) : NULL;
    MPI_Gather(&own, 1, MPI_UINT64_T, keys, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (m->rank == 0)
        number_hosts(m, keys);
    free(keys);
}

bool bench_machine_init(struct bench_machine *m)
{
    bool ok;
    *m = (struct bench_machine){.plain = MPI_COMM_NULL};
    MPI_Comm_rank(MPI_COMM_WORLD, &m->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m->size);
    smap_nodesplit_init(MPI_COMM_WORLD, &m->split, &ok);
    if (!ok)
        return false;
    uint32_t key = node_key(m->split.node, smap_nodesizes_nodes(m->split.sizes));
    MPI_Comm_split(MPI_COMM_WORLD, 0, (int)key, &m->plain);
    smap_nodesplit_clear(&m->split);
    MPI_Comm_rank(m->plain, &m->plain_rank);
    smap_nodesplit_init(m->plain, &m->split, &ok);
    if (ok)
        find_hosts(m);
    return ok;
}

void bench_machine_clear(struct bench_machine *m)
{
    if (m->plain != MPI_COMM_NULL)
        MPI_Comm_free(&m->plain);
    smap_nodesplit_clear(&m->split);
    free(m->host_of_rank);
}

struct smap_score bench_machine_score(const struct bench_machine *m, const struct smap_grid *grid,
                                      const struct smap_stencil *stencil, uint32_t cell)
{
    struct smap_score score = {0, 0, 0};
    uint32_t *cells = NULL, *host_of_cell = NULL;
    if (m->rank == 0) {
        cells = bench_alloc((size_t)m->size, sizeof(*cells));
        host_of_cell = bench_alloc((size_t)m->size, sizeof(*host_of_cell));
    }
    MPI_Gather(&cell, 1, MPI_UINT32_T, cells, 1, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    if (m->rank == 0) {
        const struct smap_instance instance = {grid, stencil, NULL, NULL};
        for (int r = 0; r < m->size; r++)
            host_of_cell[cells[r]] = m->host_of_rank[r];
        if (smap_score_nodes(&score, NULL, &instance, host_of_cell, m->hosts, NULL) != SMAP_OK)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    free(cells);
    free(host_of_cell);
    return score;
}

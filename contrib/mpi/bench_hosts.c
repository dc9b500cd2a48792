/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_hosts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "base/text.h"

#define NAME_SIZE MPI_MAX_PROCESSOR_NAME

void *bench_alloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fprintf(stderr, "stencilmap-bench: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
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

uint32_t bench_node_key(uint32_t node, uint32_t nodes)
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

struct host {
    const char *name;
    int rank;
};

static int compare_hosts(const void *a, const void *b)
{
    return strcmp(((const struct host *)a)->name, ((const struct host *)b)->name);
}

/* Numbers the hosts: host_of_rank gets the numbers, the result is how many there are. */
static uint32_t number_hosts(const char names[], int p, uint32_t host_of_rank[])
{
    struct host *hosts = bench_alloc((size_t)p, sizeof(*hosts));
    uint32_t count = 0;
    for (int r = 0; r < p; r++)
        hosts[r] = (struct host){names + (size_t)r * NAME_SIZE, r};
    qsort(hosts, (size_t)p, sizeof(*hosts), compare_hosts);
    for (int i = 0; i < p; i++) {
        if (i == 0 || strcmp(hosts[i].name, hosts[i - 1].name) != 0)
            count++;
        host_of_rank[hosts[i].rank] = count - 1;
    }
    free(hosts);
    return count;
}

/* cells holds two cells per process. */
static uint32_t score_all(const struct smap_grid *grid, const struct smap_stencil *stencil,
                          const char names[], const uint32_t cells[], struct smap_score scores[2])
{
    int p = (int)grid->cells;
    uint32_t *host_of_rank = bench_alloc((size_t)p, sizeof(*host_of_rank));
    uint32_t *host_of_cell = bench_alloc((size_t)p, sizeof(*host_of_cell));
    uint32_t count = number_hosts(names, p, host_of_rank);
    const struct smap_instance instance = {grid, stencil, NULL, NULL};
    for (int order = 0; order < 2; order++) {
        for (int r = 0; r < p; r++)
            host_of_cell[cells[2 * r + order]] = host_of_rank[r];
        if (smap_score_nodes(&scores[order], NULL, &instance, host_of_cell, count, NULL) != SMAP_OK)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    free(host_of_rank);
    free(host_of_cell);
    return count;
}

uint32_t bench_hosts_score(const struct smap_grid *grid, const struct smap_stencil *stencil,
                           const uint32_t cells[2], struct smap_score scores[2])
{
    char name[NAME_SIZE] = "";
    char *names = NULL;
    uint32_t *all = NULL;
    uint32_t count = 0;
    int rank, length;
    scores[0] = scores[1] = (struct smap_score){0, 0, 0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_processor_name(name, &length);
    if (rank == 0) {
        names = bench_alloc(grid->cells, NAME_SIZE);
        all = bench_alloc(grid->cells, 2 * sizeof(*all));
    }
    MPI_Gather(name, NAME_SIZE, MPI_CHAR, names, NAME_SIZE, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Gather(cells, 2, MPI_UINT32_T, all, 2, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    if (rank == 0)
        count = score_all(grid, stencil, names, all, scores);
    free(names);
    free(all);
    return count;
}

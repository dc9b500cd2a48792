/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the processes really are. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#include "grid/score.h"
#include "nodesplit.h"

struct bench_machine {
    int rank, size;              /* in MPI_COMM_WORLD */
    MPI_Comm plain;              /* all processes in blocks per node, as Slurm's block distribution;
                                  * the nodes in Slurm's order where that is known */
    int plain_rank;              /* so this is the position in the enumeration of a mapping */
    struct smap_nodesplit split; /* of plain */
    /* By the node keys (processor names); on world rank 0 only. */
    uint32_t hosts;
    uint32_t *host_of_rank;
};

/* Memory for the program itself: ends all processes with a line where there is none. */
void *bench_alloc(size_t count, size_t size);
_Noreturn void bench_no_memory(void);

/* Collective over MPI_COMM_WORLD; false, on all processes, without memory. */
bool bench_machine_init(struct bench_machine *machine);
void bench_machine_clear(struct bench_machine *machine);

/* The score where every process has this cell, from where they are. Collective over
 * MPI_COMM_WORLD; the result is there on world rank 0 only. */
struct smap_score bench_machine_score(const struct bench_machine *machine,
                                      const struct smap_grid *grid,
                                      const struct smap_stencil *stencil, uint32_t cell);

#endif

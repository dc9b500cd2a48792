/* SPDX-License-Identifier: BSD-3-Clause */
/* What srun's own options say about the layout of a step, before there is one: for srun's plugin,
 * and for previews of a line. */
#ifndef SMAP_PREDICT_H
#define SMAP_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "step/hostlist.h"
#include "step/nodesizes.h"

/* A node's cores, as slurmctld's configuration has them. */
struct smap_node_kind {
    uint32_t cores;   /* of all sockets */
    uint32_t threads; /* of each core; 1 or more */
};

/* srun's options, and where it runs. */
struct smap_srun {
    /* The value of an option by its long name, NULL if it is not set; the caller frees. */
    char *(*get)(void *context, const char *name);
    /* Did somebody set it, on the line or in the environment? */
    bool (*isset)(void *context, const char *name);
    /* Tells of a node; NULL: nobody can. */
    int (*node)(struct smap_node_kind *kind, void *context, const char *name,
                struct smap_error *err);
    void *context;
    const struct smap_hostlist *job;   /* the job's nodes in Slurm's order; NULL: there is none */
    const struct smap_nodesizes *cpus; /* Slurm's CPUs of the job on each of them; or NULL */
    bool hostfile;                     /* SLURM_HOSTFILE is set */
    bool yields;                       /* the mapping is nothing that a user asked for */
    unsigned release;                  /* Slurm's: 2305 is 23.05 */
};

/* The same as a number; 0 if it is not set or no single number. */
uint32_t smap_srun_number(const struct smap_srun *srun, const char *name);

/* Both ends of a range such as that of --nodes: "2-4", or twice the number of "4". False if it is
 * not set. */
bool smap_srun_range(const struct smap_srun *srun, const char *name, uint32_t *least,
                     uint32_t *most);

struct smap_prediction {
    struct smap_hostlist *hosts;  /* the step's nodes in Slurm's order */
    struct smap_nodesizes *sizes; /* tasks on each by Slurm's own rules */
    uint32_t *node_of_rank;       /* Slurm's own layout */
    bool node_asked;              /* a node had to be told of */
};

/* Predicts the step's nodes and Slurm's layout of the tasks on them, for a layout of our own with
 * as many tasks on each. SMAP_ENOTSUP with the reason (to follow "because") where that cannot be
 * known, or where Slurm would not carry out with our layout what the user typed. yields: a
 * --distribution that was typed is one of the reasons. node_asked is set also where it fails; the
 * rest is there on success only, for smap_prediction_clear. */
int smap_predict(struct smap_prediction *prediction, const struct smap_srun *srun, uint32_t tasks,
                 struct smap_error *err);
void smap_prediction_clear(struct smap_prediction *prediction);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What Slurm itself says about the step on this node. */
#ifndef STENCILMAP_ITEMS_H
#define STENCILMAP_ITEMS_H

#include <slurm/spank.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* An item of 32 bits; 0 where there is none. */
uint32_t items_number(spank_t spank, spank_item_t which);

/* The job's environment, or NULL. It moves as soon as somebody sets a variable. */
char **items_env(spank_t spank);

/* A limit such as SLURM_NTASKS_PER_CORE from the job's environment; 0 where none is set. */
uint32_t items_limit(spank_t spank, const char *name);

/* The numbers behind the tasks of a step. */
struct items {
    uid_t user; /* -1: not known */
    uint32_t job;
    uint32_t step;
    uint32_t nodes; /* of the step */
    uint32_t node;  /* this one's place among them */
    uint32_t total; /* tasks of the step */
    uint32_t tasks; /* of them on this node */
    uint32_t *rank; /* of each of these */
    pid_t *pid;     /* of each of these; 0 until it is forked */
};

/* SMAP_ENOMEM, or SMAP_EINVAL where Slurm does not know a rank. items_clear frees, also after a
 * failure and a zeroed one. */
int items_read(struct items *items, spank_t spank, struct smap_error *err);
void items_clear(struct items *items);

/* task_post_fork: a task has been forked. True with the last of them, if all are known. */
bool items_forked(struct items *items, uint32_t local, pid_t pid);

#endif

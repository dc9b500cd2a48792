/* SPDX-License-Identifier: BSD-3-Clause */
/* The first half of srun's side: before anything is allocated or launched, what is to become of the
 * step. */
#ifndef STENCILMAP_DECIDE_H
#define STENCILMAP_DECIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "levels/outer.h"
#include "plan/plan.h"
#include "srun/allocation.h"
#include "srun/launch.h"

/* What init_post_opt decides and local_user_init carries out. Starts as {0}. */
struct srun_decision {
    unsigned components;      /* of a heterogeneous step: init_post_opt is called once for each */
    bool heterogeneous;       /* and it is one, as far as is known by now */
    bool ctld_asked;          /* slurmctld has been asked something: it is asked once a step */
    bool nothing_gained;      /* Slurm's own layout is as good */
    char *why_comm;           /* why not launch, for the user; NULL if comm was wanted */
    const char *instead;      /* launch by this algorithm, as MPI cannot be told what best found */
    uint32_t block;           /* an order deals ranks to nodes so, but they stay where they are */
    struct allocation own;    /* Slurm's own layout, as predicted */
    struct smap_outer outer;  /* what is above its nodes, where that counts */
    struct smap_graph *graph; /* of --stencil=@FILE, which is read once; NULL: none, or not yet */
    struct smap_plan *plan;   /* placement launch: for that layout; comm: for the real one */
    struct launch launch;     /* the layout that srun was asked for, if it was */
};

/* Looks at the values of all options and decides. May end srun with a line, may leave the step
 * alone: then no option has a value any more. */
void srun_decide(struct srun_decision *decision);
void srun_decision_clear(struct srun_decision *decision);

/* The options' values as a request, as srun can use them: the levels inside the nodes count where a
 * task is one of their leaves. Borrows the decision's graph. */
struct smap_request srun_request(const struct srun_decision *decision);

/* A directive that does not fit: what was typed here ends srun, what the user said elsewhere leaves
 * the step alone and says so, and a default of the site does so quietly. */
void srun_refuse(const char *reason);

/* May a line be printed about what is done? */
bool srun_talks(void);

#endif

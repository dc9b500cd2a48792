/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of the tool: those of a request (plan.h) and its own, each a row of a table that
 * getopt, the usage text, and the tests of completion and manual follow. */
#ifndef STENCILMAP_TOOL_OPTIONS_H
#define STENCILMAP_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "plan/plan.h"

/* The command line: options by the same names as srun's, NULL where not given. */
struct args {
    struct smap_request request;
    const char *nodes;
    const char *tasks;
    const char *ntasks_per_node;
    const char *tasks_per_node; /* Slurm's notation */
    const char *distribution;   /* the layout to compare with */
    const char *nodelist;       /* for --format=hostfile */
    const char *mpi;            /* srun's, of which pmi2 makes a difference */
    const char *topology;       /* an XML file */
    const char *cpuset;         /* of the machine only these cpus, a list */
    const char *allowed;        /* the same, as a mask */
    const char *cpu_bind;       /* of cores: a list of srun's to look at */
    const char *cpus_per_task;  /* hardware threads, as Slurm counts them */
    const char *threads_per_core;
    const char *ntasks_per_socket;
    const char *strict;  /* "yes" if given */
    const char *level;   /* of show: what the picture colours */
    const char *lattice; /* of dims: what the grid divides ... */
    const char *patch;   /* ... and what a task has of it at least */
    const char *format;
    const char *color;         /* auto, always, never */
    const char *script;        /* of plan: a batch script */
    const char *cpus_per_node; /* of the job, Slurm's notation */
    const struct step *step;   /* of an srun line: says what the options above would (step.h) */
    char **line;               /* behind "--", or NULL */
    size_t line_count;
    char **rest; /* arguments behind the options */
    int rest_count;
};

/* Reads the options; prints usage errors itself. EXIT_DONE or EXIT_USAGE. line:
 * what stands behind "--" is one of srun's, and no words of the command. */
int options_parse(struct args *args, int argc, char **argv, bool line);

/* All options, by topic, a line each. */
void options_print(FILE *file);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A FAKE of what Slurm gives a SPANK plugin, so that a unit test can play srun or slurmstepd and
 * call the plugin's hooks (slurm_spank_init and so on). It knows only what the plugin uses, and it
 * proves nothing about Slurm: claims about the real thing are tested in tests/cluster. */
#ifndef STENCILMAP_FAKE_SPANK_H
#define STENCILMAP_FAKE_SPANK_H

#include <slurm/spank.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What spank_context and spank_get_item answer. Set the members directly. */
struct fake_spank {
    spank_context_t context;
    uint32_t job, step;
    uint32_t nodes, node; /* of the step; this one's index */
    uint32_t tasks, local_tasks;
    const uint32_t *global;    /* of each local task; NULL: the local number */
    uint32_t cpus_per_task;    /* S_STEP_CPUS_PER_TASK */
    uid_t user;                /* S_JOB_UID; this process's after fake_reset */
    uint16_t cpus;             /* S_JOB_NCPUS */
    const char *step_cores;    /* S_STEP_ALLOC_CORES, or NULL */
    int task;                  /* S_TASK_ID; -1: not in a task */
    pid_t pid;                 /* S_TASK_PID */
    bool srun_takes_no_layout; /* slurm_option_set fails */
};
extern struct fake_spank fake;

/* A srun of job 1, step 0 with nothing set and nothing said. The first thing of every test. It does
 * not know the plugin's own state: call slurm_spank_exit for that. */
void fake_reset(void);
void fake_reset_srun(void); /* the part of it that is srun's */

/* The same job seen from a Slurm program that has just loaded the plugin: no option is registered
 * and no task is there. */
void fake_new_process(spank_context_t context);

/* The handle to pass to hooks. */
spank_t fake_handle(void);

/* --- options that the plugin registered */
size_t fake_registered(void);
const struct spank_option *fake_registered_option(const char *name); /* NULL: not registered */
/* The callback, as srun calls it for "--name=value"; value NULL: no value. */
int fake_type_option(const char *name, const char *value);

/* --- the job's environment (S_JOB_ENV, spank_getenv, ...) */
void fake_setenv(const char *name, const char *value); /* NULL: removed */
const char *fake_getenv(const char *name);             /* NULL: not set */
/* What srun does at launch: this process's variables with that prefix go to the job. */
void fake_send_environment(const char *prefix);

/* --- srun's own options, by long name; value NULL: not set. Exported like srun's. */
void fake_srun_option(const char *name, const char *value);
const char *fake_srun_option_value(const char *name);

/* --- the step's layout, as slurm_job_step_layout_get tells it. Borrows nothing. */
void fake_layout(const char *nodelist, uint32_t nodes, const uint32_t node_of_rank[],
                 uint32_t tasks);
unsigned fake_layouts_asked(void); /* how often slurmctld was asked */

/* --- the switches, as slurm_load_topo tells them: switch i has these nodes; NULL ends. Up to Slurm
 * 25.02, see srun/switches.c. */
void fake_switches(const char *const nodes[]);
unsigned fake_switches_asked(void);

/* --- what was said: lines "error: ...", "info: ...", "debug: ...", "log: ..." */
const char *fake_said(void);
bool fake_has_said(const char *text);
size_t fake_lines_said(void); /* without debug lines */
void fake_forget_said(void);

/* Runs body in a child of this process, because srun's side may exit. Returns its exit code, 0 if
 * body returned. What it said is seen here. */
int fake_exit_code(void (*body)(void *argument), void *argument);

#endif

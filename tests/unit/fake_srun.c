/* SPDX-License-Identifier: BSD-3-Clause */
/* The FAKE's srun: its own options, and what slurmctld tells it of layouts and switches. */
#include <slurm/slurm.h>
#include <stdlib.h>
#include <string.h>

#include "fake_spank.h"

#define EXPORTED __attribute__((visibility("default")))

enum { OPTIONS_MAX = 64 };

struct pair {
    char *name, *value;
};

static struct pair srun_options[OPTIONS_MAX];
static slurm_step_layout_t *layout;
static unsigned layouts_asked, switches_asked;

/* srun's option structure: opaque to the plugin, so its address is all that counts. */
EXPORTED int opt;
EXPORTED char *slurm_option_get(void *options, const char *name);
EXPORTED bool slurm_option_isset(void *options, const char *name);
EXPORTED int slurm_option_set(void *options, const char *name, const char *value, bool early);

static void forget_layout(void)
{
    for (uint32_t i = 0; layout && i < layout->node_cnt; i++)
        free(layout->tids[i]);
    if (layout) {
        free(layout->tids);
        free(layout->tasks);
        free(layout->node_list);
    }
    free(layout);
    layout = NULL;
}

void fake_reset_srun(void)
{
    for (size_t i = 0; i < OPTIONS_MAX; i++) {
        free(srun_options[i].name);
        free(srun_options[i].value);
        srun_options[i] = (struct pair){NULL, NULL};
    }
    forget_layout();
    layouts_asked = switches_asked = 0;
    fake_switches(NULL);
}

/* --- srun's own options */

static struct pair *find_srun_option(const char *name)
{
    size_t i = 0;
    while (i + 1 < OPTIONS_MAX && srun_options[i].name && strcmp(srun_options[i].name, name) != 0)
        i++;
    return &srun_options[i];
}

void fake_srun_option(const char *name, const char *value)
{
    struct pair *option = find_srun_option(name);
    if (!option->name)
        option->name = strdup(name);
    free(option->value);
    option->value = value ? strdup(value) : NULL;
}

const char *fake_srun_option_value(const char *name)
{
    return find_srun_option(name)->value;
}

char *slurm_option_get(void *options, const char *name)
{
    const char *value = fake_srun_option_value(name);
    (void)options;
    return strdup(value ? value : "unset");
}

bool slurm_option_isset(void *options, const char *name)
{
    (void)options;
    return fake_srun_option_value(name) != NULL;
}

int slurm_option_set(void *options, const char *name, const char *value, bool early)
{
    (void)options;
    (void)early;
    if (fake.srun_takes_no_layout)
        return -1;
    fake_srun_option(name, value);
    return 0;
}

EXPORTED void slurm_xfree(void **memory);
void slurm_xfree(void **memory)
{
    free(*memory);
    *memory = NULL;
}

/* --- the layout of the step */

void fake_layout(const char *nodelist, uint32_t nodes, const uint32_t node_of_rank[],
                 uint32_t tasks)
{
    forget_layout();
    layout = calloc(1, sizeof(*layout));
    if (!layout)
        abort();
    layout->node_list = strdup(nodelist);
    layout->node_cnt = nodes;
    layout->task_cnt = tasks;
    layout->tasks = calloc(nodes, sizeof(*layout->tasks));
    layout->tids = calloc(nodes, sizeof(*layout->tids));
    for (uint32_t i = 0; i < nodes; i++)
        layout->tids[i] = calloc(tasks, sizeof(*layout->tids[i]));
    for (uint32_t rank = 0; rank < tasks; rank++) {
        uint32_t node = node_of_rank[rank];
        layout->tids[node][layout->tasks[node]++] = rank;
    }
}

unsigned fake_layouts_asked(void)
{
    return layouts_asked;
}

EXPORTED slurm_step_layout_t *slurm_job_step_layout_get(slurm_step_id_t *step)
{
    (void)step;
    layouts_asked++;
    return layout;
}

/* It is the fake's and lives on. */
EXPORTED void slurm_job_step_layout_free(slurm_step_layout_t *freed)
{
    (void)freed;
}

/* --- switches */

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
enum { SWITCHES_MAX = 8 };
static topo_info_t switches[SWITCHES_MAX];
static topo_info_response_msg_t topology = {.topo_array = switches};

void fake_switches(const char *const nodes[])
{
    topology.record_count = 0;
    for (size_t i = 0; nodes && nodes[i] && i < SWITCHES_MAX; i++)
        switches[topology.record_count++].nodes = (char *)nodes[i];
}

EXPORTED int slurm_load_topo(topo_info_response_msg_t **answer)
{
    switches_asked++;
    *answer = &topology;
    return 0;
}

EXPORTED void slurm_free_topo_info_msg(topo_info_response_msg_t *answer)
{
    (void)answer;
}
#else
void fake_switches(const char *const nodes[])
{
    (void)nodes;
}
#endif

unsigned fake_switches_asked(void)
{
    return switches_asked;
}

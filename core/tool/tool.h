/* SPDX-License-Identifier: BSD-3-Clause */
/* What the commands of the tool share. */
#ifndef STENCILMAP_TOOL_H
#define STENCILMAP_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/table.h"
#include "machine/slots.h"
#include "machine/topology.h"
#include "plan/plan.h"
#include "record/record.h"
#include "step/nodesizes.h"
#include "tool/options.h"

/* Exit codes, fixed for scripts. */
enum { EXIT_DONE = 0, EXIT_REFUSED = 1, EXIT_USAGE = 2, EXIT_SYSTEM = 3 };

/* One line on stderr, "stencilmap: text"; returns the exit code that belongs to rc. */
int tool_fail(const struct smap_error *err, int rc);

/* The node sizes that -N, -n, --ntasks-per-node and --tasks-per-node mean. */
int args_sizes(const struct args *args, struct smap_nodesizes **sizes, struct smap_error *err);

/* --mpi=pmi2: srun launches what that can tell MPI (plan/told.h). */
bool args_pmi2(const struct args *args);

/* The machine of --topology, or this one; of either only --cpuset and --allowed. */
int args_topology(struct smap_topology **topology, const struct args *args, struct smap_error *err);

/* --cpuset and --allowed are about a machine: refused where only a hierarchy is told. */
bool args_restricts(const struct args *args);
int args_refuse_restriction(const struct args *args, struct smap_error *err);
int args_restrict(struct smap_topology *topology, const struct args *args, struct smap_error *err);

/* "0-3,8"; sorts the cpus. The caller frees; NULL without memory. */
char *args_cpus_text(unsigned cpus[], size_t count);

/* The refusal of a cpu that is none of the shape's leaves. */
int args_no_such_cpu(unsigned cpu, const struct smap_shape *shape, struct smap_error *err);

/* Above a table of cpus: whose numbers these are, and the levels there. */
void args_print_numbering(const struct args *args, const char *shape);

/* Puts an option and its value in front of a reason that names none; returns rc. */
int args_blame(const char *option, const char *value, int rc, struct smap_error *err);

/* -c, --threads-per-core and --ntasks-per-socket: are they numbers? */
int args_check_numbers(const struct args *args, struct smap_error *err);

/* The slots of a node by the options about cores; the caller has filled in the rest of the request.
 * The machine is --topology, or a bare --rank-hierarchy, or this one. Says on stderr where PUs
 * stand for cores. */
int args_slots(struct smap_slots *slots, struct smap_slot_request *request, const struct args *args,
               struct smap_error *err);

/* A number from 1 on; 0 if text is NULL. The option is named in the refusal. */
int args_number(const char *text, uint64_t *value, const char *option, struct smap_error *err);

/* -n alone; 0 if it was not given. */
int args_tasks(const struct args *args, uint64_t *tasks, struct smap_error *err);

/* --rank-hierarchy; its bare numbers begin with the nodes if they multiply to -N and leave room for
 * so many tasks on a node. */
int args_hierarchy(uint64_t tasks, struct smap_hierarchy *hierarchy, const struct args *args,
                   struct smap_error *err);

/* The format asked for if it is one of the NULL-terminated list; else SMAP_EINVAL and a text. The
 * first one is the default. */
int args_format(const char *const formats[], const char **format, const struct args *args,
                struct smap_error *err);

/* A line for people, broken at blanks where it is longer than 80 columns. */
void print_wrapped(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints as args_format has found: aligned, or as CSV or JSON. */
int table_print(const struct smap_table *table, const char *format, struct smap_error *err);

/* Does --color want colours? auto: where a terminal shows them. */
int args_color(bool *color, const struct args *args, struct smap_error *err);

/* Pictures of a mapping in 1-D to 3-D (3-D as slices). */
int picture_terminal(const struct smap_problem *problem, const uint32_t node_of_cell[], bool color,
                     struct smap_error *err);
int picture_svg(const struct smap_problem *problem, const uint32_t node_of_cell[],
                const char *caption, struct smap_error *err);

/* cores --cpu-bind: where such a list puts the tasks. */
int command_binding(const struct args *args, const char *format, struct smap_error *err);

/* A record as two matrices, who sends to whom, by the nodes before and after: <svg> on stdout.
 * Captions are a line each. */
int heatmap_svg(const struct smap_record *record, const uint32_t *const node_of_rank[2],
                const char *const captions[2], struct smap_error *err);

/* What the algorithms gain on one step. */
int plan_step(const struct args *args, struct smap_error *err);

int command_plan(const struct args *args);
int command_detect(const struct args *args);
int command_show(const struct args *args);
int command_cores(const struct args *args);
int command_dims(const struct args *args);
int command_order(const struct args *args);
int command_topo(const struct args *args);

#endif

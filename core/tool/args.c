/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "machine/slots_tasks.h"
#include "tool/tool.h"

int tool_fail(const struct smap_error *err, int rc)
{
    fprintf(stderr, "stencilmap: %s\n", err->text);
    return rc == SMAP_EINVAL || rc == SMAP_ENOTSUP ? EXIT_REFUSED : EXIT_SYSTEM;
}

/* A positive number; 0 if the option was not given. */
static int number(uint32_t *value, const char *option, const char *text, struct smap_error *err)
{
    uint64_t parsed = 0;
    const char *cursor = text;
    if (text &&
        (!smap_scan_uint(&cursor, SMAP_TASKS_MAX, &parsed) || *cursor != '\0' || parsed == 0))
        return smap_fail(err, SMAP_EINVAL, "%s=%.100s: not a number from 1 on", option, text);
    *value = (uint32_t)parsed;
    return SMAP_OK;
}

int args_number(const char *text, uint64_t *value, const char *option, struct smap_error *err)
{
    uint32_t parsed = 0;
    int rc = number(&parsed, option, text, err);
    *value = parsed;
    return rc;
}

int args_tasks(const struct args *args, uint64_t *tasks, struct smap_error *err)
{
    return args_number(args->tasks, tasks, "--ntasks", err);
}

int args_hierarchy(uint64_t tasks, struct smap_hierarchy *hierarchy, const struct args *args,
                   struct smap_error *err)
{
    uint64_t nodes;
    int rc = args_number(args->nodes, &nodes, "--nodes", err);
    if (rc == SMAP_OK)
        rc = smap_hierarchy_parse(hierarchy, args->request.hierarchy, err);
    if (rc == SMAP_OK && nodes > 1)
        smap_hierarchy_split(hierarchy, nodes, tasks, UINT64_MAX);
    return rc;
}

static int deal(struct smap_nodesizes **sizes, uint32_t nodes, uint32_t tasks,
                struct smap_error *err)
{
    struct smap_text text = {0};
    if (nodes > tasks)
        return smap_fail(err, SMAP_EINVAL, "-N %" PRIu32 ": more nodes than the %" PRIu32 " tasks",
                         nodes, tasks);
    uint32_t more = tasks % nodes, size = tasks / nodes;
    if (more)
        smap_text_add(&text, "%" PRIu32 "(x%" PRIu32 "),", size + 1, more);
    smap_text_add(&text, "%" PRIu32 "(x%" PRIu32 ")", size, nodes - more);
    char *list = smap_text_take(&text);
    int rc = list ? smap_nodesizes_parse(sizes, list, err) : smap_nomem(err);
    free(list);
    return rc;
}

int args_sizes(const struct args *args, struct smap_nodesizes **sizes, struct smap_error *err)
{
    uint32_t nodes = 0, tasks = 0, per_node = 0, product;
    int rc = number(&nodes, "--nodes", args->nodes, err);
    if (rc == SMAP_OK)
        rc = number(&tasks, "--ntasks", args->tasks, err);
    if (rc == SMAP_OK)
        rc = number(&per_node, "--ntasks-per-node", args->ntasks_per_node, err);
    if (rc != SMAP_OK)
        return rc;
    if (args->tasks_per_node) {
        rc = smap_nodesizes_parse(sizes, args->tasks_per_node, err);
        if (rc == SMAP_OK && tasks && smap_nodesizes_tasks(*sizes) != tasks)
            rc = smap_fail(err, SMAP_EINVAL,
                           "--tasks-per-node=%.100s: %" PRIu32 " tasks, --ntasks says %" PRIu32,
                           args->tasks_per_node, smap_nodesizes_tasks(*sizes), tasks);
        if (rc == SMAP_OK && nodes && smap_nodesizes_nodes(*sizes) != nodes)
            rc = smap_fail(err, SMAP_EINVAL,
                           "--tasks-per-node=%.100s: %" PRIu32 " nodes, --nodes says %" PRIu32,
                           args->tasks_per_node, smap_nodesizes_nodes(*sizes), nodes);
        return rc;
    }
    if (!tasks && nodes && per_node) {
        if (__builtin_mul_overflow(nodes, per_node, &product))
            return smap_fail(err, SMAP_EINVAL, "more than %" PRIu32 " tasks", SMAP_TASKS_MAX);
        tasks = product;
    }
    if (!nodes && tasks && per_node)
        nodes = tasks / per_node + (tasks % per_node != 0);
    if (!nodes || !tasks)
        return smap_fail(err, SMAP_EINVAL,
                         "say how many tasks run where: -N and -n, "
                         "--ntasks-per-node, or --tasks-per-node='48(x50),16'");
    return deal(sizes, nodes, tasks, err);
}

int args_format(const char *const formats[], const char **format, const struct args *args,
                struct smap_error *err)
{
    struct smap_text text = {0};
    *format = args->format ? args->format : formats[0];
    for (size_t i = 0; formats[i]; i++)
        if (strcmp(*format, formats[i]) == 0)
            return SMAP_OK;
    for (size_t i = 0; formats[i]; i++)
        smap_text_add(&text, "%s%s", i ? ", " : "", formats[i]);
    char *list = smap_text_take(&text);
    smap_fail(err, SMAP_EINVAL, "--format=%.100s: not one of %s", *format, list ? list : "");
    free(list);
    return SMAP_EINVAL;
}

bool args_pmi2(const struct args *args)
{
    return args->mpi && strcmp(args->mpi, "pmi2") == 0;
}

int args_topology(struct smap_topology **topology, const struct args *args, struct smap_error *err)
{
    const struct smap_topology_source source = {
        .xml = args->topology,
        .gpus = smap_topology_wants_gpus(args->request.order, args->request.hierarchy),
    };
    int rc = smap_topology_load(topology, &source, err);
    struct smap_error why = *err;
    if (rc != SMAP_OK)
        return args->topology ? smap_fail(err, rc, "--%s", why.text) : rc;
    rc = args_restrict(*topology, args, err);
    if (rc == SMAP_OK && !smap_topology_has_cores(*topology))
        fputs("stencilmap: this machine shows no cores, its hardware threads stand for them\n",
              stderr);
    return rc;
}

void args_print_numbering(const struct args *args, const char *shape)
{
    if (args->topology)
        printf("cpus as the kernel of %s's machine numbers them: %s\n", args->topology, shape);
    else if (args->request.hierarchy)
        printf("cpus by logical number, as --rank-hierarchy counts them: %s\n",
               args->request.hierarchy);
    else
        printf("cpus as the kernel of this host numbers them: %s\n", shape);
}

int args_blame(const char *option, const char *value, int rc, struct smap_error *err)
{
    struct smap_error why = *err;
    if (strncmp(why.text, "--", 2) == 0)
        return rc;
    return smap_fail(err, rc, "%s=%.120s: %s", option, value, why.text);
}

/* What the options say about the cores of tasks. */
static int read_cores(struct smap_slot_request *request, const struct args *args,
                      struct smap_error *err)
{
    int rc = args_number(args->cpus_per_task, &request->cpus_per_task, "--cpus-per-task", err);
    if (rc == SMAP_OK)
        rc = args_number(args->threads_per_core, &request->threads_per_core, "--threads-per-core",
                         err);
    if (rc == SMAP_OK)
        rc = args_number(args->ntasks_per_socket, &request->tasks_per_socket, "--ntasks-per-socket",
                         err);
    return rc;
}

int args_check_numbers(const struct args *args, struct smap_error *err)
{
    struct smap_slot_request request = {.order = NULL};
    return read_cores(&request, args, err);
}

/* Slurm refuses what no core has. */
static int check_threads(const struct smap_topology *topology, uint64_t threads,
                         struct smap_error *err)
{
    size_t least, most;
    smap_topology_threads(&least, &most, topology);
    if (threads <= most)
        return SMAP_OK;
    return smap_fail(err, SMAP_EINVAL,
                     "--threads-per-core=%" PRIu64 ": cores here have %zu hardware thread%s",
                     threads, most, most == 1 ? "" : "s");
}

int args_slots(struct smap_slots *slots, struct smap_slot_request *request, const struct args *args,
               struct smap_error *err)
{
    struct smap_topology *topology = NULL;
    struct smap_hierarchy hierarchy;
    int rc = read_cores(request, args, err);
    /* What is empty is no order of nature here, but a mistake. */
    if (rc == SMAP_OK && request->order && !request->order[0])
        rc = smap_order_check(NULL, request->order, err);
    if (rc == SMAP_OK && request->hierarchy)
        rc = smap_hierarchy_parse(&hierarchy, request->hierarchy, err);
    if (rc == SMAP_OK && args->request.hierarchy && !args->topology)
        rc = args_refuse_restriction(args, err);
    if (rc == SMAP_OK && args->request.hierarchy && !args->topology)
        return smap_told_slots(slots, request, err);
    if (rc == SMAP_OK)
        rc = args_topology(&topology, args, err);
    if (rc == SMAP_OK)
        rc = check_threads(topology, request->threads_per_core, err);
    if (rc == SMAP_OK)
        rc = smap_topology_task_slots(slots, topology, request, err);
    smap_topology_destroy(topology);
    return rc;
}

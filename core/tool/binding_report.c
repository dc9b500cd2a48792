/* SPDX-License-Identifier: BSD-3-Clause */
/* What crosses the levels of a machine where a list binds the tasks, and what is odd about it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "levels/inside.h"
#include "tool/binding.h"

struct placed {
    uint32_t leaf, task;
};

static int by_leaf(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return x->leaf != y->leaf ? (x->leaf > y->leaf) - (x->leaf < y->leaf)
                              : (x->task > y->task) - (x->task < y->task);
}

/* The tasks' seats in the machine's order, each at its first cpu; behind the machine's levels comes
 * one in which every task is alone. */
static int find_seats(struct smap_inside *inside, uint32_t seat_of[], const struct binding *b,
                      struct smap_error *err)
{
    size_t levels = b->shape.count;
    struct placed *placed = calloc(b->tasks, sizeof(*placed));
    int rc =
        placed ? smap_inside_init(inside, levels + 1, (uint32_t)b->tasks, err) : smap_nomem(err);
    for (uint32_t task = 0; rc == SMAP_OK && task < b->tasks; task++)
        placed[task] = (struct placed){binding_first_leaf(b, task), task};
    if (rc == SMAP_OK)
        qsort(placed, b->tasks, sizeof(*placed), by_leaf);
    for (uint32_t k = 0; rc == SMAP_OK && k < b->tasks; k++) {
        uint32_t *object = inside->object + k * (levels + 1);
        seat_of[placed[k].task] = k;
        for (size_t l = 0; l < levels; l++)
            object[l] = b->shape.level[l].object[placed[k].leaf];
        object[levels] = k;
    }
    free(placed);
    return rc;
}

/* "7 pairs of consecutive tasks" or "20 messages of nn on 4x2" */
static void print_crossings(const struct binding *b, const struct args *args,
                            const struct smap_problem *problem, const uint64_t crossing[])
{
    bool grid = args->request.stencil || args->request.dims;
    char *dims = smap_problem_dims(problem), name[SMAP_NAME_SIZE];
    printf("of %" PRIu64, crossing[b->shape.count]);
    if (grid)
        printf(" messages of %.60s on %s%s", args->request.stencil ? args->request.stencil : "nn",
               args->request.dims ? "" : "the assumed grid ", dims ? dims : "?");
    else
        printf(" pairs of consecutive tasks");
    for (size_t l = 0, first = 1; l < b->shape.count; l++) {
        binding_level_name(name, &b->shape, l);
        if (strcmp(name, "pu") == 0)
            continue;
        printf("%s %s %" PRIu64, first ? " cross:" : ",", name, crossing[l]);
        first = 0;
    }
    putchar('\n');
    free(dims);
}

int binding_print_crossings(const struct binding *b, const struct args *args,
                            struct smap_error *err)
{
    struct smap_request request = args->request;
    struct smap_problem problem = {0};
    struct smap_inside inside = {0};
    uint64_t crossing[SMAP_LEVELS_MAX + 1];
    char line[24];
    request.map = NULL;
    if (!request.stencil && !request.dims) {
        snprintf(line, sizeof(line), "%zu", b->tasks);
        request.dims = line;
        request.stencil = "1";
    }
    uint32_t *seat_of = calloc(2 * b->tasks, sizeof(*seat_of));
    int rc =
        seat_of ? smap_problem_init(&problem, &request, (uint32_t)b->tasks, err) : smap_nomem(err);
    if (rc == SMAP_OK)
        rc = find_seats(&inside, seat_of, b, err);
    if (rc == SMAP_OK) {
        const struct smap_instance instance = smap_problem_on(&problem, NULL);
        uint32_t *cells = seat_of + b->tasks;
        for (uint32_t task = 0; task < b->tasks; task++)
            cells[task] = task;
        rc = smap_inside_crossings(crossing, &inside, &instance, cells, seat_of, err);
    }
    if (rc == SMAP_OK)
        print_crossings(b, args, &problem, crossing);
    smap_inside_clear(&inside);
    smap_problem_clear(&problem);
    free(seat_of);
    return rc;
}

/* The first of the tasks that something is odd about, and how many there are. */
struct oddity {
    size_t task, other, count;
};

static void note(struct oddity *oddity, size_t task, size_t other)
{
    if (oddity->count++ == 0)
        *oddity = (struct oddity){task, other, 1};
}

static void print_oddity(const struct oddity *oddity, const char *what)
{
    if (oddity->count == 0)
        return;
    fprintf(stderr, "stencilmap: tasks %zu and %zu have %s", oddity->other, oddity->task, what);
    if (oddity->count > 1)
        fprintf(stderr, ", and %zu more", oddity->count - 1);
    fputc('\n', stderr);
}

/* The level of the cores; where there is none its leaves are taken for them. */
static const struct smap_shape_level *core_level(const struct smap_shape *shape)
{
    size_t l = 0;
    while (l + 1 < shape->count && !smap_level_has_name(&shape->level[l].label, "core"))
        l++;
    return &shape->level[l];
}

/* The first other task that has had one of these places; takes them. owner: one more than it. */
static size_t take(size_t *owner, size_t task, size_t other)
{
    if (*owner == 0)
        *owner = task + 1;
    return *owner != task + 1 && other == 0 ? *owner : other;
}

/* Who has a cpu, or else a core, that an earlier task has; and how many cores nobody has. */
static void find_shared(struct oddity *same_cpu, struct oddity *same_core, size_t *idle,
                        const struct binding *b, size_t owner[])
{
    const struct smap_shape_level *cores = core_level(&b->shape);
    size_t *core_owner = owner + b->shape.leaves;
    for (size_t task = 0; task < b->tasks; task++) {
        size_t count, cpu_of = 0, core_of = 0;
        const unsigned *cpus = binding_cpus(b, task, &count);
        for (size_t i = 0; i < count; i++) {
            uint32_t leaf = b->leaf_of_cpu[cpus[i]];
            cpu_of = take(&owner[leaf], task, cpu_of);
            core_of = take(&core_owner[cores->object[leaf]], task, core_of);
        }
        if (cpu_of)
            note(same_cpu, task, cpu_of - 1);
        else if (core_of)
            note(same_core, task, core_of - 1);
    }
    *idle = 0;
    for (uint32_t core = 0; core < cores->objects; core++)
        *idle += core_owner[core] == 0;
}

/* Tasks whose cpus are in several objects of a level, the outermost such. */
static void print_wide(const struct binding *b, unsigned scratch[])
{
    char name[SMAP_NAME_SIZE];
    for (size_t l = 0; &b->shape.level[l] < core_level(&b->shape); l++) {
        struct oddity wide = {0};
        for (size_t task = 0; task < b->tasks; task++)
            if (binding_objects(scratch, b, task, l) > 1)
                note(&wide, task, 0);
        if (wide.count == 0)
            continue;
        binding_level_name(name, &b->shape, l);
        fprintf(stderr, "stencilmap: task %zu has cpus in more than one %s", wide.task, name);
        if (wide.count > 1)
            fprintf(stderr, ", and %zu more", wide.count - 1);
        fputc('\n', stderr);
        return;
    }
}

int binding_print_notes(const struct binding *b, struct smap_error *err)
{
    struct oddity same_cpu = {0}, same_core = {0};
    size_t idle, *owner = calloc(2 * b->shape.leaves + 1, sizeof(*owner));
    unsigned *scratch = calloc(b->shape.leaves + 1, sizeof(*scratch));
    if (owner && scratch) {
        if (b->list.count < b->tasks)
            fprintf(stderr,
                    "stencilmap: %zu entries for %zu tasks: they come again from the first on\n",
                    b->list.count, b->tasks);
        if (b->list.count > b->tasks)
            fprintf(stderr, "stencilmap: of %zu entries the first %zu are used\n", b->list.count,
                    b->tasks);
        find_shared(&same_cpu, &same_core, &idle, b, owner);
        print_oddity(&same_cpu, "a cpu in common");
        print_oddity(&same_core, "a core in common");
        if (same_cpu.count + same_core.count > 0 && idle > 0)
            fprintf(stderr, "stencilmap: %zu cores have no task\n", idle);
        print_wide(b, scratch);
    }
    bool memory = owner && scratch;
    free(owner);
    free(scratch);
    return memory ? SMAP_OK : smap_nomem(err);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Every algorithm on instances of many kinds, against a golden file: whoever changes a mapping by
 * mistake learns it here, and whoever means to sees which. Mappings are the same on every machine,
 * since srun and every node compute them by themselves.
 *
 *   test_plans --write >tests/data/plans.golden        after a change that was meant */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"
#include "plan/plan.h"

/* NULL: not set. */
static const struct instance {
    const char *dims, *stencil, *periodic, *sizes, *hierarchy, *order;
} instances[] = {
    {"6x4", "nn", NULL, "8(x3)", "socket:2,core:4", NULL},
    {"29", "1*2;-1;3", "1", "10,10,9", NULL, NULL},
    {"9x7", "9pt", "1,0", "7(x9)", NULL, NULL},
    {"10x6", "1,0*3;-1,0*2;0,1;2,-1*5", "0,1", "13,12,11,24", "socket:2,l3:3,core:4", "l3,core"},
    {"5x4x3", "27pt", "1,1,0", "10,20,15,15", NULL, NULL},
    {"16x16", "5pt", NULL, "32(x8)", "rack:2,node:4,socket:2,numa:2,core:8", NULL},
    {"8x4x4,column", "crank-nicolson", "0,1,0", "16(x8)", "switch:2,node:4,socket:2,core:8", NULL},
    {"7x7", "diagonal", "1,1", "25,24", NULL, NULL},
    {"3x4x5x2", "component", NULL, "30(x4)", NULL, NULL},
    {"24x10", "hops-last", "0,1", "17(x14),2", NULL, NULL},
    {"2x3x4", "moore", "1,1,1", "4(x6)", "rack:3,node:2,core:4", NULL},
    {"9x8", "9pt", NULL, "18(x4)", NULL, NULL},
    {"9x8", "diagonal", NULL, "12(x6)", NULL, NULL},
    {"5x6x4", "27pt", NULL, "20(x6)", "socket:2,core:10", NULL},
    {"20x6", "nn", NULL, "10(x6),15(x4)", NULL, NULL},
    {"24x20", "9pt", NULL, "32(x6),24(x12)", NULL, NULL},
    {"12x9", "-3,0*4;0,2*3;1,1", NULL, "27(x4)", NULL, NULL},
    {"12x11", "hops", NULL, "11(x12)", NULL, NULL},
};

static const char *const objectives[] = {"sum", "max", "levels"};

/* FNV-1a. */
static uint64_t hash_of(const uint32_t list[], uint32_t count)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (uint32_t i = 0; i < count; i++)
        for (unsigned shift = 0; shift < 32; shift += 8)
            hash = (hash ^ (list[i] >> shift & 0xff)) * UINT64_C(1099511628211);
    return hash;
}

static void print_objects(FILE *out, const struct smap_plan *plan)
{
    const struct smap_levels *levels = &plan->levels;
    uint32_t cells = plan->problem.grid.cells, *object = calloc(cells, sizeof(*object));
    const struct smap_seated seated = {plan->node_of_cell, plan->after.jsum, SMAP_SEATS_BEST};
    for (size_t l = 0; plan->outer && l < plan->outer->levels; l++)
        fprintf(out, " %s:%" PRIu64 ">%" PRIu64, plan->outer->name[l], plan->outer_before[l],
                plan->outer_after[l]);
    for (size_t l = 0; l + 1 < levels->hierarchy.count; l++) {
        assert_int_equal(smap_levels_objects(object, levels, &plan->instance, &seated, l, NULL),
                         SMAP_OK);
        fprintf(out, " %s:%" PRIu64 ">%" PRIu64 "@%08" PRIx32, levels->hierarchy.level[l].name,
                plan->crossing_before[l], plan->crossing_after[l],
                (uint32_t)hash_of(object, cells));
    }
    free(object);
}

/* "hyperplane sum: 12 6 bound 12 gains cells 0123456789abcdef socket:20>16@01234567" */
static void print_plan(FILE *out, const struct instance *in, const char *map, const char *objective)
{
    const struct smap_request request = {
        .map = map,
        .stencil = in->stencil,
        .dims = in->dims,
        .periodic = in->periodic,
        .hierarchy = in->hierarchy,
        .order = in->order,
        .objective = objective,
        .effort = strcmp(objective, "max") ? "fast" : "normal",
    };
    struct smap_error err = {""};
    struct smap_nodesizes *sizes = NULL;
    struct smap_plan *plan = NULL;
    assert_int_equal(smap_nodesizes_parse(&sizes, in->sizes, &err), SMAP_OK);
    int rc = smap_plan_create(&plan, &request, sizes, NULL, &err);
    fprintf(out, "%s %s: ", map, objective);
    if (rc == SMAP_OK) {
        uint32_t cells = plan->problem.grid.cells, *cell_at = calloc(cells, sizeof(*cell_at));
        smap_mapping_cells(cell_at, plan->mapping);
        fprintf(out,
                "%" PRIu64 " %" PRIu64 " bound %" PRIu64 "%s nodes %08" PRIx32 " cells %08" PRIx32,
                plan->after.jsum, plan->after.jmax, plan->bound, plan->gains ? " gains" : "",
                (uint32_t)hash_of(plan->node_of_cell, cells), (uint32_t)hash_of(cell_at, cells));
        print_objects(out, plan);
        free(cell_at);
    } else {
        fprintf(out, "%s", err.text);
    }
    fputc('\n', out);
    smap_plan_destroy(plan);
    smap_nodesizes_destroy(sizes);
}

static void print_all(FILE *out)
{
    for (size_t i = 0; i < sizeof(instances) / sizeof(instances[0]); i++) {
        const struct instance *in = &instances[i];
        fprintf(out, "# %s %s %s %s %s %s\n", in->dims, in->stencil,
                in->periodic ? in->periodic : "-", in->sizes, in->hierarchy ? in->hierarchy : "-",
                in->order ? in->order : "-");
        for (size_t a = 0; smap_algorithm_at(a); a++)
            print_plan(out, in, smap_algorithm_at(a)->name, in->hierarchy ? "levels" : "sum");
        print_plan(out, in, "random:7", "sum");
        for (size_t o = 0; o < sizeof(objectives) / sizeof(objectives[0]); o++)
            print_plan(out, in, "best", objectives[o]);
    }
}

static void test_golden(void **state)
{
    FILE *golden = fopen(STENCILMAP_TEST_DATA "/plans.golden", "r");
    char *text = NULL, *line, *rest, want[1024];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    assert_non_null(golden);
    assert_non_null(out);
    print_all(out);
    fclose(out);
    for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        assert_non_null(fgets(want, sizeof(want), golden));
        want[strcspn(want, "\n")] = '\0';
        if (strcmp(line, want) != 0)
            fail_msg("wanted: %s\n           got:    %s", want, line);
    }
    assert_null(fgets(want, sizeof(want), golden));
    fclose(golden);
    free(text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden)};
    if (argc > 1 && strcmp(argv[1], "--write") == 0) {
        print_all(stdout);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

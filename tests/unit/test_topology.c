/* SPDX-License-Identifier: BSD-3-Clause */
/* Levels and slots of machines in golden files (tests/data/topology/README), and of some by hand.
 * STENCILMAP_TEST_TOPOLOGIES names a directory with the XML files of machines.golden. */
#include "unit_topology.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/text.h"

struct machine {
    const char *directory; /* of XML files */
    struct smap_topology_source source;
    char text[512];
    struct smap_topology *topology;
};

static void machine_reset(struct machine *m)
{
    m->topology = load(&m->source);
}

static void machine_set(struct machine *m, const char *kind, const char *value)
{
    smap_topology_destroy(m->topology);
    m->topology = NULL; /* stays so where a file of somebody else's is not there */
    if (strcmp(kind, "xml") == 0) {
        snprintf(m->text, sizeof(m->text), "%s/%s", m->directory, value);
        m->source = (struct smap_topology_source){.xml = m->text, .gpus = true};
    } else {
        snprintf(m->text, sizeof(m->text), "%s", value);
        m->source = (struct smap_topology_source){.synthetic = m->text};
    }
    if (m->directory == data || access(m->text, R_OK) == 0)
        machine_reset(m);
}

static size_t scan_cpus(const char *text, unsigned *cpus, size_t capacity)
{
    size_t count = 0;
    uint64_t value;
    while (count < capacity && smap_scan_uint(&text, UINT32_MAX, &value)) {
        cpus[count++] = (unsigned)value;
        if (!smap_scan_char(&text, ','))
            break;
    }
    return count;
}

/* One "name=value" of a slots line. */
static void set_request(struct smap_slot_request *r, char *name)
{
    static char empty[] = "";
    char *value = strchr(name, '=');
    if (value)
        *value++ = '\0';
    else
        value = empty;
    uint64_t number = strtoull(value, NULL, 10);
    if (strcmp(name, "order") == 0)
        r->order = value;
    else if (strcmp(name, "h") == 0)
        r->hierarchy = value;
    else if (strcmp(name, "n") == 0)
        r->count = number;
    else if (strcmp(name, "c") == 0)
        r->per_task = number;
    else if (strcmp(name, "nodes") == 0)
        r->nodes = number;
    else if (strcmp(name, "threads") == 0)
        r->threads_per_core = number;
    else if (strcmp(name, "leaf") == 0)
        r->leaf = strcmp(value, "pu") == 0 ? SMAP_LEAF_PU : SMAP_LEAF_CORE;
    else if (strcmp(name, "strict") == 0)
        r->strict = true;
    else
        fail_msg("unknown word '%s' in a golden file", name);
}

static char *answer_slots(const struct machine *m, char *words)
{
    struct smap_slot_request request = {0};
    struct smap_slots slots = {0};
    struct smap_error err = {""};
    struct smap_text text = {0};
    char *rest = words;
    for (char *word = strsep(&rest, " "); word; word = strsep(&rest, " "))
        if (*word)
            set_request(&request, word);
    if (smap_topology_slots(&slots, m->topology, &request, &err))
        smap_text_add(&text, "! %s", err.text);
    for (size_t i = 0; i < slots.count; i++)
        for (size_t c = slots.first[i]; c < slots.first[i + 1]; c++)
            smap_text_add(&text, "%s%u",
                          c > slots.first[i] ? "+"
                          : i > 0            ? " "
                                             : "",
                          slots.cpus[c]);
    if (slots.membind)
        smap_text_add(&text, " membind");
    smap_slots_clear(&slots);
    return smap_text_take(&text);
}

static char *answer_restrict(const struct machine *m, const char *what, const char *value)
{
    struct smap_error err = {""};
    struct smap_text text = {0};
    unsigned cpus[64];
    bool by_core = strcmp(what, "cores") == 0;
    size_t count = scan_cpus(value, cpus, COUNT(cpus));
    if (smap_topology_restrict(m->topology, by_core ? value : NULL, by_core ? NULL : cpus, count,
                               &err))
        smap_text_add(&text, "! %s", err.text);
    else
        smap_text_add(&text, "%zu cores, %zu cpus", smap_topology_core_count(m->topology),
                      smap_topology_cpu_count(m->topology));
    return smap_text_take(&text);
}

static char *answer_lookup(const struct machine *m, const char *what, const char *value)
{
    struct smap_text text = {0};
    unsigned cpus[64];
    unsigned nodes[64];
    size_t count = scan_cpus(value, cpus, COUNT(cpus));
    if (strcmp(what, "numa") == 0) {
        size_t found = smap_topology_numa_nodes(nodes, COUNT(nodes), m->topology, cpus, count);
        for (size_t i = 0; i < found; i++)
            smap_text_add(&text, "%s%u", i ? " " : "", nodes[i]);
    } else {
        for (size_t i = 0; i < count; i++) {
            size_t at = smap_topology_logical(m->topology, cpus[i]);
            smap_text_add(&text, i ? " " : "%s", "");
            smap_text_add(&text, at == SIZE_MAX ? "none" : "%zu", at);
        }
    }
    return smap_text_take(&text);
}

/* "keep LIST": how many GPUs are left; "near CPUS": the GPU of each, "-" for none. */
static char *answer_gpus(struct machine *m, const char *command, const char *argument)
{
    unsigned cpus[64];
    uint32_t gpu[64];
    struct smap_text text = {0};
    if (strcmp(command, "keep") == 0) {
        smap_topology_keep_gpus(m->topology, argument);
        smap_text_add(&text, "%zu", smap_topology_gpu_count(m->topology));
        return smap_text_take(&text);
    }
    size_t count = scan_cpus(argument, cpus, COUNT(cpus));
    assert_int_equal(smap_topology_gpus(gpu, m->topology, cpus, count, NULL), SMAP_OK);
    for (size_t i = 0; i < count; i++)
        if (gpu[i] == SMAP_NO_OBJECT)
            smap_text_add(&text, "%s-", i ? " " : "");
        else
            smap_text_add(&text, "%s%" PRIu32, i ? " " : "", gpu[i]);
    return smap_text_take(&text);
}

static char *answer(struct machine *m, const char *command, char *argument)
{
    if (strcmp(command, "levels") == 0)
        return smap_topology_text(m->topology,
                                  strcmp(argument, "pu") == 0 ? SMAP_LEAF_PU : SMAP_LEAF_CORE);
    if (strcmp(command, "slots") == 0)
        return answer_slots(m, argument);
    if (strcmp(command, "cores") == 0 || strcmp(command, "cpus") == 0)
        return answer_restrict(m, command, argument);
    if (strcmp(command, "keep") == 0 || strcmp(command, "near") == 0)
        return answer_gpus(m, command, argument);
    return answer_lookup(m, command, argument);
}

/* "command argument -> expected", or a new machine; empty lines and # are skipped. */
static void check_line(struct machine *m, const char *file, unsigned number, char *line)
{
    line[strcspn(line, "\n")] = '\0';
    char *rest = line;
    if (*line == '\0' || *line == '#')
        return;
    char *expected = strstr(line, "->");
    if (expected) {
        *expected = '\0';
        expected += expected[2] == ' ' ? 3 : 2;
    }
    char *command = strsep(&rest, " ");
    char *argument = rest ? rest : line + strlen(line);
    for (size_t n = strlen(argument); n > 0 && argument[n - 1] == ' '; n--)
        argument[n - 1] = '\0';
    if (!expected) {
        machine_set(m, command, argument);
        return;
    }
    if (!m->topology)
        return;
    char *actual = answer(m, command, argument);
    if (!actual || strcmp(actual, expected) != 0)
        fail_msg("%s:%u: %s", file, number, actual ? actual : "(null)");
    free(actual);
}

static void check_golden(const char *name, const char *directory)
{
    struct machine m = {.directory = directory};
    char path[512];
    char line[2048];
    unsigned number = 0;
    snprintf(path, sizeof(path), "%s/%s", data, name);
    FILE *file = fopen(path, "re");
    if (!file)
        fail_msg("%s is missing", path);
    while (fgets(line, sizeof(line), file))
        check_line(&m, name, ++number, line);
    assert_true(number > 0);
    fclose(file);
    smap_topology_destroy(m.topology);
}

static void test_golden(void **state)
{
    static const char *const files[] = {"regular.golden", "ragged.golden",   "hierarchy.golden",
                                        "tasks.golden",   "oddities.golden", "gpus.golden"};
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++)
        check_golden(files[i], data);
}

static void test_more_files(void **state)
{
    const char *path = getenv("STENCILMAP_TEST_TOPOLOGIES");
    (void)state;
    if (!path)
        skip();
    check_golden("machines.golden", path);
}

/* Orders that take nodes in turn: level numbers with and without the node, and names. */
static void test_resolve(void **state)
{
    static const struct {
        const char *order;
        const char *hierarchy;
        uint64_t nodes;
        const char *full;
        const char *numbers;
    } cases[] = {
        {"1-0", NULL, 4, "node:4,socket:2,core:4", "2-1-0"},
        {"0-2-1", NULL, 4, "node:4,socket:2,core:4", "0-2-1"},
        {"socket,node", NULL, 4, "node:4,socket:2,core:4", "1-0-2"},
        {"socket", NULL, 0, "node:1,socket:2,core:4", "1-2-0"},
        {"node,core", NULL, 0, "node:1,socket:2,core:4", "0-2-1"},
        {"cyclic:cyclic", NULL, 3, "node:3,socket:2,core:4", "0-1-2"},
        {"0-1", "2,4", 3, "3,2,4", "1-2-0"},
        {"1-0-2", "3,2,4", 3, "3,2,4", "1-0-2"},
        {"3-0-1-2", "2,2,2,4", 4, "2,2,2,4", "3-0-1-2"},
        {"fake,core", "node:2,fake:4,core:2", 2, "node:2,fake:4,core:2", "1-2-0"},
        {"core", "rack:2,node:2,core:8", 4, "rack:2,node:2,core:8", "2-1-0"},
    };
    struct smap_topology *t =
        load(&(struct smap_topology_source){.synthetic = "[numa] pack:2 core:4 pu:1"});
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct smap_slot_request request = {
            .order = cases[i].order, .hierarchy = cases[i].hierarchy, .nodes = cases[i].nodes};
        struct smap_hierarchy h;
        struct smap_order order;
        struct smap_error err = {""};
        if (smap_topology_resolve(&h, &order, t, &request, &err))
            fail_msg("%s", err.text);
        char *full = smap_hierarchy_format(&h);
        char *numbers = smap_order_format(&order);
        assert_string_equal(full, cases[i].full);
        assert_string_equal(numbers, cases[i].numbers);
        free(full);
        free(numbers);
    }
    smap_topology_destroy(t);
}

/* Shapes that hwloc's trees seldom have: interleaved leaves, and levels across each other. */
static void test_shape(void **state)
{
    static const uint32_t socket[] = {5, 2, 5, 2, 5, 2};
    static const uint32_t numa[] = {0, 0, 1, 1, 2, 2};
    static const uint32_t pair[] = {0, 1, 0, 1, 2, 3};
    static const uint32_t core[] = {0, 1, 2, 3, 4, 5};
    static const unsigned sorted[] = {0, 2, 4, 1, 3, 5};
    struct smap_shape shape;
    struct smap_error err = {""};
    (void)state;
    assert_int_equal(smap_shape_init(&shape, 6, 6, &err), SMAP_OK);
    for (unsigned i = 0; i < 6; i++)
        shape.leaf[i] = (struct smap_shape_leaf){i, i, 1};
    assert_int_equal(smap_shape_add(&shape, "socket", socket, 6, &err), SMAP_OK);
    assert_int_equal(smap_shape_add(&shape, "numa", numa, 3, &err), SMAP_OK);
    assert_int_equal(smap_shape_add(&shape, "l3", pair, 4, &err), SMAP_OK);
    assert_int_equal(smap_shape_add(&shape, "core", core, 6, &err), SMAP_OK);
    assert_int_equal(smap_shape_settle(&shape, &err), SMAP_OK);
    char *text = smap_shape_text(&shape, " ");
    assert_string_equal(text, "socket:2 l3:2 core:2+1+2+1");
    assert_string_equal(smap_shape_refusal(&shape, "numa"),
                        "numa borders cross socket borders here");
    assert_null(smap_shape_refusal(&shape, "l3"));
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(shape.leaf[i].core, sorted[i]);
    assert_false(smap_shape_is_regular(&shape));
    free(text);
    smap_shape_clear(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_more_files),
        cmocka_unit_test(test_resolve),
        cmocka_unit_test(test_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

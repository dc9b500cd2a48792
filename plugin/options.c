/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order/order_parse.h"
#include "plan/plan.h"

static int on_option(int val, const char *optarg, int remote);

/* SPANK keeps pointers to these. */
static struct spank_option table[OPTION_COUNT] = {
    [OPTION_MAP] =
        {"stencil-map", "ALG",
         "[stencilmap] place grid neighbours on the same node: best (what a bare "
         "--stencil-map means), blocked, hyperplane, kdtree, strips, nodecart; off; help",
         2, OPTION_MAP, on_option},
    [OPTION_STENCIL] = {"stencil", "SPEC",
                        "[stencilmap] who talks to whom: nn, 5pt, 7pt, moore, 9pt, 27pt, "
                        "component, diagonal, crank-nicolson, hops, hops-last, offsets like "
                        "1,0;-1,0;0,1*4; help",
                        1, OPTION_STENCIL, on_option},
    [OPTION_DIMS] = {"stencil-dims", "DxD[,column]",
                     "[stencilmap] the process grid (default: as square as possible); column: "
                     "ranks are numbered column-major",
                     1, OPTION_DIMS, on_option},
    [OPTION_PERIODIC] = {"stencil-periodic", "0|1,...",
                         "[stencilmap] which dimensions of the grid are periodic", 1,
                         OPTION_PERIODIC, on_option},
    [OPTION_EFFORT] = {"stencil-effort", "HOWMUCH",
                       "[stencilmap] of --stencil-map=best: fast, normal, thorough", 1,
                       OPTION_EFFORT, on_option},
    [OPTION_OBJECTIVE] = {"stencil-objective", "WHAT",
                          "[stencilmap] what counts: sum of all traffic between nodes, max, the "
                          "busiest node's, or levels, all from switches to caches",
                          1, OPTION_OBJECTIVE, on_option},
    [OPTION_PLACEMENT] = {"stencil-placement", "WHERE",
                          "[stencilmap] launch: srun places the ranks; comm: MPI_Cart_create "
                          "does, by hints; auto (default)",
                          1, OPTION_PLACEMENT, on_option},
    [OPTION_ORDER] = {"rank-order", "ORDER",
                      "[stencilmap] cores in this order of the node's levels, fastest first: "
                      "numa,l3,core or 2-1-0; off; help",
                      1, OPTION_ORDER, on_option},
    [OPTION_HIERARCHY] = {"rank-hierarchy", "H",
                          "[stencilmap] the levels that --rank-order counts: 2,2,8 or "
                          "socket:2,fake:2,core:8",
                          1, OPTION_HIERARCHY, on_option},
    [OPTION_REPORT] = {"stencil-report", "full",
                       "[stencilmap] print what the mapping changes; full: every node", 2,
                       OPTION_REPORT, on_option},
};

/* What an option means without its optional value. */
static const char *const bare[OPTION_COUNT] = {[OPTION_MAP] = "best", [OPTION_REPORT] = "on"};

static struct {
    char *value[OPTION_COUNT];
    enum origin origin[OPTION_COUNT];
    bool environment_seen[OPTION_COUNT];
} store;

const char *options_name(enum option option)
{
    return table[option].name;
}

/* Slurm hands the options of an sbatch or salloc down in such variables, and srun's callback is
 * called for them before it is called for the command line. */
static bool handed_down(enum option option)
{
    char name[128];
    int length = snprintf(name, sizeof(name), "SLURM_SPANK__SLURM_SPANK_OPTION_stencilmap_%s",
                          table[option].name);
    for (int i = 0; i < length; i++)
        if (name[i] == '-')
            name[i] = '_';
    return getenv(name) != NULL;
}

static void print_names(const char *option, bool (*name)(size_t, const char **, const char **))
{
    const char *word, *summary;
    printf("--%s takes one of\n", option);
    for (size_t i = 0; name(i, &word, &summary); i++)
        printf("  %-15s %s\n", word, summary);
}

static void help(enum option option)
{
    if (option == OPTION_MAP) {
        print_names("stencil-map", smap_mapping_algorithm);
        printf("  %-15s %s\n", "off", "no mapping, whatever sbatch or the site asked for");
    } else if (option == OPTION_STENCIL) {
        print_names("stencil", smap_stencil_name);
        printf("or offsets with optional weights: 1,0;-1,0;0,1*4;0,-1*4\n");
    } else {
        printf("--rank-order takes the levels of the node, fastest-varying first:\n"
               "  names          numa,l3,core (one task per NUMA domain, then per L3, ...)\n"
               "  numbers        2-1-0, 0 is the outermost level\n"
               "  Slurm's words  block, cyclic, block:cyclic\n"
               "  off            Slurm's own choice of cores\n");
    }
}

static int check_word(const char *name, const char *value, const char *const words[],
                      struct smap_error *err)
{
    for (size_t i = 0; words[i]; i++)
        if (strcmp(value, words[i]) == 0)
            return SMAP_OK;
    return smap_fail(err, SMAP_EINVAL, "--%s=%.120s: not one of %s, %s%s%s", name, value, words[0],
                     words[1], words[2] ? ", " : "", words[2] ? words[2] : "");
}

/* What can be known of one value by itself. */
static int check(enum option option, const char *value, struct smap_error *err)
{
    static const char *const placements[] = {"auto", "launch", "comm", NULL};
    static const char *const reports[] = {"on", "full", NULL};
    struct smap_hierarchy hierarchy;
    struct smap_request request = {0};
    if (*value == '\0')
        return smap_fail(err, SMAP_EINVAL, "--%s=: the value is empty", table[option].name);
    switch (option) {
    case OPTION_MAP:
        request.map = value;
        break;
    case OPTION_STENCIL:
        request.stencil = value;
        break;
    case OPTION_DIMS:
        request.dims = value;
        break;
    case OPTION_PERIODIC:
        request.periodic = value;
        break;
    case OPTION_EFFORT:
        request.effort = value;
        break;
    case OPTION_OBJECTIVE:
        request.objective = value;
        break;
    case OPTION_PLACEMENT:
        return check_word(table[option].name, value, placements, err);
    case OPTION_ORDER:
        return smap_order_check(value, NULL, err);
    case OPTION_HIERARCHY:
        return smap_hierarchy_parse(value, &hierarchy, err);
    default:
        return check_word(table[option].name, value, reports, err);
    }
    return smap_problem_init(NULL, &request, 0, err);
}

static int keep(enum option option, const char *value, enum origin origin)
{
    char *copy = strdup(value);
    if (!copy)
        return -1;
    free(store.value[option]);
    store.value[option] = copy;
    store.origin[option] = origin;
    return 0;
}

static bool is_off(enum option option, const char *value)
{
    return (option == OPTION_MAP || option == OPTION_ORDER) && strcmp(value, "off") == 0;
}

static int on_option(int val, const char *optarg, int remote)
{
    enum option option = (enum option)val;
    struct smap_error err = {""};
    const char *value = optarg ? optarg : "";
    enum origin origin = ORIGIN_COMMAND_LINE;
    if (remote)
        return 0; /* srun decides and hands over; slurmstepd takes nothing from users */
    /* Handed down by sbatch, an option without its value is "(null)". */
    if (table[option].has_arg == 2 && (!optarg || strcmp(value, "(null)") == 0))
        value = bare[option];
    if (handed_down(option) && !store.environment_seen[option]) {
        store.environment_seen[option] = true;
        origin = ORIGIN_INHERITED;
    }
    if (strcmp(value, "help") == 0 &&
        (option == OPTION_MAP || option == OPTION_STENCIL || option == OPTION_ORDER)) {
        help(option);
        exit(0);
    }
    if (!is_off(option, value) && check(option, value, &err) != SMAP_OK) {
        slurm_error("stencilmap: %s", err.text);
        return -1;
    }
    return keep(option, value, origin);
}

void options_register(spank_t spank)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (spank_option_register(spank, &table[i]) != ESPANK_SUCCESS)
            slurm_debug("stencilmap: --%s is registered already", table[i].name);
}

const char *options_get(enum option option)
{
    const char *value = store.value[option];
    return value && !is_off(option, value) ? value : NULL;
}

enum origin options_origin(enum option option)
{
    return store.origin[option];
}

void options_clear(void)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        free(store.value[i]);
        store.value[i] = NULL;
        store.origin[i] = ORIGIN_NONE;
    }
}

/* Keeps a checked value unless a stronger one is there. */
static int offer(enum option option, const char *value, enum origin origin, struct smap_error *err)
{
    int rc = is_off(option, value) ? SMAP_OK : check(option, value, err);
    if (rc == SMAP_OK && store.origin[option] <= origin && keep(option, value, origin) != 0)
        rc = smap_nomem(err);
    return rc;
}

int options_default(const char *name, const char *value, enum origin origin, struct smap_error *err)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strcmp(name, table[i].name) == 0)
            return offer((enum option)i, value, origin, err);
    return smap_fail(err, SMAP_EINVAL, "no such setting");
}

const char *options_origin_text(enum origin origin)
{
    static const char *const texts[] = {
        [ORIGIN_NONE] = "not set",
        [ORIGIN_SITE] = "site default",
        [ORIGIN_PARTITION] = "partition default",
        [ORIGIN_ENVIRONMENT] = "STENCILMAP_OPTIONS",
        [ORIGIN_INHERITED] = "inherited",
        [ORIGIN_COMMAND_LINE] = "command line",
    };
    return texts[origin];
}

/* One word "--name=value" or "--name". */
static void read_word(const char *word)
{
    struct smap_error err = {"not an option of stencilmap"};
    for (size_t i = 0; i < OPTION_COUNT && strncmp(word, "--", 2) == 0; i++) {
        size_t length = strlen(table[i].name);
        const char *value = word + 2 + length;
        if (strncmp(word + 2, table[i].name, length) != 0 || (*value != '=' && *value != '\0'))
            continue;
        value = *value == '=' ? value + 1 : table[i].has_arg == 2 ? bare[i] : "";
        if (offer((enum option)i, value, ORIGIN_ENVIRONMENT, &err) == SMAP_OK)
            return;
        break;
    }
    slurm_info("stencilmap: STENCILMAP_OPTIONS: '%.120s' is left out: %s", word, err.text);
}

void options_read_environment(void)
{
    const char *text = getenv("STENCILMAP_OPTIONS");
    while (text && *text) {
        size_t length;
        text += strspn(text, " \t\n");
        length = strcspn(text, " \t\n");
        char *word = strndup(text, length);
        if (word && *word)
            read_word(word);
        free(word);
        text += length;
    }
}

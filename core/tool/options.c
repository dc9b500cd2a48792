/* SPDX-License-Identifier: BSD-3-Clause */
#include "tool/options.h"

#include <getopt.h>
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "tool/tool.h"

/* Where the value goes, in struct args. */
#define AT(member) offsetof(struct args, member)

/* letter 0: none. value: what the usage text calls it; NULL: the option has none. */
struct row {
    const char *name;
    char letter;
    size_t member;
    const char *value;
    const char *topic; /* NULL: that of the row before */
    const char *help;
};

/* Behind those of the request. */
static const struct row own[] = {
    {"nodes", 'N', AT(nodes), "K", "The step", "nodes"},
    {"ntasks", 'n', AT(tasks), "K", NULL, "tasks"},
    {"ntasks-per-node", 0, AT(ntasks_per_node), "K", NULL, "tasks on each node"},
    {"tasks-per-node", 0, AT(tasks_per_node), "LIST", NULL, "tasks of each node: '48(x50),16'"},
    {"distribution", 'm', AT(distribution), "WORD", NULL, "compare with block, cyclic or plane=K"},
    {"cpus-per-node", 0, AT(cpus_per_node), "LIST", NULL,
     "of the job, where nodes differ: 8,4(x2)"},
    {"script", 0, AT(script), "FILE", NULL, "plan: the lines of a batch script"},
    {"nodelist", 'w', AT(nodelist), "NODES", NULL, "their names, for --format=hostfile"},
    {"cpus-per-task", 'c', AT(cpus_per_task), "K", NULL, "cpus of a task, as Slurm counts them"},
    {"threads-per-core", 0, AT(threads_per_core), "K", NULL, "use only so many of a core"},
    {"ntasks-per-socket", 0, AT(ntasks_per_socket), "K", NULL, "at most so many tasks on each"},
    {"mpi", 0, AT(mpi), "TYPE", NULL, "as srun's; pmi2 cannot tell MPI of any layout"},
    {"topology", 0, AT(topology), "FILE", "The machine", "as lstopo --of xml writes it"},
    {"cpuset", 0, AT(cpuset), "LIST", NULL, "only these cpus of it, as of a job: 0-3,8-11"},
    {"allowed", 0, AT(allowed), "MASK", NULL, "the same as a mask: f0f"},
    {"strict", 0, AT(strict), NULL, NULL, "refuse orders where levels are not regular"},
    {"cpu-bind", 0, AT(cpu_bind), "LIST", NULL, "cores: look at map_cpu:... or mask_cpu:..."},
    {"lattice", 0, AT(lattice), "GRID", "The domain", "dims: a grid that divides it: 18x18x18x36"},
    {"patch", 0, AT(patch), "GRID", NULL, "dims: at least so much of it a task: 4x4x4x4"},
    {"level", 0, AT(level), "NAME", "Output", "show: colour the objects of this level"},
    {"format", 0, AT(format), "WORD", NULL, "table, csv, json, and others by command"},
    {"color", 0, AT(color), "WHEN", NULL, "auto, always or never"},
};

enum {
    OWN = sizeof(own) / sizeof(own[0]),
    ROWS_MAX = 64,
    NO_LETTER = 256 /* getopt's code of an option without one is that plus its place */
};

/* All rows; returns how many. */
static size_t all_rows(struct row row[ROWS_MAX])
{
    size_t count = 0;
    for (; smap_request_option(count); count++) {
        row[count] = (struct row){.name = smap_request_option(count)};
        row[count].topic = count == 0 ? "The mapping and the order" : NULL;
        row[count].help = smap_request_help(&row[count].value, count);
    }
    memcpy(row + count, own, sizeof(own));
    return count + OWN;
}

static const char **place_of(const struct row *row, struct args *args)
{
    const char **member = smap_request_member(&args->request, row->name);
    return member ? member : (const char **)((char *)args + row->member);
}

/* "yes" where an option has no value. The case of letters matters in names only. */
static const char *value_of(const struct row *row, char *text)
{
    if (!row->value)
        return "yes";
    if (strcmp(row->value, "FILE") != 0 && strcmp(row->value, "NODES") != 0)
        smap_lower(text);
    return text;
}

/* srun takes the option with and without a value. Here a value may come after a blank, too, so
 * there is none where the words end, or another option follows. */
static void complete_bare_map(int argc, char **argv)
{
    static char bare[] = "--stencil-map", complete[] = "--stencil-map=best";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], bare) == 0 && (i + 1 == argc || argv[i + 1][0] == '-'))
            argv[i] = complete;
}

/* What stands behind "--" is another line. */
static int cut_line(struct args *args, int argc, char **argv)
{
    int i = 1;
    while (i < argc && strcmp(argv[i], "--") != 0)
        i++;
    if (i == argc)
        return argc;
    args->line = argv + i + 1;
    args->line_count = (size_t)(argc - i - 1);
    return i;
}

int options_parse(struct args *args, int argc, char **argv, bool line)
{
    struct row row[ROWS_MAX];
    struct option option[ROWS_MAX + 1] = {{0}};
    char letters[2 * ROWS_MAX + 1] = "";
    size_t count = all_rows(row), length = 0;
    *args = (struct args){0};
    complete_bare_map(argc, argv);
    if (line)
        argc = cut_line(args, argc, argv);
    for (size_t i = 0; i < count; i++) {
        option[i].name = row[i].name;
        option[i].has_arg = row[i].value ? required_argument : no_argument;
        option[i].val = row[i].letter ? row[i].letter : NO_LETTER + (int)i;
        if (row[i].letter)
            letters[length++] = row[i].letter;
        if (row[i].letter && row[i].value)
            letters[length++] = ':';
    }
    for (;;) {
        int code = getopt_long(argc, argv, letters, option, NULL);
        if (code == -1)
            break;
        if (code == '?')
            return EXIT_USAGE;
        for (size_t i = 0; i < count; i++)
            if (option[i].val == code)
                *place_of(&row[i], args) = value_of(&row[i], optarg);
    }
    args->rest = argv + optind;
    args->rest_count = argc - optind;
    return EXIT_DONE;
}

void options_print(FILE *file)
{
    struct row row[ROWS_MAX];
    size_t count = all_rows(row);
    for (size_t i = 0; i < count; i++) {
        char name[64], letter[] = "    ";
        if (row[i].topic)
            fprintf(file, "\n%s:\n", row[i].topic);
        if (row[i].letter)
            snprintf(letter, sizeof(letter), "-%c,", row[i].letter);
        snprintf(name, sizeof(name), "%-4s--%s%s%s", letter, row[i].name, row[i].value ? "=" : "",
                 row[i].value ? row[i].value : "");
        fprintf(file, "  %-30s %s\n", name, row[i].help);
    }
}

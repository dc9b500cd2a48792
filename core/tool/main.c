/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "best/algorithms.h"
#include "tool/tool.h"

static const struct command {
    const char *name;
    int (*run)(const struct args *args);
    const char *example, *help;
    bool takes_words; /* besides options */
} commands[] = {
    {"plan", command_plan, "-N 50 -n 2400 --stencil=5pt", "compare the algorithms", false},
    {"show", command_show, "-N 4 -n 32 --stencil-map=strips",
     "the node of every cell, as a picture", false},
    {"cores", command_cores, "--rank-order=numa,l3,core -n 8", "the cores that an order chooses",
     false},
    {"order", command_order, "--rank-hierarchy=2,2,4 -n 4", "what each order does to 4 ranks",
     false},
    {"topo", command_topo, "--topology=FILE.xml", "the levels that an order can name", false},
    {"detect", command_detect, "FILE.comm", "the grid of a code, from a record of a run", true},
    {"dims", command_dims, "72 2", "a balanced grid, or one for a lattice or the nodes", true},
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_usage(FILE *file)
{
    fputs("stencilmap: preview mappings of stencil codes to nodes and cores\n\n", file);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(file, "  stencilmap %-6s %-32s %s\n", commands[i].name, commands[i].example,
                commands[i].help);
    options_print(file);
}

/* --stencil-map=help and --stencil=help. */
static bool help_word(const struct args *args)
{
    const char *name, *summary;
    bool map = args->request.map && strcmp(args->request.map, "help") == 0;
    bool stencil = args->request.stencil && strcmp(args->request.stencil, "help") == 0;
    for (size_t i = 0; map && smap_algorithm_name(&name, &summary, i); i++)
        printf("%-17s %s\n", name, summary);
    for (size_t i = 0; stencil && smap_stencil_name(&name, &summary, i); i++)
        printf("%-17s %s\n", name, summary);
    return map || stencil;
}

static int run(const struct command *command, const struct args *args)
{
    if (args->rest_count > 0 && !command->takes_words) {
        fprintf(stderr, "stencilmap: %s takes options only, not '%s'\n", command->name,
                args->rest[0]);
        return EXIT_USAGE;
    }
    if (args->line && command->run != command_plan) {
        fprintf(stderr, "stencilmap: only plan takes a line of srun behind --\n");
        return EXIT_USAGE;
    }
    if (args->request.map && strcmp(args->request.map, "off") == 0) {
        fputs("stencilmap: --stencil-map=off: nothing to preview; blocked is the layout without a "
              "mapping\n",
              stderr);
        return EXIT_REFUSED;
    }
    return command->run(args);
}

/* "help", or --help and -h anywhere. */
static bool wants_usage(int argc, char **argv)
{
    bool wanted = argc > 1 && strcmp(argv[1], "help") == 0;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        wanted = wanted || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
    return wanted;
}

int main(int argc, char **argv)
{
    struct args args;
    const char *word = argc > 1 ? argv[1] : "";
    if (strcmp(word, "--version") == 0) {
        puts("stencilmap " STENCILMAP_VERSION);
        return EXIT_DONE;
    }
    if (wants_usage(argc, argv)) {
        print_usage(stdout);
        return EXIT_DONE;
    }
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(word, commands[i].name) != 0)
            continue;
        static char self[] = "stencilmap"; /* getopt's messages begin with it */
        argv[1] = self;
        int rc = options_parse(&args, argc - 1, argv + 1, !commands[i].takes_words);
        if (rc == EXIT_DONE && !help_word(&args))
            rc = run(&commands[i], &args);
        if ((fflush(stdout) != 0 || ferror(stdout)) && rc == EXIT_DONE) {
            perror("stencilmap: standard output");
            rc = EXIT_SYSTEM;
        }
        return rc;
    }
    print_usage(stderr);
    return EXIT_USAGE;
}

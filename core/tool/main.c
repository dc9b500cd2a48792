/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const char usage[] =
    "stencilmap: preview mappings of stencil codes to nodes and cores\n"
    "\n"
    "  stencilmap plan -N 50 -n 2400 --stencil=5pt        compare the algorithms\n"
    "  stencilmap show -N 4 -n 32 --stencil-map=strips    the node of every cell, as a picture\n"
    "  stencilmap cores --rank-order=numa,l3,core -n 8    the cores that an order chooses here\n"
    "  stencilmap order --rank-hierarchy=2,2,4 -n 4       what each order does to 4 ranks\n"
    "  stencilmap topo --topology=FILE.xml                the levels that an order can name\n"
    "  stencilmap dims 72 2                               a balanced grid\n"
    "\n"
    "Steps:     -N nodes  -n tasks  --ntasks-per-node=K  --tasks-per-node='48(x50),16'\n"
    "           -m block|cyclic|plane=K (what to compare with)  -w nodelist\n"
    "Mappings:  --stencil-map=ALG  --stencil=SPEC  --stencil-dims=50x48[,column]\n"
    "           --stencil-periodic=1,0  --stencil-effort=fast|normal|thorough\n"
    "           --stencil-objective=sum|max|levels\n"
    "Cores:     --rank-order=ORDER  --rank-hierarchy=H  --topology=FILE.xml\n"
    "           show --level=numa: colours the objects of a level\n"
    "Output:    --format=table|csv|json; show: nodes, svg, hostfile; cores: map_cpu\n"
    "           --color=auto|always|never\n"
    "Words:     --stencil-map=help  --stencil=help\n";

static const struct command {
    const char *name;
    int (*run)(const struct args *args);
    bool takes_words; /* besides options */
} commands[] = {
    {"plan", command_plan, false},   {"show", command_show, false}, {"cores", command_cores, false},
    {"order", command_order, false}, {"topo", command_topo, false}, {"dims", command_dims, true},
};

/* --stencil-map=help and --stencil=help. */
static bool help_word(const struct args *args)
{
    const char *name, *summary;
    bool map = args->request.map && strcmp(args->request.map, "help") == 0;
    bool stencil = args->request.stencil && strcmp(args->request.stencil, "help") == 0;
    for (size_t i = 0; map && smap_mapping_algorithm(i, &name, &summary); i++)
        printf("%-15s %s\n", name, summary);
    for (size_t i = 0; stencil && smap_stencil_name(i, &name, &summary); i++)
        printf("%-15s %s\n", name, summary);
    return map || stencil;
}

static int run(const struct command *command, const struct args *args)
{
    if (args->rest_count > 0 && !command->takes_words) {
        fprintf(stderr, "stencilmap: %s takes options only, not '%s'\n", command->name,
                args->rest[0]);
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
    for (int i = 1; i < argc; i++)
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
        fputs(usage, stdout);
        return EXIT_DONE;
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(word, commands[i].name) != 0)
            continue;
        static char self[] = "stencilmap"; /* getopt's messages begin with it */
        argv[1] = self;
        int rc = args_parse(&args, argc - 1, argv + 1);
        if (rc == EXIT_DONE && !help_word(&args))
            rc = run(&commands[i], &args);
        if ((fflush(stdout) != 0 || ferror(stdout)) && rc == EXIT_DONE) {
            perror("stencilmap: standard output");
            rc = EXIT_SYSTEM;
        }
        return rc;
    }
    fputs(usage, stderr);
    return EXIT_USAGE;
}

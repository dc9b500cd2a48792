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
    {"plan", command_plan, "-N 50 -n 2400", "compare the algorithms", false},
    {"show", command_show, "-N 4 -n 32", "the node of every cell, a picture", false},
    {"cores", command_cores, "--rank-order=numa,l3,core", "the cores that an order chooses", false},
    {"order", command_order, "--rank-hierarchy=2,2,4", "what each order does to ranks", false},
    {"topo", command_topo, "--topology=FILE.xml", "the levels that an order can name", false},
    {"detect", command_detect, "FILE.comm", "the grid of a code, from a record", true},
    {"dims", command_dims, "72 2", "a balanced grid, or a fitting one", true},
};

/* Lines to try, each one thing that a command can do. */
static const struct {
    const char *command, *line, *what;
} examples[] = {
    {"plan", "-N50 --ntasks-per-node=48 --stencil=5pt", "all algorithms on one step"},
    {"plan", "-N4 -n32 --rank-hierarchy=socket:2,core:4", "and what crosses the sockets"},
    {"plan", "-- srun -N4 -n32 --stencil-map ./heat", "what becomes of a line of srun"},
    {"plan", "--script=job.sh --cpus-per-node='128(x4)'", "and of those of a batch script"},
    {"show", "-N2 -n8 --stencil-dims=2x4", "the node of every cell, as a picture"},
    {"show", "-N4 -n32 --format=nodes", "for a script: one node index a line"},
    {"show", "-N2 -n8 -w a,b --format=hostfile", "a host file for a Slurm without the plugin"},
    {"show", "-N9 -n144 --stencil-map=strips --format=svg", "a picture for a paper"},
    {"cores", "--rank-order=core,socket --rank-hierarchy=socket:2,core:4", "cores by an order"},
    {"cores", "--topology=node.xml --rank-order=numa,l3,core -n 8", "the same on a machine"},
    {"cores", "--rank-hierarchy=2,4 --rank-order=0-1 --format=map_cpu", "for --cpu-bind"},
    {"cores", "--rank-hierarchy=2,4 --cpu-bind=map_cpu:0,4,1,5", "where such a list puts tasks"},
    {"order", "--rank-hierarchy=2,2,4 -n 4", "what every order does to 4 ranks"},
    {"order", "--rank-hierarchy=2,2,4 --rank-order=2-1-0", "one order"},
    {"topo", "--topology=node.xml", "the levels of a machine"},
    {"topo", "--topology=node.xml --cpuset=0-15", "those of a part of it"},
    {"detect", "heat.comm", "grid, stencil and the line that maps the code"},
    {"dims", "72 2", "the most square grid of 72 tasks"},
    {"dims", "72 0x4", "one whose last size is 4"},
};

enum { EXAMPLES = sizeof(examples) / sizeof(examples[0]) };

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_usage(FILE *file)
{
    fputs("stencilmap: preview mappings of stencil codes to nodes and cores\n\n", file);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(file, "  stencilmap %-6s %-26s %s\n", commands[i].name, commands[i].example,
                commands[i].help);
    fputs("\nstencilmap COMMAND --help shows examples; stencilmap(1) has the rest.\n", file);
    options_print(file);
}

/* "plan --help" and "help plan". */
static void print_command(const struct command *command)
{
    printf("stencilmap %s: %s\n\n", command->name, command->help);
    for (size_t i = 0; i < EXAMPLES; i++)
        if (strcmp(examples[i].command, command->name) == 0)
            printf("  # %s\n  stencilmap %s %s\n", examples[i].what, command->name,
                   examples[i].line);
    puts("\nIt ends with 0: done, 1: refused, 2: wrong usage, 3: the system failed.");
    options_print(stdout);
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

static const struct command *find_command(const char *word)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(word, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

/* Of the command that is named, be it behind "help", or of all. */
static int give_usage(int argc, char **argv)
{
    const struct command *command = find_command(argv[1]);
    if (!command && argc > 2)
        command = find_command(argv[2]);
    if (command)
        print_command(command);
    else
        print_usage(stdout);
    return EXIT_DONE;
}

static int run_command(const struct command *command, int argc, char **argv)
{
    static char self[] = "stencilmap"; /* getopt's messages begin with it */
    struct args args;
    argv[1] = self;
    int rc = options_parse(&args, argc - 1, argv + 1, !command->takes_words);
    if (rc == EXIT_DONE && !help_word(&args))
        rc = run(command, &args);
    return rc;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    const struct command *command = find_command(word);
    int rc = EXIT_USAGE;
    if (strcmp(word, "--version") == 0) {
        puts("stencilmap " STENCILMAP_VERSION);
        rc = EXIT_DONE;
    } else if (wants_usage(argc, argv)) {
        rc = give_usage(argc, argv);
    } else if (command) {
        rc = run_command(command, argc, argv);
    } else {
        print_usage(stderr);
    }
    if ((fflush(stdout) != 0 || ferror(stdout)) && rc == EXIT_DONE) {
        perror("stencilmap: standard output");
        rc = EXIT_SYSTEM;
    }
    return rc;
}

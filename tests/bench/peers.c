/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef STENCILMAP_SCOTCH
#include <scotch.h>

bool peer_scotch_present(void)
{
    return true;
}

/* Maps onto a complete graph whose vertices weigh as many as their nodes have tasks. */
static bool map_onto(SCOTCH_Graph *graph, const struct smap_nodesizes *sizes, SCOTCH_Num part[])
{
    SCOTCH_Arch arch;
    SCOTCH_Strat strategy;
    uint32_t nodes = smap_nodesizes_nodes(sizes);
    SCOTCH_Num *weights = calloc(nodes, sizeof(*weights));
    if (!weights)
        return false;
    for (uint32_t i = 0; i < nodes; i++)
        weights[i] = (SCOTCH_Num)smap_nodesizes_size(sizes, i);
    SCOTCH_archInit(&arch);
    SCOTCH_stratInit(&strategy);
    bool good = SCOTCH_archCmpltw(&arch, (SCOTCH_Num)nodes, weights) == 0 &&
                SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE,
                                          (SCOTCH_Num)nodes, 0.0) == 0 &&
                SCOTCH_graphMap(graph, &arch, &strategy, part) == 0;
    SCOTCH_stratExit(&strategy);
    SCOTCH_archExit(&arch);
    free(weights);
    return good;
}

bool peer_scotch(const struct smap_refine_graph *graph, const struct smap_nodesizes *sizes,
                 uint32_t node_of_cell[])
{
    uint64_t edges = graph->first[graph->cells];
    SCOTCH_Graph scotch;
    SCOTCH_Num *first = calloc(graph->cells + (size_t)1, sizeof(*first));
    SCOTCH_Num *to = calloc(edges + 1, sizeof(*to)), *load = calloc(edges + 1, sizeof(*load));
    SCOTCH_Num *part = calloc(graph->cells, sizeof(*part));
    bool good = first && to && load && part;
    for (uint32_t c = 0; good && c <= graph->cells; c++)
        first[c] = (SCOTCH_Num)graph->first[c];
    for (uint64_t e = 0; good && e < edges; e++) {
        to[e] = (SCOTCH_Num)graph->to[e];
        load[e] = (SCOTCH_Num)graph->both[e];
    }
    if (good) {
        SCOTCH_graphInit(&scotch);
        good = SCOTCH_graphBuild(&scotch, 0, (SCOTCH_Num)graph->cells, first, NULL, NULL, NULL,
                                 (SCOTCH_Num)edges, to, load) == 0 &&
               map_onto(&scotch, sizes, part);
        SCOTCH_graphExit(&scotch);
    }
    for (uint32_t c = 0; good && c < graph->cells; c++)
        node_of_cell[c] = (uint32_t)part[c];
    free(first);
    free(to);
    free(load);
    free(part);
    return good;
}
#else
bool peer_scotch_present(void)
{
    return false;
}

bool peer_scotch(const struct smap_refine_graph *graph, const struct smap_nodesizes *sizes,
                 uint32_t node_of_cell[])
{
    (void)graph, (void)sizes, (void)node_of_cell;
    return false;
}
#endif

/* Metis format: vertices and edges from 1 on, a neighbour and the weight of the edge in turn. */
static bool write_metis(const char *path, const struct smap_refine_graph *graph)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "%" PRIu32 " %" PRIu64 " 1\n", graph->cells, graph->first[graph->cells] / 2);
    for (uint32_t c = 0; c < graph->cells; c++) {
        for (uint64_t e = graph->first[c]; e < graph->first[c + 1]; e++)
            fprintf(file, "%" PRIu32 " %" PRIu32 " ", graph->to[e] + 1, graph->both[e]);
        fputc('\n', file);
    }
    return fclose(file) == 0;
}

/* One number a line: the block of a vertex, or (viem) its processor, n of them to a node. */
static bool read_result(const char *path, uint32_t cells, uint32_t divisor, uint32_t node_of_cell[])
{
    FILE *file = fopen(path, "r");
    uint32_t c = 0;
    if (!file)
        return false;
    while (c < cells && fscanf(file, "%" SCNu32, &node_of_cell[c]) == 1)
        node_of_cell[c++] /= divisor;
    fclose(file);
    return c == cells;
}

static bool run(const char *program, char *const arguments[])
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout))
            execvp(program, arguments);
        perror(program);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

bool peer_program(const char *program, bool viem, const struct smap_refine_graph *graph,
                  const struct smap_nodesizes *sizes, uint32_t node_of_cell[])
{
    char directory[] = "/tmp/stencilmap-bench-XXXXXX", input[64], output[64];
    char k[32], hierarchy[96], out[96];
    uint32_t n = smap_nodesizes_uniform(sizes), nodes = smap_nodesizes_nodes(sizes);
    if (n == 0 || !mkdtemp(directory))
        return false;
    snprintf(input, sizeof(input), "%s/graph", directory);
    snprintf(output, sizeof(output), "%s/%s", directory, viem ? "permutation" : "partition");
    snprintf(k, sizeof(k), "--k=%" PRIu32, nodes);
    snprintf(hierarchy, sizeof(hierarchy), "--hierarchy_parameter_string=%" PRIu32 ":%" PRIu32, n,
             nodes);
    snprintf(out, sizeof(out), "--output_filename=%s", output);
    char *const kahip_arguments[] = {
        (char *)"kaffpa",    input, k,   "--imbalance=0", "--preconfiguration=strong",
        "--enforce_balance", out,   NULL};
    /* The distances count what leaves a node. Larger local searches than the default one, nsquare
     * or a communication_neighborhood_dist of 100, gain nothing but take longer. */
    char *const viem_arguments[] = {(char *)"viem",
                                    input,
                                    hierarchy,
                                    "--distance_parameter_string=0:1",
                                    "--preconfiguration_mapping=strong",
                                    out,
                                    NULL};
    bool good = write_metis(input, graph) &&
                run(program, viem ? viem_arguments : kahip_arguments) &&
                read_result(output, graph->cells, viem ? n : 1, node_of_cell);
    unlink(input);
    unlink(output);
    rmdir(directory);
    return good;
}

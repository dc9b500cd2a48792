/* SPDX-License-Identifier: BSD-3-Clause */
#include "search.h"

#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"

/* What one process has found. */
struct found {
    uint32_t *cell_at; /* of each position; NULL: nothing */
    struct smap_score score;
};

/* How the searchers compare: the first three words in this order; all ones is nothing. */
enum word { JSUM, JMAX, SEED, RANK, JMIN, WORDS };

static void take_least(void *in, void *inout, int *items, MPI_Datatype *type)
{
    (void)type;
    for (int item = 0; item < *items; item++) {
        const uint64_t *a = (const uint64_t *)in + (size_t)item * WORDS;
        uint64_t *b = (uint64_t *)inout + (size_t)item * WORDS;
        size_t i = JSUM;
        while (i < SEED && a[i] == b[i])
            i++;
        if (a[i] < b[i])
            memcpy(b, a, WORDS * sizeof(*b));
    }
}

static int find_least(MPI_Comm comm, uint64_t words[WORDS])
{
    MPI_Datatype type;
    MPI_Op operation;
    int rc = PMPI_Type_contiguous(WORDS, MPI_UINT64_T, &type);
    if (rc != MPI_SUCCESS)
        return rc;
    PMPI_Type_commit(&type);
    rc = PMPI_Op_create(take_least, 1, &operation);
    if (rc == MPI_SUCCESS) {
        rc = PMPI_Allreduce(MPI_IN_PLACE, words, 1, type, operation, comm);
        PMPI_Op_free(&operation);
    }
    PMPI_Type_free(&type);
    return rc;
}

bool smap_is_searcher(const char *algorithm, const struct smap_nodesplit *split)
{
    const struct smap_algorithm *a = smap_algorithm_find(NULL, algorithm);
    return split->slot == 0 && split->node < (a && a->searches ? SMAP_SEARCHERS_MAX : 1);
}

static bool score(struct found *found, const struct smap_mapping *mapping)
{
    const struct smap_instance *in = &mapping->in;
    uint32_t *node_of_cell = calloc(in->grid->cells, sizeof(*node_of_cell));
    bool able = node_of_cell && smap_mapping_nodes(node_of_cell, mapping, NULL) == SMAP_OK &&
                smap_score_nodes(&found->score, NULL, in, node_of_cell,
                                 smap_nodesizes_nodes(in->sizes), NULL) == SMAP_OK;
    free(node_of_cell);
    return able;
}

static void search(struct found *found, const char *algorithm, const struct smap_instance *instance,
                   uint32_t seed)
{
    struct smap_mapping *mapping = NULL;
    const struct smap_mapping_options options = {.seed = seed};
    if (smap_mapping_from_text(&mapping, algorithm, instance, &options, NULL) != SMAP_OK)
        return;
    found->cell_at = calloc(instance->grid->cells, sizeof(*found->cell_at));
    if (found->cell_at && score(found, mapping)) {
        smap_mapping_cells(found->cell_at, mapping);
    } else {
        free(found->cell_at);
        found->cell_at = NULL;
    }
    smap_mapping_destroy(mapping);
}

/* The positions by rank become the cells; the score of the order that there is. */
static bool deal(uint32_t positions[], struct smap_score *before, const struct found *found,
                 const struct smap_instance *in)
{
    uint32_t p = in->grid->cells, *node_of_rank = calloc(p, sizeof(*node_of_rank));
    if (!node_of_rank)
        return false;
    for (uint32_t r = 0; r < p; r++) {
        node_of_rank[r] = smap_nodesizes_node_at(in->sizes, positions[r]);
        positions[r] = found->cell_at[positions[r]];
    }
    bool able = smap_score_nodes(before, NULL, in, node_of_rank, smap_nodesizes_nodes(in->sizes),
                                 NULL) == SMAP_OK;
    free(node_of_rank);
    return able;
}

/* The finder deals out the cells. */
static int hand_out(struct smap_searched *searched, MPI_Comm comm, const struct found *found,
                    const struct smap_instance *in, struct smap_nodesplit const *split,
                    const uint64_t least[WORDS])
{
    uint32_t position = smap_nodesplit_position(split), *table = NULL;
    struct smap_verdict *verdict = &searched->verdict;
    int rank, root = (int)least[RANK];
    PMPI_Comm_rank(comm, &rank);
    if (rank == root)
        table = calloc(in->grid->cells, sizeof(*table));
    uint64_t words[] = {rank == root && table != NULL, 0, 0, 0};
    int rc = PMPI_Bcast(words, 1, MPI_UINT64_T, root, comm);
    if (rc != MPI_SUCCESS || !words[0])
        return rc;
    rc = PMPI_Gather(&position, 1, MPI_UINT32_T, table, 1, MPI_UINT32_T, root, comm);
    if (rc == MPI_SUCCESS && rank == root) {
        words[0] = deal(table, &verdict->before, found, in);
        words[1] = verdict->before.jsum;
        words[2] = verdict->before.jmax;
        words[3] = verdict->before.jmin;
    }
    if (rc == MPI_SUCCESS)
        rc = PMPI_Bcast(words, 4, MPI_UINT64_T, root, comm);
    if (rc == MPI_SUCCESS && words[0]) {
        verdict->before = (struct smap_score){words[1], words[2], words[3]};
        verdict->after = (struct smap_score){least[JSUM], least[JMAX], least[JMIN]};
        verdict->judgement = smap_judge_scores(&verdict->before, &verdict->after);
        rc = PMPI_Scatter(table, 1, MPI_UINT32_T, &searched->cell, 1, MPI_UINT32_T, root, comm);
    }
    free(table);
    return rc;
}

int smap_search(struct smap_searched *searched, MPI_Comm comm, const char *algorithm,
                const struct smap_instance *instance, const struct smap_nodesplit *split)
{
    struct found found = {.cell_at = NULL};
    uint64_t words[WORDS];
    int rank;
    *searched = (struct smap_searched){{.judgement = SMAP_JUDGED_NO_MEMORY}, SMAP_NO_CELL};
    PMPI_Comm_rank(comm, &rank);
    memset(words, 0xff, sizeof(words));
    if (smap_is_searcher(algorithm, split) && (instance->graph || instance->stencil))
        search(&found, algorithm, instance, split->node);
    if (found.cell_at) {
        words[JSUM] = found.score.jsum;
        words[JMAX] = found.score.jmax;
        words[JMIN] = found.score.jmin;
        words[SEED] = split->node;
        words[RANK] = (uint64_t)rank;
    }
    int rc = find_least(comm, words);
    if (rc == MPI_SUCCESS && words[RANK] != UINT64_MAX)
        rc = hand_out(searched, comm, &found, instance, split, words);
    free(found.cell_at);
    return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "search.h"

#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"
#include "fill_up.h"

/* What a process is dealt: the verdict and its cell. */
enum { ABLE, BEFORE_JSUM, BEFORE_JMAX, BEFORE_JMIN, CELL, DEAL_WORDS };

/* What one process has found. */
struct found {
    uint32_t *cell_at; /* of each position; NULL: nothing */
    struct smap_score score;
    uint32_t *positions; /* of each rank; room for them */
    uint64_t *deals;     /* DEAL_WORDS for each rank; room for them */
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

static void clear(struct found *found)
{
    free(found->cell_at);
    free(found->positions);
    free(found->deals);
    *found = (struct found){.cell_at = NULL};
}

/* With all the memory that dealing out takes. */
static void search(struct found *found, const char *algorithm, const struct smap_instance *instance,
                   uint32_t seed)
{
    uint32_t p = instance->grid->cells;
    struct smap_mapping *mapping = NULL;
    /* A graph at the effort that nobody notices: more takes seconds on large ones, for a percent or
     * two, and the other searchers make up for it. */
    const struct smap_mapping_options options = {
        .seed = seed, .effort = instance->graph ? SMAP_EFFORT_FAST : SMAP_EFFORT_NORMAL};
    if (smap_mapping_from_text(&mapping, algorithm, instance, &options, NULL) != SMAP_OK)
        return;
    found->cell_at = calloc(p, sizeof(*found->cell_at));
    found->positions = calloc(p, sizeof(*found->positions));
    found->deals = calloc(p, DEAL_WORDS * sizeof(*found->deals));
    if (found->cell_at && found->positions && found->deals && score(found, mapping))
        smap_mapping_cells(found->cell_at, mapping);
    else
        clear(found);
    smap_mapping_destroy(mapping);
}

/* Fills the deals. Uses up the positions. */
static void deal(struct found *found, const struct smap_instance *in)
{
    uint32_t p = in->grid->cells, *node_of_rank = found->positions;
    struct smap_score before;
    for (uint32_t r = 0; r < p; r++) {
        found->deals[(size_t)r * DEAL_WORDS + CELL] = found->cell_at[found->positions[r]];
        node_of_rank[r] = smap_nodesizes_node_at(in->sizes, found->positions[r]);
    }
    bool able = smap_score_nodes(&before, NULL, in, node_of_rank, smap_nodesizes_nodes(in->sizes),
                                 NULL) == SMAP_OK;
    for (uint32_t r = 0; able && r < p; r++) {
        uint64_t *words = found->deals + (size_t)r * DEAL_WORDS;
        words[ABLE] = true;
        words[BEFORE_JSUM] = before.jsum;
        words[BEFORE_JMAX] = before.jmax;
        words[BEFORE_JMIN] = before.jmin;
    }
}

/* The finder knows the positions from the rows, or is told. */
static int find_positions(struct found *found, MPI_Comm comm, const struct smap_nodesplit *split,
                          int root)
{
    uint32_t position = smap_nodesplit_position(split);
    int rank;
    PMPI_Comm_rank(comm, &rank);
    if (!split->map)
        return PMPI_Gather(&position, 1, MPI_UINT32_T, found->positions, 1, MPI_UINT32_T, root,
                           comm);
    if (rank == root)
        smap_nodemap_positions(found->positions, split->map);
    return MPI_SUCCESS;
}

/* The finder deals out the cells. */
static int hand_out(struct smap_searched *searched, MPI_Comm comm, struct found *found,
                    const struct smap_instance *in, const struct smap_nodesplit *split,
                    const uint64_t least[WORDS])
{
    struct smap_verdict *verdict = &searched->verdict;
    uint64_t words[DEAL_WORDS];
    int rank, root = (int)least[RANK];
    PMPI_Comm_rank(comm, &rank);
    int rc = find_positions(found, comm, split, root);
    if (rc == MPI_SUCCESS && rank == root)
        deal(found, in);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Scatter(found->deals, DEAL_WORDS, MPI_UINT64_T, words, DEAL_WORDS, MPI_UINT64_T,
                          root, comm);
    if (rc != MPI_SUCCESS || !words[ABLE])
        return rc;
    verdict->before =
        (struct smap_score){words[BEFORE_JSUM], words[BEFORE_JMAX], words[BEFORE_JMIN]};
    verdict->after = (struct smap_score){least[JSUM], least[JMAX], least[JMIN]};
    verdict->judgement = smap_judge_scores(&verdict->before, &verdict->after);
    searched->cell = (uint32_t)words[CELL];
    return rc;
}

int smap_search(struct smap_searched *searched, MPI_Comm comm, const char *algorithm,
                const struct smap_instance *instance, const struct smap_nodesplit *split)
{
    struct found found = {.cell_at = NULL};
    uint64_t words[WORDS];
    int rank;
    if (!instance->graph && smap_fills_up(algorithm))
        return smap_fill_up(searched, comm, instance, split);
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
    clear(&found);
    return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "best/algorithms.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "map/celltext.h"

/* In the order of lists: the baseline, what the papers are about, `best`, what is seldom wanted. */
static const struct smap_algorithm *const listed[] = {
    &smap_algorithm_blocked,
    &smap_algorithm_hyperplane,
    &smap_algorithm_kdtree,
    &smap_algorithm_strips,
    &smap_algorithm_nodecart,
    &smap_algorithm_best,
    &smap_algorithm_greedy,
    &smap_algorithm_greedy_distributed,
    &smap_algorithm_hyperplane_thesis,
    &smap_algorithm_cuts,
    &smap_algorithm_random,
};

/* How results are written down; nobody would type them. */
static const struct smap_algorithm *const unlisted[] = {&smap_algorithm_bands,
                                                        &smap_algorithm_cells};

const struct smap_algorithm *smap_algorithm_at(size_t i)
{
    return i < sizeof(listed) / sizeof(listed[0]) ? listed[i] : NULL;
}

bool smap_algorithm_name(const char **name, const char **summary, size_t i)
{
    const struct smap_algorithm *algorithm = smap_algorithm_at(i);
    if (!algorithm)
        return false;
    *name = algorithm->name;
    *summary = algorithm->summary;
    return true;
}

static bool is_named(const struct smap_algorithm *algorithm, const char *text, size_t length)
{
    bool parameter = text[length] == ':';
    return strlen(algorithm->name) == length && memcmp(algorithm->name, text, length) == 0 &&
           algorithm->parameter != (parameter ? SMAP_PARAMETER_NONE : SMAP_PARAMETER_REQUIRED);
}

const struct smap_algorithm *smap_algorithm_find(const char **parameter, const char *text)
{
    size_t length = strcspn(text, ":");
    if (parameter)
        *parameter = text[length] == ':' ? text + length + 1 : NULL;
    for (size_t i = 0; smap_algorithm_at(i); i++)
        if (is_named(smap_algorithm_at(i), text, length))
            return smap_algorithm_at(i);
    for (size_t i = 0; i < sizeof(unlisted) / sizeof(unlisted[0]); i++)
        if (is_named(unlisted[i], text, length))
            return unlisted[i];
    return NULL;
}

int smap_mapping_from_text(struct smap_mapping **mapping, const char *text,
                           const struct smap_instance *instance,
                           const struct smap_mapping_options *options, struct smap_error *err)
{
    struct smap_mapping_options with = options ? *options : (struct smap_mapping_options){0};
    const struct smap_algorithm *algorithm = smap_algorithm_find(&with.parameter, text);
    if (!algorithm)
        return smap_fail(err, SMAP_EINVAL, "'%.100s' is no mapping algorithm", text);
    return smap_mapping_create(mapping, algorithm, instance, &with, err);
}

/* "cells:" and the node of every cell; nothing if that is longer than max. */
static int add_cells(struct smap_text *text, const struct smap_mapping *m, size_t max,
                     struct smap_error *err)
{
    uint32_t *node_of_cell = calloc(m->in.grid->cells, sizeof(*node_of_cell));
    char *cells = NULL;
    int rc = node_of_cell ? smap_mapping_nodes(node_of_cell, m, err) : smap_nomem(err);
    if (rc == SMAP_OK)
        rc = smap_celltext_format(&cells, m->in.grid, node_of_cell, max, err);
    if (cells)
        smap_text_add(text, "%s:%s", smap_algorithm_cells.name, cells);
    free(node_of_cell);
    free(cells);
    return rc;
}

int smap_mapping_to_text(char **text, const struct smap_mapping *mapping, size_t max,
                         struct smap_error *err)
{
    const struct smap_mapping *m = mapping->stand_in ? mapping->stand_in : mapping;
    struct smap_text written = {0};
    int rc = SMAP_OK;
    if (m->algorithm->whole_grid)
        rc = add_cells(&written, m, max, err);
    else
        smap_text_add(&written, "%s%s%s", m->algorithm->name, m->parameter ? ":" : "",
                      m->parameter ? m->parameter : "");
    bool fits = written.length > 0 && written.length <= max;
    *text = smap_text_take(&written);
    if (rc == SMAP_OK && !*text)
        rc = smap_nomem(err);
    if (rc != SMAP_OK || !fits) {
        free(*text);
        *text = NULL;
    }
    return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/watched.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "detect/outcome.h"
#include "options.h"
#include "srun/nextline.h"

/* A grid that explains less is not worth a line. */
enum { EXPLAINED_PERCENT = 80 };

static struct {
    char *file; /* where the record will be; NULL: nothing to tell */
    size_t program_words;
    bool promised;
    uint64_t pairs;
} watched;

void watched_expect(const char *file, spank_t spank)
{
    int argc = 0;
    char **argv = NULL;
    if (spank_get_item(spank, S_JOB_ARGV, &argc, &argv) == ESPANK_SUCCESS && argc > 0)
        watched.program_words = (size_t)argc;
    watched.file = strdup(file);
    for (int i = 2; watched.file && access(watched.file, F_OK) == 0; i++) {
        struct smap_text text = {0};
        smap_text_add(&text, "%s.%d", file, i);
        free(watched.file);
        watched.file = smap_text_take(&text);
    }
}

void watched_promise(const struct smap_plan *plan, const uint32_t node_of_cell[])
{
    if (options_get(OPTION_WATCH) && !smap_problem_is_part(&plan->problem))
        watched.promised =
            smap_score_pairs(&watched.pairs, &plan->instance, node_of_cell, NULL) == SMAP_OK;
}

/* 96.1 MB */
static void add_bytes(struct smap_text *text, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1000 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
        value /= 1000;
    smap_text_add(text, unit > 0 && value < 100 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100 * (double)part / (double)whole : 100;
}

static void say(struct smap_text *text)
{
    char *line = smap_text_take(text);
    if (line)
        fprintf(stderr, "stencilmap: %s\n", line);
    free(line);
}

/* "the grid is 2x4x4, 27pt, not periodic: 99.8 % of the bytes" */
static void add_finding(struct smap_text *text, const struct smap_finding *finding,
                        const struct smap_record *record)
{
    char *dims = smap_finding_dims(finding), *periodic = smap_finding_periodic(finding);
    bool is_periodic = periodic && strchr(periodic, '1');
    char neighbours[48];
    const char *stencil = finding->name ? finding->name : finding->stencil_text;
    snprintf(neighbours, sizeof(neighbours), "%zu neighbours", finding->stencil->count);
    smap_text_add(text, "the grid is %s, %s, %s%s: %.1f %% of the bytes", dims ? dims : "?",
                  strlen(stencil) < sizeof(neighbours) ? stencil : neighbours,
                  is_periodic ? "periodic " : "not periodic", is_periodic ? periodic : "",
                  percent(finding->bytes, record->bytes));
    free(dims);
    free(periodic);
}

static void tell_next_time(const char *options, const char *gain)
{
    struct smap_text text = {0};
    char *line = nextline_here(options, watched.program_words);
    if (line)
        smap_text_add(&text, "next time: %s     (%s)", line, gain);
    free(line);
    say(&text);
}

/* "--stencil-map --stencil=@FILE": without a grid, the graph itself. */
static char *graph_options(void)
{
    struct smap_text text = {0};
    smap_text_add(&text, "--stencil-map --stencil=@%s", watched.file);
    return smap_text_take(&text);
}

static void tell_gain(const char *options, const struct smap_outcome *outcome, bool grid)
{
    const uint64_t before = outcome->before.bytes, after = outcome->after.bytes;
    struct smap_text gain = {0};
    if (grid)
        smap_text_add(&gain, "J_sum %" PRIu64 " -> %" PRIu64 ", ", outcome->plan->before.jsum,
                      outcome->plan->after.jsum);
    smap_text_add(&gain, "bytes between nodes -%.0f %%", percent(before - after, before));
    char *text = smap_text_take(&gain);
    if (text)
        tell_next_time(options, text);
    free(text);
}

/* The best mapping of the grid that was found, or of the graph (NULL), on the nodes that there
 * were. False where it sends no less between them. */
static bool tell_mapping(const struct smap_record *record, const struct smap_finding *finding,
                         const struct smap_nodesizes *sizes)
{
    struct smap_outcome outcome = {0};
    const char *reason = NULL;
    char *options =
        finding ? smap_finding_options(finding, record->ranks, &reason) : graph_options();
    bool better = options &&
                  smap_outcome_init(&outcome, record, finding, sizes, record->node_of_rank, NULL) ==
                      SMAP_OK &&
                  outcome.plan && outcome.after.bytes < outcome.before.bytes;
    if (better)
        tell_gain(options, &outcome, finding != NULL);
    smap_outcome_clear(&outcome);
    free(options);
    return better;
}

static void tell_promise(const struct smap_traffic *counted, const struct smap_finding *finding)
{
    struct smap_text text = {0};
    if (!watched.promised)
        return;
    smap_text_add(&text, "predicted %" PRIu64 " pairs between nodes, counted %" PRIu64,
                  watched.pairs, counted->pairs);
    if (watched.pairs != counted->pairs) {
        char *dims = finding ? smap_finding_dims(finding) : NULL;
        smap_text_add(&text, ": these dims are not the program's%s%s",
                      dims ? "; it looks like " : "", dims ? dims : "");
        free(dims);
    }
    say(&text);
}

static void tell_record(const struct smap_record *record, const struct smap_nodesizes *sizes)
{
    struct smap_detection detection = {0};
    struct smap_traffic traffic;
    struct smap_text text = {0};
    const struct smap_finding *best = NULL;
    if (smap_traffic_count(&traffic, record, record->node_of_rank, record->nodes, NULL) != SMAP_OK)
        return;
    if (smap_detect(&detection, record, NULL) == SMAP_OK && detection.count > 0 &&
        percent(detection.finding[0].bytes, record->bytes) >= EXPLAINED_PERCENT)
        best = &detection.finding[0];
    smap_text_add(&text, "watched %" PRIu32 " ranks: ", record->ranks);
    add_bytes(&text, traffic.bytes);
    smap_text_add(&text, " between nodes, %" PRIu64 " pairs; ", traffic.pairs);
    if (best)
        add_finding(&text, best, record);
    else
        smap_text_add(&text, "no grid fits");
    say(&text);
    tell_promise(&traffic, best);
    bool better = record->nodes > 1 && ((best && tell_mapping(record, best, sizes)) ||
                                        tell_mapping(record, NULL, sizes));
    if (!better && record->nodes > 1)
        fputs("stencilmap: no mapping that is known sends less between the nodes\n", stderr);
    smap_detection_clear(&detection);
}

void watched_tell(void)
{
    struct smap_error err = {""};
    struct smap_record record = {0};
    struct smap_nodesizes *sizes = NULL;
    if (!watched.file)
        return;
    int rc = smap_record_load(&record, watched.file, &err);
    if (rc == SMAP_OK)
        rc = smap_record_sizes(&sizes, &record, &err);
    if (rc == SMAP_OK && record.bytes > 0)
        tell_record(&record, sizes);
    else if (rc != SMAP_OK)
        fprintf(stderr, "stencilmap: --stencil-watch: %s: %s\n", watched.file, err.text);
    smap_nodesizes_destroy(sizes);
    smap_record_clear(&record);
    free(watched.file);
    memset(&watched, 0, sizeof(watched));
}

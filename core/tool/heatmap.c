/* SPDX-License-Identifier: BSD-3-Clause */
/* A record as matrices: row is the sender, column the receiver, ranks in order of their nodes. What
 * stays on a node is blue, what crosses the network red; the darker the more bytes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

enum {
    SIDE = 420,    /* of a matrix, in pixels */
    SQUARES = 210, /* at most so many in a row; of more ranks several share one */
    BORDERS = 128, /* lines between more nodes would hide what is between them */
    MARGIN = 24,
    HEAD = 64
};

struct matrix {
    const struct smap_record *record;
    uint32_t *place; /* of each rank, in order of the nodes */
    uint32_t ranks, squares;
    double *inside, *between; /* bytes of each square */
    double most;
};

static void matrix_clear(struct matrix *m)
{
    free(m->place);
    free(m->inside);
    free(m->between);
}

static uint32_t nodes_of(const uint32_t node_of_rank[], uint32_t ranks)
{
    uint32_t nodes = 0;
    for (uint32_t r = 0; r < ranks; r++)
        nodes = node_of_rank[r] >= nodes ? node_of_rank[r] + 1 : nodes;
    return nodes;
}

/* first[n]: the place of node n's first rank. */
static int find_places(struct matrix *m, uint32_t first[], const uint32_t node_of_rank[],
                       uint32_t nodes, struct smap_error *err)
{
    uint32_t *next = calloc((size_t)nodes + 1, sizeof(*next));
    if (!next)
        return smap_nomem(err);
    for (uint32_t r = 0; r < m->ranks; r++)
        next[node_of_rank[r] + 1]++;
    for (uint32_t n = 0; n < nodes; n++)
        next[n + 1] += next[n];
    memcpy(first, next, ((size_t)nodes + 1) * sizeof(*first));
    for (uint32_t r = 0; r < m->ranks; r++)
        m->place[r] = next[node_of_rank[r]]++;
    free(next);
    return SMAP_OK;
}

/* Bytes, or messages where a record has no bytes. */
static void add_edges(struct matrix *m, const uint32_t node_of_rank[])
{
    for (size_t i = 0; i < m->record->edges; i++) {
        const struct smap_record_edge *e = &m->record->edge[i];
        uint64_t row = (uint64_t)m->place[e->from] * m->squares / m->ranks;
        uint64_t column = (uint64_t)m->place[e->to] * m->squares / m->ranks;
        double *of = node_of_rank[e->from] == node_of_rank[e->to] ? m->inside : m->between;
        double *square = &of[row * m->squares + column];
        *square += m->record->bytes ? (double)e->bytes : (double)e->messages;
        m->most = *square > m->most ? *square : m->most;
    }
}

/* Every factor of ten less is lighter; the lightest still shows. */
static double shade(double bytes, double most)
{
    double s = 1 - log10(most / bytes) / 5;
    return s < 0.15 ? 0.15 : s;
}

static void print_square(const struct matrix *m, size_t at, double x, double y)
{
    static const int dark[2][3] = {{20, 60, 140}, {190, 20, 20}};
    double size = (double)SIDE / m->squares, bytes = m->inside[at] + m->between[at];
    if (bytes <= 0)
        return;
    const int *color = dark[m->between[at] > 0];
    double s = shade(bytes, m->most);
    printf("<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%02x%02x%02x\"/>\n",
           x + (double)(at % m->squares) * size, y + (double)(at / m->squares) * size, size, size,
           (int)(255 - s * (255 - color[0])), (int)(255 - s * (255 - color[1])),
           (int)(255 - s * (255 - color[2])));
}

static void print_borders(const uint32_t first[], uint32_t nodes, uint32_t ranks, double x,
                          double y)
{
    puts("<g stroke=\"#222\" stroke-width=\"1\" fill=\"none\">");
    printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n", x, y, SIDE, SIDE);
    for (uint32_t n = 1; nodes <= BORDERS && n < nodes; n++) {
        double at = (double)first[n] * SIDE / ranks;
        printf("<path d=\"M%.2f %.1fv%dM%.1f %.2fh%d\" stroke-opacity=\"0.6\"/>\n", x + at, y, SIDE,
               x, y + at, SIDE);
    }
    puts("</g>");
}

static int print_matrix(struct matrix *m, const uint32_t node_of_rank[], double x, double y,
                        struct smap_error *err)
{
    uint32_t nodes = nodes_of(node_of_rank, m->ranks);
    uint32_t *first = calloc((size_t)nodes + 1, sizeof(*first));
    size_t squares = (size_t)m->squares * m->squares;
    if (!first)
        return smap_nomem(err);
    int rc = find_places(m, first, node_of_rank, nodes, err);
    if (rc == SMAP_OK) {
        memset(m->inside, 0, squares * sizeof(*m->inside));
        memset(m->between, 0, squares * sizeof(*m->between));
        add_edges(m, node_of_rank);
        for (size_t i = 0; i < squares; i++)
            print_square(m, i, x, y);
        print_borders(first, nodes, m->ranks, x, y);
    }
    free(first);
    return rc;
}

static void print_head(const char *const captions[2])
{
    static const char *const titles[2] = {"before", "after"};
    int width = 2 * SIDE + 3 * MARGIN, height = HEAD + SIDE + 44;
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
           "%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
           "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
           width, height, width, height);
    for (int i = 0; i < 2; i++)
        printf("<text x=\"%d\" y=\"26\" font-size=\"16\" font-weight=\"bold\">%s</text>\n"
               "<text x=\"%d\" y=\"48\" fill=\"#333\">%s</text>\n",
               MARGIN + i * (SIDE + MARGIN), titles[i], MARGIN + i * (SIDE + MARGIN), captions[i]);
    printf(
        "<g transform=\"translate(%d %d)\" fill=\"#333\">\n"
        "<rect width=\"12\" height=\"12\" fill=\"#be1414\"/><text x=\"18\" y=\"11\">between nodes"
        "</text>\n<rect x=\"130\" width=\"12\" height=\"12\" fill=\"#143c8c\"/>"
        "<text x=\"148\" y=\"11\">inside a node</text>\n"
        "<text x=\"260\" y=\"11\">row: sender, column: receiver, ranks in order of their nodes; "
        "lines: node borders; darker: more bytes</text>\n</g>\n",
        MARGIN, HEAD + SIDE + 18);
}

int heatmap_svg(const struct smap_record *record, const uint32_t *const node_of_rank[2],
                const char *const captions[2], struct smap_error *err)
{
    struct matrix m = {.record = record, .ranks = record->ranks};
    m.squares = record->ranks < SQUARES ? record->ranks : SQUARES;
    size_t squares = (size_t)m.squares * m.squares;
    m.place = calloc(m.ranks, sizeof(*m.place));
    m.inside = calloc(squares, sizeof(*m.inside));
    m.between = calloc(squares, sizeof(*m.between));
    int rc = m.place && m.inside && m.between ? SMAP_OK : smap_nomem(err);
    if (rc == SMAP_OK) {
        print_head(captions);
        for (int i = 0; rc == SMAP_OK && i < 2; i++)
            rc = print_matrix(&m, node_of_rank[i], MARGIN + i * (SIDE + MARGIN), HEAD, err);
        puts("</svg>");
    }
    matrix_clear(&m);
    return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/graph_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "record/metis.h"
#include "record/record.h"

bool smap_graph_is_file(const char **path, const char *stencil)
{
    bool is_file = stencil && stencil[0] == '@';
    if (is_file && path)
        *path = stencil + 1;
    return is_file;
}

static int read_metis(struct smap_graph **graph, FILE *file, const struct smap_edges_wanted *wanted,
                      struct smap_error *err)
{
    struct smap_edge_list list = {0};
    struct smap_graph *found = NULL;
    int rc = smap_metis_read(&list, file, wanted, err);
    if (rc == SMAP_OK)
        rc = smap_edge_list_graph(&found, &list, wanted, err);
    if (rc == SMAP_OK && !wanted->own)
        rc = smap_metis_check(found, list.count, err);
    smap_edge_list_clear(&list);
    if (rc == SMAP_OK)
        *graph = found;
    else
        smap_graph_destroy(found);
    return rc;
}

static int take_record(struct smap_edge_list *list, FILE *file,
                       const struct smap_edges_wanted *wanted, struct smap_error *err)
{
    struct smap_record record = {0};
    int rc = smap_record_read(&record, file, err);
    if (rc == SMAP_OK)
        rc = smap_edge_list_begin(list, wanted, record.ranks, err);
    for (size_t e = 0; rc == SMAP_OK && e < record.edges; e++)
        rc = smap_edge_list_add(list, wanted,
                                (const uint64_t[]){record.edge[e].from, record.edge[e].to},
                                record.edge[e].bytes, err);
    smap_record_clear(&record);
    return rc;
}

/* A line of the file; what does not fit is passed over. False at its end. */
static bool next_line(char *line, int size, FILE *file)
{
    if (!fgets(line, size, file))
        return false;
    for (int c = strchr(line, '\n') ? '\n' : 0; c != '\n' && c != EOF;)
        c = getc_unlocked(file);
    return true;
}

/* A number behind a blank. */
static bool number(const char **cursor, uint64_t *value)
{
    return smap_scan_char(cursor, ' ') && smap_scan_uint(cursor, INT64_MAX, value);
}

/* Of a record that has been read whole elsewhere, the edges of some ranks, without keeping any
 * others. */
static int pick_from_record(struct smap_edge_list *list, FILE *file,
                            const struct smap_edges_wanted *wanted, struct smap_error *err)
{
    char line[256];
    uint64_t version, ranks, ends[2], messages, bytes;
    const char *cursor = line + strlen("stencilmap-comm");
    if (!next_line(line, sizeof(line), file) || strlen(line) < strlen("stencilmap-comm") ||
        !number(&cursor, &version) || version != 1 || !number(&cursor, &ranks))
        return smap_fail(err, SMAP_EINVAL, "not a record, which begins like stencilmap-comm 1 32");
    int rc = smap_edge_list_begin(list, wanted, ranks, err);
    while (rc == SMAP_OK && next_line(line, sizeof(line), file)) {
        cursor = line + strlen("sent");
        if (strncmp(line, "sent ", strlen("sent ")) == 0 && number(&cursor, &ends[0]) &&
            number(&cursor, &ends[1]) && number(&cursor, &messages) && number(&cursor, &bytes))
            rc = smap_edge_list_add(list, wanted, ends, bytes, err);
    }
    return rc;
}

static int read_record(struct smap_graph **graph, FILE *file,
                       const struct smap_edges_wanted *wanted, struct smap_error *err)
{
    struct smap_edge_list list = {0};
    int rc = wanted->own ? pick_from_record(&list, file, wanted, err)
                         : take_record(&list, file, wanted, err);
    if (rc == SMAP_OK)
        rc = smap_edge_list_graph(graph, &list, wanted, err);
    smap_edge_list_clear(&list);
    return rc;
}

int smap_graph_read(struct smap_graph **graph, FILE *file, const struct smap_edges_wanted *wanted,
                    struct smap_error *err)
{
    int first = getc(file);
    if (first == EOF || ungetc(first, file) == EOF)
        return smap_fail(err, SMAP_EINVAL, "the file is empty");
    if (first == '%' || first == ' ' || (first >= '0' && first <= '9'))
        return read_metis(graph, file, wanted, err);
    if (first == 's')
        return read_record(graph, file, wanted, err);
    return smap_fail(
        err, SMAP_EINVAL,
        "neither a record, which begins with stencilmap-comm, nor a METIS graph, which "
        "begins with the numbers of ranks and edges");
}

int smap_graph_load(struct smap_graph **graph, const char *path,
                    const struct smap_edges_wanted *wanted, struct smap_error *err)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return smap_fail(err, SMAP_ESYS, "%s", strerror(errno));
    FILE *file = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) ? fdopen(fd, "r") : NULL;
    if (!file) {
        close(fd);
        return smap_fail(err, SMAP_EINVAL, "not a regular file");
    }
    int rc = wanted->bytes_max && (uint64_t)about.st_size > wanted->bytes_max
                 ? smap_fail(err, SMAP_ENOTSUP, "the file is larger than %llu bytes",
                             (unsigned long long)wanted->bytes_max)
                 : smap_graph_read(graph, file, wanted, err);
    fclose(file);
    return rc;
}

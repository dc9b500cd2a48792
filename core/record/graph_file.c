/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/graph_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Records are told whole: the edges of some ranks are picked out of all. */
static int read_record(struct smap_graph **graph, FILE *file,
                       const struct smap_edges_wanted *wanted, struct smap_error *err)
{
    struct smap_record record = {0};
    struct smap_edge_list list = {0};
    int rc = smap_record_read(&record, file, err);
    if (rc == SMAP_OK)
        rc = smap_edge_list_begin(&list, wanted, record.ranks, err);
    for (size_t e = 0; rc == SMAP_OK && e < record.edges; e++)
        rc = smap_edge_list_add(&list, wanted,
                                (const uint64_t[]){record.edge[e].from, record.edge[e].to},
                                record.edge[e].bytes, err);
    smap_record_clear(&record);
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Node names in Slurm's notation, "n[0-3,07],gpu[1-2]-ib": read, kept in the given order (never
 * sorted), counted. */
#ifndef SMAP_HOSTLIST_H
#define SMAP_HOSTLIST_H

#include <stddef.h>

#include "base/error.h"

struct smap_hostlist {
    char **names;
    size_t count;
};

/* A short text may expand to very many names: n[0-999999999]. */
#define SMAP_HOSTS_MAX     1000000
#define SMAP_HOST_NAME_MAX 255 /* of a domain name */

/* Expands the text; at most SMAP_HOSTS_MAX names of at most SMAP_HOST_NAME_MAX characters. */
int smap_hostlist_parse(struct smap_hostlist **hosts, const char *text, struct smap_error *err);

int smap_hostlist_copy(struct smap_hostlist **copy, const struct smap_hostlist *hosts,
                       struct smap_error *err);
void smap_hostlist_destroy(struct smap_hostlist *hosts);

/* The index of a name, or SIZE_MAX. */
size_t smap_hostlist_find(const struct smap_hostlist *hosts, const char *name);

#endif

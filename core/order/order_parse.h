/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading --rank-order, the ORDER texts:
 *   2-1-0 or 2,1,0          level numbers as in the paper, 0 = outermost, each level exactly once
 *   numa,l3,core            level names, fastest first; see "lists of names" below
 *   block:cyclic, cyclic,   Slurm's --distribution words: nodes, then sockets; one word alone means
 *   plane=4                 Slurm's default for the sockets, cyclic; plane=k needs k to be whole
 *                           inner levels
 * Each may end in ",membind": the caller is asked to bind memory too.
 *
 * Lists of names. A name stands for *all* objects of its kind on the node, as in mpirun --map-by:
 * "numa,l3,core" goes round all NUMA nodes of the machine, whatever sockets, dies or groups there
 * are around them. Hence: a level that is not named goes with the next named level inside it,
 * directly behind it (numa = numa,socket); levels inside the innermost named one come last, filled
 * in their natural way, innermost first. Nodes are never drawn in: unless named, they are slowest.
 * Ranks alternate over what is named only: the unnamed levels and their neighbour are one level
 * (smap_order.joined). Slurm's words name the sockets.
 * On [[socket:2, numa:4, l3:2, core:8]]:
 *   numa,l3,core -> 1-0-2-3     numa -> 1-0-3-2     l3 -> 2-1-0-3     core -> 3-2-1-0
 *   socket -> 0-3-2-1 (Slurm's block:cyclic)        l3,numa,core,socket -> 2-1-3-0 */
#ifndef SMAP_ORDER_PARSE_H
#define SMAP_ORDER_PARSE_H

#include "order/order.h"
#include "order/order_text.h"

/* Refusals are one line: "--rank-order=numa,l4: no level 'l4' here; levels are socket:2, numa:4,
 * l3:2, core:8". */
int smap_order_parse(struct smap_order *order, const char *text,
                     const struct smap_hierarchy *hierarchy, struct smap_error *err);

/* The same, with the caller's words for the levels in refusals ("socket:2, core:9+8" where arities
 * alone do not tell the truth). */
int smap_order_parse_shape(struct smap_order *order, const char *text,
                           const struct smap_hierarchy *hierarchy, const char *shape,
                           struct smap_error *err);

#endif

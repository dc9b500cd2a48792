/* SPDX-License-Identifier: BSD-3-Clause */
/* What libstencilmap_preload.so takes over; what becomes of it is in preload_cart.c. */
#include "interpose.h"

INTERPOSE(Cart_create, 6)
INTERPOSE(Dims_create, 3)
INTERPOSE(Dist_graph_create, 9)
INTERPOSE(Dist_graph_create_adjacent, 10)

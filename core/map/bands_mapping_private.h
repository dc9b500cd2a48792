/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of an algorithm whose params are a struct smap_bands. */
#ifndef SMAP_BANDS_MAPPING_PRIVATE_H
#define SMAP_BANDS_MAPPING_PRIVATE_H

#include "map/algorithm.h"
#include "map/bands.h"

void smap_bands_mapping_cell(uint32_t coords[], const struct smap_mapping *m, uint32_t position);
uint32_t smap_bands_mapping_position(const struct smap_mapping *m, const uint32_t coords[]);
void smap_bands_mapping_cells(uint32_t cell_at[], const struct smap_mapping *m);

#endif

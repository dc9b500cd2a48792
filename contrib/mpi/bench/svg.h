/* SPDX-License-Identifier: BSD-3-Clause */
/* Words and marks of a picture, and how the number of a series makes it look. No MPI here. */
#ifndef BENCH_SVG_H
#define BENCH_SVG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A series without a look of its own: grey. */
#define BENCH_NO_LOOK SIZE_MAX

const char *bench_svg_colour(size_t number);

/* An attribute, with a blank in front; "" for a line that is whole. */
const char *bench_svg_dash(size_t number);

/* Escaped. */
void bench_svg_text(FILE *out, const char *text);

/* attributes: such as "text-anchor='end'". */
void bench_svg_label(FILE *out, double x, double y, const char *attributes, const char *text);

void bench_svg_marker(FILE *out, size_t number, double x, double y);

/* A thin line between ends[0], ends[1] and ends[2], ends[3]. */
void bench_svg_whisker(FILE *out, size_t number, const double ends[4]);

#endif

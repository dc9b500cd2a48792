/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/svg.h"

/* Colours that people who see colours differently can tell apart (the first seven after Okabe and
 * Ito); with markers of four kinds and lines of three, thirty series differ. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                      "#56b4e9", "#000000", "#7f3c8d", "#8c564b", "#7a8f00"};
static const char *const dashes[] = {"", " stroke-dasharray='7 3'", " stroke-dasharray='2 3'"};
#define COLOURS (sizeof(colours) / sizeof(colours[0]))

void bench_svg_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if ((unsigned char)*text >= 0x20)
            fputc(*text, out);
    }
}

/* attributes: such as "text-anchor='end'". */
void bench_svg_label(FILE *out, double x, double y, const char *attributes, const char *text)
{
    fprintf(out, "<text x='%.1f' y='%.1f' %s>", x, y, attributes);
    bench_svg_text(out, text);
    fputs("</text>\n", out);
}

const char *bench_svg_colour(size_t number)
{
    return number == BENCH_NO_LOOK ? "#444" : colours[number % COLOURS];
}

const char *bench_svg_dash(size_t number)
{
    return number == BENCH_NO_LOOK ? "" : dashes[number / COLOURS % 3];
}

void bench_svg_marker(FILE *out, size_t number, double x, double y)
{
    static const double r = 3.6;
    const char *colour = bench_svg_colour(number);
    switch (number % 4) {
    case 0:
        fprintf(out, "<circle cx='%.1f' cy='%.1f' r='%.1f' fill='%s'/>\n", x, y, r, colour);
        break;
    case 1:
        fprintf(out, "<path d='M%.1f %.1fh%.1fv%.1fh-%.1fz' fill='%s'/>\n", x - r, y - r, 2 * r,
                2 * r, 2 * r, colour);
        break;
    case 2:
        fprintf(out, "<path d='M%.1f %.1fl%.1f %.1fh-%.1fz' fill='%s'/>\n", x, y - 1.2 * r, 1.2 * r,
                2.1 * r, 2.4 * r, colour);
        break;
    default:
        fprintf(out, "<path d='M%.1f %.1fl%.1f %.1fl-%.1f %.1fl-%.1f -%.1fz' fill='%s'/>\n", x,
                y - 1.3 * r, 1.3 * r, 1.3 * r, 1.3 * r, 1.3 * r, 1.3 * r, 1.3 * r, colour);
    }
}

void bench_svg_whisker(FILE *out, size_t number, const double ends[4])
{
    fprintf(out, "<path d='M%.1f %.1fL%.1f %.1f' stroke='%s' stroke-width='1.2' opacity='0.55'/>\n",
            ends[0], ends[1], ends[2], ends[3], bench_svg_colour(number));
}

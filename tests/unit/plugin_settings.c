/* SPDX-License-Identifier: BSD-3-Clause */
/* stencilmap.conf, line by line. */
#include "fake_spank.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "settings.h"

static char config[] = "/tmp/stencilmap-test-XXXXXX";

static int make_config(void **state)
{
    int file = mkstemp(config);
    (void)state;
    return file < 0 ? -1 : close(file);
}

static int remove_config(void **state)
{
    (void)state;
    return unlink(config);
}

static void leave(void)
{
    char *no_arguments[] = {NULL};
    slurm_spank_exit(fake_handle(), 0, no_arguments);
}

/* srun on a site with this file, in partition "big". */
static void read_file(const char *text)
{
    char argument[64];
    char *arguments[] = {argument, NULL};
    FILE *file = fopen(config, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    fake_reset();
    snprintf(argument, sizeof(argument), "config=%s", config);
    slurm_spank_init(fake_handle(), 1, arguments);
    settings_read("big");
}

/* Exactly these lines, in this order: "LINE: text", LINE in the file. */
static void assert_said(const char *const lines[])
{
    char wanted[4096] = "";
    for (size_t i = 0; lines[i]; i++)
        snprintf(wanted + strlen(wanted), sizeof(wanted) - strlen(wanted),
                 "error: stencilmap: %s:%s\n", config, lines[i]);
    assert_string_equal(fake_said(), wanted);
}

#define SAID(...) assert_said((const char *const[]){__VA_ARGS__, NULL})

static void settings_are_read(void **state)
{
    (void)state;
    read_file("");
    assert_true(settings()->pmix);
    assert_false(settings()->strict);
    assert_int_equal(settings()->verbose, 0);
    assert_null(settings()->topology);
    leave();
    read_file(
        "; a comment\n# another\n\n[stencilmap]\r\npmix = no\r\nstrict=YES\nverbose: 1 ; why\n"
        "topology = /etc/slurm/node.xml\nrank-order = numa,l3,core");
    assert_string_equal(fake_said(), "");
    assert_false(settings()->pmix);
    assert_true(settings()->strict);
    assert_int_equal(settings()->verbose, 1);
    assert_string_equal(settings()->topology, "/etc/slurm/node.xml");
    assert_string_equal(options_get(OPTION_ORDER), "numa,l3,core");
    leave();
}

/* A line too long is said and left out, whole: its end is no line of its own. */
static void no_line_is_cut(void **state)
{
    char text[2048];
    (void)state;
    for (int length = 150; length < 450; length++) {
        const char *name = "stencil = ";
        char value[512] = "1,0";
        while ((int)(strlen(name) + strlen(value)) + 4 <= length)
            unit_append(value, sizeof(value), ";1,0");
        while ((int)(strlen(name) + strlen(value)) < length)
            unit_append(value, sizeof(value), "0");
        snprintf(text, sizeof(text), "[stencilmap]\n%s%s\nrank-order = core\ncolour = blue\n", name,
                 value);
        read_file(text);
        if (length <= 199) {
            assert_string_equal(options_get(OPTION_STENCIL), value);
            SAID("4: 'colour = blue' is left out: no such setting");
        } else {
            assert_null(options_get(OPTION_STENCIL));
            SAID("2: longer than 199 characters, left out",
                 "4: 'colour = blue' is left out: no such setting");
        }
        assert_string_equal(options_get(OPTION_ORDER), "core");
        leave();
    }
}

/* A comment may be as long as it likes, and its end is no setting. */
static void long_comments(void **state)
{
    (void)state;
    for (int length = 150; length < 450; length++) {
        char text[2048] = "[stencilmap]\n# ";
        while ((int)strlen(text) < length)
            unit_append(text, sizeof(text), "x");
        unit_append(text, sizeof(text), " rank-order = pu\nverbose = 1\n");
        read_file(text);
        assert_string_equal(fake_said(), "");
        assert_null(options_get(OPTION_ORDER));
        assert_int_equal(settings()->verbose, 1);
        leave();
    }
}

static void indented_lines_are_lines(void **state)
{
    (void)state;
    read_file("[stencilmap]\n  rank-order = core\n\tstencil-map = best\n  numa\n");
    assert_string_equal(options_get(OPTION_ORDER), "core");
    assert_string_equal(options_get(OPTION_MAP), "best");
    SAID("4: not a line like 'rank-order = numa,l3,core'");
    leave();
}

static void refusals_say_what_would_be_right(void **state)
{
    static const struct {
        const char *line, *said;
    } cases[] = {
        {"topology = node.xml",
         "2: 'topology = node.xml' is left out: not a full path, which begins with /"},
        {"topology =", "2: 'topology = ' is left out: not a full path, which begins with /"},
        {"pmix = maybe", "2: 'pmix = maybe' is left out: not yes or no"},
        {"strict = 2", "2: 'strict = 2' is left out: not yes or no"},
        {"verbose = yes", "2: 'verbose = yes' is left out: not 0 or 1"},
        {"colour = blue", "2: 'colour = blue' is left out: no such setting"},
        {"stencil-dims = 4x",
         "2: 'stencil-dims = 4x' is left out: --stencil-dims=4x: not sizes like "
         "50x48 or 50x48,column"},
        {"stencil-placement =",
         "2: 'stencil-placement = ' is left out: --stencil-placement=: one of auto, launch, comm"},
        {"rank-order = \033[2J",
         "2: 'rank-order = ?' is left out: --rank-order: the value is not plain printable text"},
        {"nonsense", "2: not a line like 'rank-order = numa,l3,core'"},
    };
    char text[256];
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(text, sizeof(text), "[stencilmap]\n%s\n", cases[i].line);
        read_file(text);
        SAID(cases[i].said);
        leave();
    }
    read_file("# one\n\n[stencilmap]\r\n\n; five\n  strict = maybe\n\npmix = no\ncolour=blue");
    SAID("6: 'strict = maybe' is left out: not yes or no",
         "9: 'colour = blue' is left out: no such setting");
    leave();
    read_file("[partition big]\npmix = no\n[site]\nverbose = 1\n");
    SAID("2: 'pmix = no' is left out: no such setting",
         "4: section [site] is neither [stencilmap] nor [partition NAME]");
    assert_true(settings()->pmix);
    leave();
}

/* On the nodes nobody reads what is wrong with the file. */
static void slurmstepd_says_nothing(void **state)
{
    (void)state;
    char text[512] = "nonsense\n[site]\nverbose = 1\n[stencilmap]\ncolour = blue\npmix = no\n";
    while (strlen(text) < 400)
        unit_append(text, sizeof(text), "x");
    read_file(text);
    assert_int_equal(fake_lines_said(), 4);
    fake_forget_said();
    fake.context = S_CTX_REMOTE;
    settings_read(NULL);
    assert_string_equal(fake_said(), "");
    assert_false(settings()->pmix);
    leave();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_read),
        cmocka_unit_test(no_line_is_cut),
        cmocka_unit_test(long_comments),
        cmocka_unit_test(indented_lines_are_lines),
        cmocka_unit_test(refusals_say_what_would_be_right),
        cmocka_unit_test(slurmstepd_says_nothing),
    };
    return cmocka_run_group_tests(tests, make_config, remove_config);
}

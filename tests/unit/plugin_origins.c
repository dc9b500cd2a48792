/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of options: which of several sources wins, and what is refused. */
#include "unit_srun.h"

#include "option_example.h"
#include "options.h"
#include "settings.h"

/* All 32 sets of sources, each with a value of its own: the strongest wins, "off" too. */
static void the_strongest_source_wins(void **state)
{
    static const enum origin origins[] = {ORIGIN_SITE, ORIGIN_PARTITION, ORIGIN_ENVIRONMENT,
                                          ORIGIN_INHERITED, ORIGIN_COMMAND_LINE};
    const char *values[] = {"blocked", "hyperplane", "kdtree", "strips", "nodecart"};
    (void)state;
    for (unsigned set = 0; set < 64; set++) {
        char text[256];
        int strongest = -1;
        bool off = set & 32; /* the strongest says off */
        setup(NULL);
        for (int i = 0; i < 5; i++)
            strongest = set & (1u << i) ? i : strongest;
        const char *value[5];
        for (int i = 0; i < 5; i++)
            value[i] = off && i == strongest ? "off" : values[i];
        if (set & 8) {
            setenv(INHERITED "stencil_map", value[3], 1);
            assert_int_equal(fake_type_option("stencil-map", value[3]), 0);
        }
        if (set & 16)
            assert_int_equal(fake_type_option("stencil-map", value[4]), 0);
        snprintf(text, sizeof(text), "--stencil-map=%s", value[2]);
        if (set & 4)
            setenv("STENCILMAP_OPTIONS", text, 1);
        options_read_environment();
        snprintf(text, sizeof(text), "[partition big]\n%s%s\n[stencilmap]\n%s%s\n",
                 set & 2 ? "stencil-map=" : "", set & 2 ? value[1] : "",
                 set & 1 ? "stencil-map=" : "", set & 1 ? value[0] : "");
        write_config(text);
        settings_read("big");
        assert_int_equal(options_origin(OPTION_MAP),
                         strongest < 0 ? ORIGIN_NONE : origins[strongest]);
        if (strongest < 0 || off)
            assert_null(options_get(OPTION_MAP));
        else
            assert_string_equal(options_get(OPTION_MAP), values[strongest]);
        assert_int_equal(options_from_user(), strongest >= 2);
        assert_int_equal(options_typed_here(), strongest == 4);
        teardown(NULL);
    }
}

static void words_that_are_left_out(void **state)
{
    static const struct {
        const char *words, *said;
    } cases[] = {
        {"--nonsense", "'--nonsense' is left out: not an option of stencilmap\n"},
        {"stencil=nn", "'stencil=nn' is left out: not an option of stencilmap\n"},
        {"--stencil-mapp=best", "'--stencil-mapp=best' is left out: not an option"},
        {"--stencil-dims", "'--stencil-dims' is left out: --stencil-dims=: sizes like"},
        {"--stencil-map=fastest",
         "'--stencil-map=fastest' is left out: --stencil-map=fastest: not"},
        {"--stencil-map=\033[2J", "'?' is left out: --stencil-map: the value is not plain"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        setup(NULL);
        setenv("STENCILMAP_OPTIONS", cases[i].words, 1);
        options_read_environment();
        assert_int_equal(fake_lines_said(), 1);
        if (!fake_has_said(cases[i].said))
            fail_msg("wanted '%s', got '%s'", cases[i].said, fake_said());
        assert_false(options_from_user());
        teardown(NULL);
    }
}

static void refused_values(void **state)
{
    static const char *const values[] = {"", "no such value!", "a\nb", "\033[2J"};
    (void)state;
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        const char *name = option_row(i)->name;
        for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
            char said[64];
            if (option_row(i)->is_file && v == 1)
                continue; /* a file may be called so */
            setup(NULL);
            if (fake_type_option(name, values[v]) == 0)
                fail_msg("--%s takes '%s'", name, values[v]);
            assert_int_equal(fake_lines_said(), 1);
            assert_int_equal(strcspn(fake_said(), "\n") + 1, strlen(fake_said()));
            assert_null(strchr(fake_said(), '\033'));
            snprintf(said, sizeof(said), "error: stencilmap: --%s", name);
            assert_memory_equal(fake_said(), said, strlen(said));
            assert_int_equal(options_origin(i), ORIGIN_NONE);
            teardown(NULL);
        }
    }
}

/* An empty value is answered with what would be right. */
static void empty_values(void **state)
{
    static const struct {
        const char *name, *text;
    } cases[] = {
        {"stencil-map", "--stencil-map=: one of blocked, hyperplane, "},
        {"stencil", "--stencil=: one of nn, "},
        {"stencil-dims", "--stencil-dims=: sizes like 50x48 or 50x48,column\n"},
        {"stencil-periodic", "--stencil-periodic=: a 0 or 1 per dimension like 1,0\n"},
        {"stencil-ranks", "--stencil-ranks=: a first and a last rank like 2-33\n"},
        {"stencil-effort", "--stencil-effort=: one of fast, normal, thorough\n"},
        {"stencil-objective", "--stencil-objective=: one of sum, max, levels\n"},
        {"stencil-placement", "--stencil-placement=: one of auto, launch, comm\n"},
        {"rank-order", "--rank-order=: levels like numa,l3,core or 2-1-0, block:cyclic, off\n"},
        {"rank-hierarchy", "--rank-hierarchy=: levels like 2,2,8 or socket:2,fake:2,core:8\n"},
        {"stencil-report", "--stencil-report=: one of on, full\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fake_forget_said();
        assert_int_not_equal(fake_type_option(cases[i].name, ""), 0);
        if (!fake_has_said(cases[i].text))
            fail_msg("wanted '%s', got '%s'", cases[i].text, fake_said());
    }
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        char said[64];
        int length =
            snprintf(said, sizeof(said), "error: stencilmap: --%s=: ", option_row(i)->name);
        fake_forget_said();
        assert_int_not_equal(fake_type_option(option_row(i)->name, ""), 0);
        assert_memory_equal(fake_said(), said, length);
        assert_true(strlen(fake_said()) > (size_t)length + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strongest_source_wins),
        cmocka_unit_test(words_that_are_left_out),
        cmocka_unit_test(refused_values),
        cmocka_unit_test_setup_teardown(empty_values, setup, teardown),
    };
    return cmocka_run_group_tests(tests, make_config, remove_config);
}

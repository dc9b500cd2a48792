/* SPDX-License-Identifier: BSD-3-Clause */
/* The road of an option, for every row of options.def: from where a user or a site sets it to the
 * request and the hand-over. */
#include "fake_spank.h"
#include "unit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "option_example.h"
#include "options.h"
#include "settings.h"

#define INHERITED "SLURM_SPANK__SLURM_SPANK_OPTION_stencilmap_"

static char config[] = "/tmp/stencilmap-test-XXXXXX";

static void write_config(const char *text)
{
    FILE *file = fopen(config, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A new srun, with the test's configuration file. */
static int setup(void **state)
{
    char argument[64];
    char *arguments[] = {argument, NULL};
    (void)state;
    unsetenv("STENCILMAP_OPTIONS");
    unsetenv(INHERITED "stencil_map");
    fake_reset();
    snprintf(argument, sizeof(argument), "config=%s", config);
    write_config("");
    slurm_spank_init(fake_handle(), 1, arguments);
    return 0;
}

static int teardown(void **state)
{
    char *no_arguments[] = {NULL};
    (void)state;
    return slurm_spank_exit(fake_handle(), 0, no_arguments);
}

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

/* What the option has put into a request, NULL if nothing. */
static const char *member_of(struct smap_request *request, enum option option)
{
    const char **member = smap_request_member(request, option_row(option)->name);
    return member ? *member : NULL;
}

static bool fills_a_member(enum option option)
{
    struct smap_request request;
    return smap_request_member(&request, option_row(option)->name) != NULL;
}

/* Nothing but this option is set, and it is where it belongs. */
static void assert_only(enum option option, const char *value, enum origin origin)
{
    struct smap_request request = options_request();
    assert_string_equal(options_get(option), value);
    assert_int_equal(options_origin(option), origin);
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        if (i != option)
            assert_null(options_get(i));
        if (i == option && fills_a_member(option))
            assert_ptr_equal(member_of(&request, option), options_get(option));
        else
            assert_null(member_of(&request, i));
    }
    assert_string_equal(fake_said(), "");
}

static void rows_are_whole(void **state)
{
    (void)state;
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = option_row(i);
        assert_true(row->name && row->placeholder && row->help);
        assert_memory_equal(row->help, "[stencilmap] ", strlen("[stencilmap] "));
        for (enum option k = 0; k < i; k++) {
            const struct option_row *other = option_row(k);
            assert_string_not_equal(row->name, other->name);
            if (row->handover != HANDOVER_NONE)
                assert_int_not_equal(row->handover, other->handover);
        }
    }
}

/* A request has no member that srun cannot fill, and none that slurmstepd would not get, but for
 * how to search: srun alone does that. */
static void requests_are_filled(void **state)
{
    struct smap_request request;
    (void)state;
    for (size_t i = 0; smap_request_option(i); i++) {
        const char *name = smap_request_option(i);
        enum option option;
        assert_true(option_find(&option, name, strlen(name)));
        if (option != OPTION_EFFORT && option != OPTION_OBJECTIVE)
            assert_int_not_equal(option_row(option)->handover, HANDOVER_NONE);
        for (size_t k = 0; k < i; k++)
            assert_ptr_not_equal(smap_request_member(&request, name),
                                 smap_request_member(&request, smap_request_option(k)));
    }
    assert_null(smap_request_member(&request, "stencil-report"));
}

static void every_option_is_registered(void **state)
{
    static const spank_context_t contexts[] = {S_CTX_LOCAL, S_CTX_ALLOCATOR, S_CTX_REMOTE};
    char *no_arguments[] = {NULL};
    (void)state;
    for (size_t c = 0; c < sizeof(contexts) / sizeof(contexts[0]); c++) {
        fake_reset();
        fake.context = contexts[c];
        slurm_spank_init(fake_handle(), 0, no_arguments);
        assert_int_equal(fake_registered(), OPTION_COUNT);
        for (enum option i = 0; i < OPTION_COUNT; i++) {
            const struct option_row *row = option_row(i);
            const struct spank_option *option = fake_registered_option(row->name);
            assert_non_null(option);
            assert_string_equal(option->arginfo, row->placeholder);
            assert_string_equal(option->usage, row->help);
            assert_int_equal(option->has_arg, row->bare ? 2 : 1);
        }
    }
}

static void typed(void **state)
{
    (void)state;
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        setup(NULL);
        assert_int_equal(fake_type_option(option_row(i)->name, option_example(i)), 0);
        assert_only(i, option_example(i), ORIGIN_COMMAND_LINE);
        teardown(NULL);
    }
}

static void typed_in_upper_case(void **state)
{
    (void)state;
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        char value[128];
        setup(NULL);
        snprintf(value, sizeof(value), "%s", option_example(i));
        for (char *c = value; *c; c++)
            *c = (char)toupper((unsigned char)*c);
        assert_int_equal(fake_type_option(option_row(i)->name, value), 0);
        assert_only(i, option_row(i)->is_file ? value : option_example(i), ORIGIN_COMMAND_LINE);
        teardown(NULL);
    }
}

static void typed_without_a_value(void **state)
{
    /* NULL on the command line; "(null)" is what sbatch hands down. */
    static const char *const nothing[] = {NULL, "(null)"};
    (void)state;
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = option_row(i);
        for (size_t n = 0; row->bare && n < 2; n++) {
            setup(NULL);
            assert_int_equal(fake_type_option(row->name, nothing[n]), 0);
            assert_only(i, row->bare, ORIGIN_COMMAND_LINE);
            teardown(NULL);
        }
    }
}

static void in_STENCILMAP_OPTIONS(void **state)
{
    (void)state;
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        char words[128];
        setup(NULL);
        snprintf(words, sizeof(words), " --%s=%s ", option_row(i)->name, option_example(i));
        setenv("STENCILMAP_OPTIONS", words, 1);
        options_read_environment();
        assert_only(i, option_example(i), ORIGIN_ENVIRONMENT);
        teardown(NULL);
    }
}

static void in_the_configuration(void **state)
{
    (void)state;
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        const char *name = option_row(i)->name;
        char text[256];
        setup(NULL);
        snprintf(text, sizeof(text), "[stencilmap]\n%s = %s\n", name, option_example(i));
        write_config(text);
        settings_read(NULL);
        assert_only(i, option_example(i), ORIGIN_SITE);
        teardown(NULL);
        setup(NULL);
        snprintf(text, sizeof(text), "[partition big]\n%s = %s\n[partition other]\n%s = x\n", name,
                 option_example(i), name);
        write_config(text);
        settings_read("big");
        assert_only(i, option_example(i), ORIGIN_PARTITION);
        teardown(NULL);
    }
}

static void handed_over(void **state)
{
    (void)state;
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = option_row(i);
        struct handover_values handed;
        setup(NULL);
        fake_type_option(row->name, option_example(i));
        options_hand_over(true);
        if (row->handover != HANDOVER_NONE && !row->made_whole) {
            assert_string_equal(getenv(handover_name(row->handover)), option_example(i));
            assert_string_equal(getenv(handover_name(HANDOVER_VERSION)), STENCILMAP_VERSION);
        }
        /* And back, on the node. */
        handover_clear();
        if (row->handover != HANDOVER_NONE)
            fake_setenv(handover_name(row->handover), option_example(i));
        fake_setenv(handover_name(HANDOVER_VERSION), STENCILMAP_VERSION);
        char **env = NULL;
        spank_get_item(fake_handle(), S_JOB_ENV, &env);
        handover_read(&handed, env);
        struct smap_request request = options_handed_over(&handed);
        for (enum option k = 0; k < OPTION_COUNT; k++) {
            if (k == i && fills_a_member(k) && row->handover != HANDOVER_NONE)
                assert_string_equal(member_of(&request, k), option_example(i));
            else
                assert_null(member_of(&request, k));
        }
        handover_release(&handed);
        teardown(NULL);
    }
}

/* Whatever needs a mapping or an order is refused without, if it was typed. */
static void partners(void **state)
{
    (void)state;
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = option_row(i);
        struct smap_error err = {""};
        char said[160];
        setup(NULL);
        fake_type_option(row->name, option_example(i));
        assert_int_equal(options_check_partners(&err) != SMAP_OK, row->partner != PARTNER_NONE);
        snprintf(said, sizeof(said), "--%s=%s: there is no --", row->name, option_example(i));
        if (row->partner != PARTNER_NONE)
            assert_memory_equal(err.text, said, strlen(said));
        fake_type_option("rank-order", "core");
        assert_int_equal(options_check_partners(&err) != SMAP_OK, row->partner == PARTNER_MAP);
        fake_type_option("stencil-map", "off");
        assert_int_equal(options_check_partners(&err), SMAP_OK);
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

/* slurmstepd takes nothing from users. */
static void remote_callbacks_do_nothing(void **state)
{
    (void)state;
    fake.context = S_CTX_REMOTE;
    assert_int_equal(fake_type_option("stencil-map", "fastest"), 0);
    assert_int_equal(fake_type_option("stencil-map", "best"), 0);
    assert_null(options_get(OPTION_MAP));
    assert_string_equal(fake_said(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(requests_are_filled),
        cmocka_unit_test(every_option_is_registered),
        cmocka_unit_test(typed_in_upper_case),
        cmocka_unit_test(typed),
        cmocka_unit_test(typed_without_a_value),
        cmocka_unit_test(in_STENCILMAP_OPTIONS),
        cmocka_unit_test(in_the_configuration),
        cmocka_unit_test(handed_over),
        cmocka_unit_test(partners),
        cmocka_unit_test(refused_values),
        cmocka_unit_test_setup_teardown(empty_values, setup, teardown),
        cmocka_unit_test(the_strongest_source_wins),
        cmocka_unit_test(words_that_are_left_out),
        cmocka_unit_test_setup_teardown(remote_callbacks_do_nothing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, make_config, remove_config);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The road of an option, for every row of options.def: from where a user or a site sets it to the
 * request and the hand-over. */
#include "unit_srun.h"

#include <ctype.h>

#include "option_example.h"
#include "options.h"
#include "settings.h"

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
        cmocka_unit_test_setup_teardown(remote_callbacks_do_nothing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, make_config, remove_config);
}

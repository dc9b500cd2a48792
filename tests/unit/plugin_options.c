/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of the plugin, from where a user or a site sets them to the hand-over. */
#include "fake_spank.h"
#include "unit.h"

#include <stdlib.h>

#include "options.h"

static int setup(void **state)
{
    char *no_arguments[] = {NULL};
    (void)state;
    unsetenv("STENCILMAP_OPTIONS");
    fake_reset();
    slurm_spank_init(fake_handle(), 0, no_arguments);
    return 0;
}

static int teardown(void **state)
{
    char *no_arguments[] = {NULL};
    (void)state;
    options_clear();
    return slurm_spank_exit(fake_handle(), 0, no_arguments);
}

static void every_option_is_registered(void **state)
{
    (void)state;
    assert_int_equal(fake_registered(), OPTION_COUNT);
    for (int i = 0; i < OPTION_COUNT; i++)
        assert_non_null(fake_registered_option(options_name((enum option)i)));
}

static void a_typed_value_is_kept(void **state)
{
    (void)state;
    assert_int_equal(fake_type_option("stencil-map", "hyperplane"), 0);
    assert_string_equal(options_get(OPTION_MAP), "hyperplane");
    assert_int_equal(options_origin(OPTION_MAP), ORIGIN_COMMAND_LINE);
    assert_string_equal(fake_said(), "");
}

static void a_wrong_value_is_refused_in_one_line(void **state)
{
    (void)state;
    assert_int_not_equal(fake_type_option("stencil-map", "fastest"), 0);
    assert_int_equal(fake_lines_said(), 1);
    assert_true(fake_has_said("error: stencilmap: --stencil-map=fastest: not one of"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_option_is_registered, setup, teardown),
        cmocka_unit_test_setup_teardown(a_typed_value_is_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(a_wrong_value_is_refused_in_one_line, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

package dev.duetime.specification.failure;

import org.junit.jupiter.api.Tag;

/** The rule of {@link BrokenOffStepTest}, shown for each step. */
@Tag("full")
class EachBrokenOffStepTest extends BrokenOffStepTest {
    @Override
    int stride() {
        return 1;
    }
}

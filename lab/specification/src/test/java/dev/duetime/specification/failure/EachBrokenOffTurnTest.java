package dev.duetime.specification.failure;

import org.junit.jupiter.api.Tag;

/** The rule of {@link BrokenOffTurnTest}, shown for each call. */
@Tag("full")
class EachBrokenOffTurnTest extends BrokenOffTurnTest {
    @Override
    int stride() {
        return 1;
    }
}

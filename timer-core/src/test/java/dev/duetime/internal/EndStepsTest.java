package dev.duetime.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndStepsTest {
    private final List<String> done = new ArrayList<>();
    private final Error first = new OutOfMemoryError("first");
    private final RuntimeException second = new IllegalStateException("second");

    @Test
    void eachStepIsDoneWhateverAnEarlierOneThrows() {
        assertThatThrownBy(() -> EndSteps.all(List.of(
                        () -> done.add("a"),
                        () -> {
                            throw first;
                        },
                        () -> {
                            throw second;
                        },
                        () -> done.add("b"))))
                .isSameAs(first);

        assertThat(done).containsExactly("a", "b");
        assertThat(first).hasSuppressedException(second);
    }

    @Test
    void anErrorThatIsThrownTwiceIsThrownOnce() {
        assertThatThrownBy(() -> EndSteps.each(List.of(1, 2), each -> {
                    throw first;
                }))
                .isSameAs(first);

        assertThat(first.getSuppressed()).isEmpty();
    }

    @Test
    void aStepAfterAFailureDoesNotHideIt() {
        EndSteps.after(first, () -> {
            throw second;
        });

        assertThat(first).hasSuppressedException(second);
    }
}

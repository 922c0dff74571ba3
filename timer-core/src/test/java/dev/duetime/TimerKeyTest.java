package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimerKeyTest {

    @Test
    void aKeyWithoutATenantBelongsToTheDefaultTenant() {
        assertThat(TimerKey.of("order-17")).isEqualTo(TimerKey.of("default", "order-17"));
    }

    @Test
    void keysThatDifferInCaseOrTrailingSpaceAreDifferent() {
        assertThat(List.of(TimerKey.of("a"), TimerKey.of("A"), TimerKey.of("a ")))
                .doesNotHaveDuplicates();
    }

    @Test
    void keysAreOrderedByTenantThenTimer() {
        assertThat(List.of(TimerKey.of("b", "a"), TimerKey.of("a", "b"), TimerKey.of("a", "a")).stream()
                        .sorted())
                .containsExactly(TimerKey.of("a", "a"), TimerKey.of("a", "b"), TimerKey.of("b", "a"));
    }

    @Test
    void aPartMayHave255CharactersAndNotMore() {
        assertThat(TimerKey.of("x".repeat(255)).timerId()).hasSize(255);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimerKey.of("x".repeat(256)))
                .withMessageContaining("timerId must be at most 255 characters but was 256")
                .withMessageContaining("'xxxx");
    }

    @Test
    void emptyAndNullPartsAreRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimerKey.of("", "a"))
                .withMessage("tenantId must not be empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimerKey.of("a", ""))
                .withMessage("timerId must not be empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimerKey.of("a", nothing()))
                .withMessage("timerId must not be null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "a\nb", "\u007f", "\u0085", "\ud83d", "\ude00\ud83d"})
    void controlCharactersAndUnpairedSurrogatesAreRefused(String bad) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimerKey.of(bad))
                .withMessageStartingWith("timerId must not contain control characters or unpaired surrogates")
                .withMessageMatching("[\\x20-\\x7e…]*");
    }

    @Test
    void pairedSurrogatesAreTaken() {
        assertThat(TimerKey.of("⏰😀").toString()).isEqualTo("default/⏰😀");
    }

    @SuppressWarnings("NullAway") // a caller without nullness checks
    private static String nothing() {
        return null;
    }
}

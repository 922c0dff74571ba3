package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimerTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final String SECRET = "4111-1111";

    @Test
    void aTimerSaysKeyAndDueTimeAndHasDefaultsForTheRest() {
        TimerContent content = content(Timer.at("a", NOW));

        assertThat(content.dueAt()).isEqualTo(NOW);
        assertThat(content.queue()).isEqualTo("default");
        assertThat(content.type()).isEqualTo("timer");
        assertThat(content.payload().isEmpty()).isTrue();
        assertThat(content.headers()).isEmpty();
        assertThat(content.priority()).isZero();
        assertThat(content.correlationId()).isNull();
        assertThat(content.expiresAt()).isNull();
    }

    @Test
    void aDelayCountsFromTheTimeOfScheduling() {
        assertThat(content(Timer.after("a", Duration.ofMinutes(15))).dueAt()).isEqualTo(NOW.plusSeconds(900));
    }

    @Test
    void aDueTimeIsRoundedUpAndADeadlineDownToMicroseconds() {
        TimerContent content = content(Timer.at("a", NOW.plusNanos(1)).expiresAt(NOW.plusNanos(2_999)));

        assertThat(content.dueAt()).isEqualTo(NOW.plusNanos(1_000));
        assertThat(content.expiresAt()).isEqualTo(NOW.plusNanos(2_000));
    }

    @Test
    void aDueTimeOutsideTheYears1To9999IsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timer.at("a", Instant.MAX))
                .withMessage("dueAt must be between 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999Z but was "
                        + Instant.MAX);
        assertThatIllegalArgumentException().isThrownBy(() -> Timer.at("a", Instant.MIN));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> content(Timer.after("a", Duration.ofDays(3_650_000))))
                .withMessageStartingWith("dueAt must be between");
    }

    @Test
    void aNegativeDelayIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timer.after("a", Duration.ofNanos(-1)))
                .withMessage("delay must be at least PT0S but was PT-0.000000001S");
    }

    @Test
    void aDeadlineBeforeTheDueTimeIsRefusedAndOneAtItIsTaken() {
        assertThat(content(Timer.at("a", NOW).expiresAt(NOW)).expiresAt()).isEqualTo(NOW);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> content(Timer.at("a", NOW).expiresAt(NOW.minusNanos(1_000))))
                .withMessageStartingWith(
                        "expiresAt must not be before dueAt 2030-01-01T00:00:00Z but was 2029-12-31T23:59:59.999999Z");
    }

    @Test
    void aDeadlineAtADueTimeWithNanosecondsIsTaken() {
        Instant due = NOW.plusNanos(1_234);

        TimerContent content = content(Timer.at("a", due).expiresAt(due));

        assertThat(content.dueAt()).isEqualTo(NOW.plusNanos(2_000));
        assertThat(content.expiresAt()).isEqualTo(NOW.plusNanos(2_000));
    }

    @Test
    void aPayloadOverTheLimitIsRefusedWithItsSizeButNotItsContent() {
        Timer timer = Timer.at("a", NOW).payload(SECRET).build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> timer.content(NOW, JacksonCodec.standard(), 10))
                .withMessage("payload must be at most 10 bytes but was 11 (timer default/a)");
        assertThat(timer.content(NOW, JacksonCodec.standard(), 11).payload().size())
                .isEqualTo(11);
    }

    @Test
    void aPayloadThatCannotBeEncodedIsRefusedWithItsTypeButNotItsContent() {
        Timer timer = Timer.at("a", NOW).payload(SECRET).build();

        assertThatExceptionOfType(PayloadException.class)
                .isThrownBy(() -> timer.content(NOW, new QuotingCodec(), 1_000))
                .withMessageContaining("java.lang.String")
                .satisfies(e -> assertThat(e.toString()).doesNotContain(SECRET))
                .withNoCause();
    }

    @Test
    void aPayloadOfBytesIsTakenAsItIs() {
        byte[] bytes = {1, 2, 3};

        assertThat(content(Timer.at("a", NOW).payload(Payload.of(bytes))).payload())
                .isEqualTo(Payload.of(bytes));
    }

    @Test
    void textFormsNeverShowThePayload() {
        Timer timer = Timer.at("a", NOW).payload(SECRET).build();

        assertThat(timer.toString()).doesNotContain(SECRET);
        assertThat(content(timer).toString()).doesNotContain(SECRET).contains("Payload[11 bytes]");
    }

    @Test
    void headersAreLimitedInNumberAndLength() {
        Timer.Builder timer = Timer.at("a", NOW);
        for (int i = 0; i < 64; i++) {
            timer.header("h" + i, "v");
        }
        timer.header("h0", "again");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> timer.header("one-more", "v"))
                .withMessage("number of headers must be between 0 and 64 but was 65");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timer.at("a", NOW).header("h", "v".repeat(4_097)))
                .withMessage("length of header h must be between 0 and 4096 but was 4097");
        assertThatIllegalArgumentException().isThrownBy(() -> Timer.at("a", NOW).header("h", "a\r\nb"));
        assertThatIllegalArgumentException().isThrownBy(() -> Timer.at("a", NOW).header("", "v"));
    }

    @Test
    void aBuilderThatIsUsedOnDoesNotChangeWhatItBuilt() {
        Timer.Builder builder = Timer.at("a", NOW).header("h", "1");
        Timer first = builder.build();
        builder.header("h", "2").queue("other");

        assertThat(first.queue()).isEqualTo("default");
        assertThat(content(first).headers()).containsEntry("h", "1");
    }

    @Test
    void namesAreChecked() {
        Timer.Builder timer = Timer.at("a", NOW);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> timer.queue("q".repeat(65)))
                .withMessageContaining("queue must be at most 64");
        assertThatIllegalArgumentException().isThrownBy(() -> timer.type("")).withMessage("type must not be empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> timer.correlationId("c".repeat(256)))
                .withMessageContaining("correlationId must be at most 255");
    }

    private static TimerContent content(Timer.Builder timer) {
        return content(timer.build());
    }

    private static TimerContent content(Timer timer) {
        return timer.content(NOW, JacksonCodec.standard(), 1_000);
    }

    /** Quotes the content when it fails, as Jackson does. */
    private static final class QuotingCodec implements PayloadCodec {
        @Override
        public byte[] encode(Object payload) {
            throw new IllegalStateException("cannot write " + payload);
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) {
            throw new IllegalStateException("cannot read " + new String(bytes, StandardCharsets.UTF_8));
        }
    }
}

package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.engine.schedule.ContentResolver;
import dev.duetime.engine.settings.ContentRules;
import dev.duetime.engine.settings.Deadlines;
import dev.duetime.internal.Limits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TimerTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final String SECRET = "4111-1111";

    @Test
    void aTimerNeedsOnlyAKeyAndADueTime() {
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
    void aDeadlineBeforeTheDueTimeIsRefused() {
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

    @Nested
    class Validity {
        private static final Duration HOUR = Duration.ofHours(1);
        private static final Duration DAY = Duration.ofDays(1);
        private static final Deadlines DEADLINES = new Deadlines(
                Map.of(), Map.of("typed", Duration.ofSeconds(3)), Map.of("mail", Duration.ofMinutes(2)), DAY);

        private @Nullable Instant expiresAt(Timer.Builder timer) {
            return content(timer.build(), new ContentRules(JacksonCodec.standard(), 1_000, DEADLINES, Set.of()))
                    .expiresAt();
        }

        @Test
        void countsFromTheDueTime() {
            Instant past = NOW.minus(DAY);

            assertThat(expiresAt(Timer.at("a", past).validFor(HOUR))).isEqualTo(past.plus(HOUR));
            assertThat(expiresAt(Timer.after("a", DAY).validFor(HOUR))).isEqualTo(NOW.plus(DAY.plus(HOUR)));
        }

        @Test
        void theNarrowestSettingDecides() {
            Timer.Builder timer = Timer.at("a", NOW);

            assertThat(expiresAt(timer)).isEqualTo(NOW.plus(DAY));
            assertThat(expiresAt(timer.queue("mail"))).isEqualTo(NOW.plusSeconds(120));
            assertThat(expiresAt(timer.type("typed"))).isEqualTo(NOW.plusSeconds(3));
            assertThat(expiresAt(timer.validFor(HOUR))).isEqualTo(NOW.plus(HOUR));
            assertThat(expiresAt(Timer.at("a", NOW).type("typed").expiresAt(NOW.plusSeconds(9))))
                    .isEqualTo(NOW.plusSeconds(9));
        }

        @Test
        void ofOtherTypesAndQueuesDoesNotMatter() {
            assertThat(expiresAt(Timer.at("a", NOW).type("typed2").queue("mail2")))
                    .isEqualTo(NOW.plus(DAY));
            assertThat(content(Timer.at("a", NOW).type("typed").queue("mail")).expiresAt())
                    .isNull();
        }

        @Test
        void isRoundedLikeADeadline() {
            assertThat(expiresAt(Timer.at("a", NOW.plusNanos(1)).validFor(HOUR.plusNanos(1_999))))
                    .isEqualTo(NOW.plus(HOUR).plusNanos(2_000));
        }

        @Test
        void endsWithTheLatestInstantThatCanBeStored() {
            assertThat(expiresAt(Timer.at("a", NOW).validFor(Duration.ofDays(3_650_000))))
                    .isEqualTo(Limits.LATEST);
            assertThat(expiresAt(Timer.at("a", Limits.LATEST).type("typed"))).isEqualTo(Limits.LATEST);
        }

        @Test
        void isRefusedTogetherWithADeadlineInEitherOrder() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Timer.at("a", NOW).expiresAt(NOW).validFor(HOUR))
                    .withMessage("validFor must not be given together with expiresAt but was PT1H beside "
                            + "2030-01-01T00:00:00Z (timer default/a)");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Timer.at("a", NOW).validFor(HOUR).expiresAt(NOW))
                    .withMessageStartingWith("validFor must not be given together with expiresAt");
        }

        @Test
        void outOfRangeIsRefused() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Timer.at("a", NOW).validFor(Duration.ZERO))
                    .withMessage("validFor must be at least PT0.001S but was PT0S");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Timer.at("a", NOW).validFor(Duration.ofDays(3_650_001)))
                    .withMessageStartingWith("validFor must be at most PT87600000H but was");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Scheduler.builder().validFor(Duration.ofSeconds(-1)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Scheduler.builder().queue("q", queue -> queue.validFor(Duration.ZERO)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Scheduler.builder().type("t", type -> type.validFor(Duration.ZERO)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Scheduler.builder().type("", type -> {}))
                    .withMessage("type must not be empty");
        }
    }

    @Test
    void aTooLargePayloadIsRefusedWithoutItsContent() {
        Timer timer = Timer.at("a", NOW).payload(SECRET).build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> content(timer, rules(JacksonCodec.standard(), 10)))
                .withMessage("payload must be at most 10 bytes but was 11 (timer default/a)");
        assertThat(content(timer, rules(JacksonCodec.standard(), 11)).payload().size())
                .isEqualTo(11);
    }

    @Test
    void aPayloadThatCannotBeEncodedIsRefusedWithoutItsContent() {
        Timer timer = Timer.at("a", NOW).payload(SECRET).build();

        assertThatExceptionOfType(PayloadException.class)
                .isThrownBy(() -> content(timer, rules(new QuotingCodec(), 1_000)))
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
    void aReusedBuilderDoesNotChangeItsResult() {
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
        return content(timer, rules(JacksonCodec.standard(), 1_000));
    }

    private static TimerContent content(Timer timer, ContentRules rules) {
        return new ContentResolver(rules).content(timer, NOW, null);
    }

    private static ContentRules rules(PayloadCodec codec, int maxPayloadBytes) {
        return new ContentRules(codec, maxPayloadBytes, Deadlines.NONE, Set.of());
    }

    /** A codec that quotes the content when it fails, as Jackson does. */
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

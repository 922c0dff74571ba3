package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.command.ScheduleTimer;
import dev.duetime.engine.schedule.ContentResolver;
import dev.duetime.engine.settings.ContentRules;
import dev.duetime.engine.settings.Deadlines;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.passage.TimeHasPassed;
import dev.duetime.recurrence.CronRecurrence;
import dev.duetime.recurrence.Holidays;
import dev.duetime.recurrence.Recurrence;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that feed parsers with texts that are almost right. Each parser throws its documented exception and no other,
 * whatever the bytes. The profile {@code fuzz} feeds a million texts of each kind and prints the counts, {@code
 * -Dduetime.seed=7} sets the seed.
 */
class OutsideTextTest {
    private static final int COUNT = Integer.getInteger("duetime.fuzz", 2_500);
    private static final long SEED = Long.getLong("duetime.seed", 20261122L);
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final ContentRules RULES =
            new ContentRules(JacksonCodec.standard(), 900_000, Deadlines.NONE, Set.of());
    /** Longer than any machine needs, unless the parser hangs. */
    private static final Duration STUCK = Duration.ofSeconds(30);

    private static final String EVENT =
            "{\"id\":\"5d0c\",\"event\":\"DueTimeReached\",\"tenantId\":\"acme\",\"timerId\":\"order-17\","
                    + "\"type\":\"payment-timeout\",\"dueAt\":\"2026-11-21T10:15:00Z\",\"reachedAt\":\"2026-11-21T10:15:00.001204Z\","
                    + "\"correlationId\":\"c-1\",\"queue\":\"default\",\"attempt\":1,\"priority\":0,\"headers\":{\"traceparent\":\"00-1\"},";

    private static String calendar(String... event) {
        return "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n" + String.join("\r\n", event)
                + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    }

    /** A parser, what it reads, and what it throws. */
    private enum Kind {
        COMMAND(
                MalformedMessageException.class,
                "{\"tenantId\":\"acme\",\"timerId\":\"order-17\",\"dueAt\":\"2026-11-21T10:15:00Z\",\"correlationId\":\"c-1\",\"payload\":{\"orderId\":17}}",
                "{\"tenantId\":\"a\",\"timerId\":\"b\",\"delay\":\"PT15M\",\"type\":\"t\",\"queue\":\"q\",\"priority\":-3,\"validFor\":\"PT1H\",\"headers\":{\"h\":\"v\"},\"rearm\":true,\"payloadBase64\":\"AAEC\"}",
                "{\"tenantId\":\"a\",\"timerId\":\"b\",\"recurrence\":\"day"
                        + " Europe/Berlin\",\"catchUp\":\"ALL\",\"payload\":[1.50, null]}",
                "{\"tenantId\":\"a\",\"timerId\":\"b\",\"recurrence\":\"cron \\\"*/5 1-3 1,15 * MON-FRI\\\""
                        + " UTC\",\"expiresAt\":null}",
                "{\"tenantId\":\"a\",\"timerId\":\"b\",\"dueAt\":\"2026-11-21T12:15:00+02:00\",\"expiresAt\":\"2027-01-01T00:00:00Z\"}") {
            @Override
            void read(byte[] text) {
                Timer timer = ScheduleTimer.parse(text);
                resolve(timer);
            }
        },
        ENVELOPE(
                MalformedMessageException.class,
                EVENT + "\"payload\":{\"orderId\":17}}",
                EVENT + "\"previous\":\"2026-11-20T10:15:00Z\",\"payloadBase64\":\"AAEC\"}",
                EVENT + "\"payload\": [1 ,\n2] }") {
            @Override
            void read(byte[] text) {
                Envelope envelope = Envelope.fromJson(new String(text, StandardCharsets.UTF_8));
                String json = envelope.toJson();
                assertThat(Envelope.fromJson(json).toJson()).isEqualTo(json);
                DueTimeReached.fromJson(json);
            }
        },
        PASSED(
                MalformedMessageException.class,
                "{\"event\":\"DayHasPassed\",\"now\":\"2026-11-20T23:00:00Z\",\"previous\":\"2026-11-19T23:00:00Z\",\"zone\":\"Europe/Berlin\",\"start\":\"2026-11-19T23:00:00Z\",\"end\":\"2026-11-20T23:00:00Z\",\"date\":\"2026-11-20\"}",
                "{\"event\":\"HourHasPassed\",\"now\":\"2026-11-20T23:00:00Z\",\"zone\":\"UTC\",\"start\":\"2026-11-20T22:00:00Z\",\"end\":\"2026-11-20T23:00:00Z\",\"time\":\"2026-11-20T22:00Z\"}",
                "{\"event\":\"QuarterHasPassed\",\"now\":\"2027-01-01T00:00:00Z\",\"zone\":\"UTC\",\"start\":\"2026-10-01T00:00:00Z\",\"end\":\"2027-01-01T00:00:00Z\",\"year\":2026,\"quarter\":4,\"firstMonth\":\"2026-10\"}",
                "{\"event\":\"YearHasPassed\",\"now\":\"2027-01-01T00:00:00Z\",\"zone\":\"UTC\",\"start\":\"2026-01-01T00:00:00Z\",\"end\":\"2027-01-01T00:00:00Z\",\"year\":2026,\"firstMonth\":\"2026-01\"}",
                "{\"event\":\"WeekHasPassed\",\"now\":\"2026-11-23T00:00:00Z\",\"zone\":\"UTC\",\"start\":\"2026-11-16T00:00:00Z\",\"end\":\"2026-11-23T00:00:00Z\",\"firstDate\":\"2026-11-16\",\"lastDate\":\"2026-11-22\"}",
                "{\"event\":\"IntervalHasPassed\",\"now\":\"2026-11-20T23:00:00Z\",\"zone\":\"UTC\",\"start\":\"2026-11-20T22:50:00Z\",\"end\":\"2026-11-20T23:00:00Z\",\"length\":\"PT10M\"}") {
            @Override
            void read(byte[] text) {
                TimeHasPassed event = TimeHasPassed.fromJson(new String(text, StandardCharsets.UTF_8));
                assertThat(TimeHasPassed.fromJson(event.toJson())).isEqualTo(event);
            }
        },
        RECURRENCE(
                IllegalArgumentException.class,
                "every PT6H anchor=1970-01-01T03:00:00Z catchUp=NONE",
                "day Europe/Berlin",
                "week Europe/Berlin first=SUNDAY catchUp=ALL",
                "quarter America/New_York fiscal=APRIL",
                "cron \"*/5 1-3 1,15 * MON-FRI\" Europe/Berlin",
                "cron \"0 3 * * *\" +02:00 catchUp=ALL") {
            @Override
            void read(byte[] text) {
                Recurrence recurrence = Recurrence.parse(new String(text, StandardCharsets.UTF_8));
                assertThat(Recurrence.parse(recurrence.toString())).isEqualTo(recurrence);
                recurrence.next(NOW);
                recurrence.next(Limits.EARLIEST);
                recurrence.next(Limits.LATEST);
                if (!(recurrence instanceof CronRecurrence)) {
                    recurrence.latest(NOW);
                    recurrence.latest(Limits.LATEST);
                    recurrence.latest(Limits.EARLIEST);
                }
            }
        },
        CALENDAR(
                IllegalArgumentException.class,
                calendar("DTSTART;VALUE=DATE:20261225", "DTEND;VALUE=DATE:20261227", "SUMMARY:Christmas"),
                calendar("DTSTART;VALUE=DATE:20241128", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=9"),
                calendar(
                        "UID:a",
                        "DTSTART;VALUE=DATE:20250501",
                        "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;INTERVAL=2;UNTIL=20271231",
                        "EXDATE;VALUE=DATE:20260531",
                        "RDATE;VALUE=DATE:20260406,20270329",
                        "END:VEVENT",
                        "BEGIN:VEVENT",
                        "UID:a",
                        "RECURRENCE-ID;VALUE=DATE:20250731",
                        "DTSTART;VALUE=DATE:20250801",
                        "DURATION:P2D",
                        "STATUS:CONFIRMED")) {
            @Override
            void read(byte[] text) throws IOException {
                LocalDate date = LocalDate.parse("2026-12-25");
                Holidays.fromIcs(new ByteArrayInputStream(text), date.minusYears(1), date.plusYears(3))
                        .includes(date);
            }
        };

        private final Class<? extends RuntimeException> documented;

        @SuppressWarnings("ImmutableEnumChecker") // a list that is unmodifiable
        private final List<String> seeds;

        Kind(Class<? extends RuntimeException> documented, String... seeds) {
            this.documented = documented;
            this.seeds = List.of(seeds);
        }

        abstract void read(byte[] text) throws IOException;

        boolean isDocumented(RuntimeException e) {
            return documented.isInstance(e)
                    && (documented == MalformedMessageException.class || e instanceof LimitException);
        }
    }

    /** Resolves the timer, as {@code schedule} does. An error of the timer as a whole must name a field, too. */
    private static void resolve(Timer timer) {
        try {
            new ContentResolver(RULES).content(timer, NOW, null);
        } catch (LimitException e) {
            assertThat(e.getMessage()).isNotNull();
        }
    }

    /** A million texts take some minutes for each kind. */
    @ParameterizedTest
    @EnumSource
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void aParserThrowsItsDocumentedExceptionForAnyBytes(Kind kind) {
        Mutations mutations = new Mutations(SEED, kind.seeds);
        TreeMap<String, Integer> outcomes = new TreeMap<>();
        long slowest = 0;
        for (int i = 0; i < COUNT; i++) {
            byte[] text = mutations.next();
            long began = System.nanoTime();
            outcomes.merge(outcome(kind, text, i), 1, Integer::sum);
            slowest = Math.max(slowest, System.nanoTime() - began);
        }
        assertThat(outcomes).as("some are right and some are not").hasSizeGreaterThan(1);
        assertThat(Duration.ofNanos(slowest)).isLessThan(STUCK);
        System.out.printf("%s of seed %d: %s, slowest %d ms%n", kind, SEED, outcomes, slowest / 1_000_000);
    }

    private static String outcome(Kind kind, byte[] text, int number) {
        try {
            kind.read(text);
            return "read";
        } catch (IOException | RuntimeException | StackOverflowError e) {
            String what = "text %d of seed %d, %s".formatted(number, SEED, new String(text, StandardCharsets.UTF_8));
            if (!(e instanceof RuntimeException refusal) || !kind.isDocumented(refusal)) {
                throw new AssertionError(what, e);
            }
            assertThat(refusal.getMessage())
                    .as(what)
                    .isNotBlank()
                    .hasSizeLessThan(2_000)
                    .doesNotContainPattern("\\p{Cc}|\\p{Zl}|\\p{Zp}");
            return refusal.getClass().getSimpleName();
        }
    }

    @Test
    void validJsonOverTheLimitsIsMalformed() {
        String rest = "\"tenantId\":\"a\",\"timerId\":\"b\",\"delay\":\"PT1S\"}";
        for (String odd : List.of(
                "\"payload\":" + "[".repeat(500) + "]".repeat(500),
                "\"payload\":" + "1".repeat(1_001),
                "\"priority\":" + "1".repeat(1_001),
                "\"" + "n".repeat(50_001) + "\":1",
                "\"headers\":" + "[".repeat(500) + "]".repeat(500),
                "\"recurrence\":\"cron \\\"*/5 1-/ 1 1 1\\\" UTC\"")) {
            String command = "{" + odd + "," + (odd.contains("cron") ? rest.replace("delay", "other") : rest);
            assertThat(outcome(Kind.COMMAND, command.getBytes(StandardCharsets.UTF_8), 0))
                    .as(odd.substring(0, 12))
                    .isEqualTo("MalformedMessageException");
        }
    }

    @Test
    void aHeaderNameWithALineBreakForgesNoLine() {
        String command =
                "{\"tenantId\":\"a\",\"timerId\":\"b\",\"delay\":\"PT1S\",\"headers\":{\"h\\nERROR \u2028forged\":1}}";

        assertThat(refusal(command).field()).isEqualTo("headers.h\\u000aERROR \\u2028forged");
        assertThat(refusal(command)).hasMessage("headers.h\\u000aERROR \\u2028forged must be a string");
    }

    private static MalformedMessageException refusal(String command) {
        try {
            ScheduleTimer.parse(command);
            throw new AssertionError("it is read");
        } catch (MalformedMessageException e) {
            return e;
        }
    }
}

package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement.Ended;
import dev.duetime.store.Settlement.Retried;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The rule that content is read as it was stored, to the last byte and microsecond, and that a repeat of it is
 * recognised.
 */
abstract class ContentContract extends ContractPart {
    /** What a database, its driver or JSON may change. */
    private static final String AWKWARD =
            " \"quoted\" 'it''s' \\ \\n / {} <b> : , ? %s $1 caf\u00E9 \u65E5\u672C \uD83D\uDE00 ";

    ContentContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void everyPayloadByteIsKept() {
        byte[] bytes = new byte[1_024];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i % 3 == 0 ? i / 4 : i);
        }

        isKept(timer("a").payload(bytes));
        assertThat(stored("a").content().payload().bytes()).isEqualTo(bytes);
    }

    @Test
    void payloadsThatEndInZeroBytesOrBlanksAreKept() {
        isKept(timer("a").payload(new byte[] {0}));
        isKept(timer("b").payload(new byte[] {0, 0}));
        isKept(timer("c").payload(new byte[] {' ', ' '}));
        isKept(timer("d").payload(AWKWARD));
    }

    @Test
    void aPayloadOfOneMebibyteIsKept() {
        byte[] bytes = new byte[1 << 20];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + i / 251);
        }

        isKept(timer("a").payload(bytes));
    }

    @Test
    void anAbsentPayloadStaysAbsent() {
        isKept(timer("a"));
        assertThat(stored("a").content().payload().isEmpty()).isTrue();
    }

    @Test
    void sixtyFourHeadersAreKept() {
        Map<String, String> headers = new LinkedHashMap<>();
        for (int i = 0; i < 64; i++) {
            headers.put("header-" + i, "value " + i);
        }

        isKept(timer("a").headers(headers));
    }

    @Test
    void headersAreKeptWithAnyCharacters() {
        isKept(timer("a")
                .headers(Map.of("empty", "", "Empty", " ", AWKWARD, AWKWARD, "n".repeat(255), "v".repeat(4_096))));
        isKept(timer("b").headers(Map.of("\u65E5".repeat(255), "\uD83D\uDE00".repeat(2_048))));
    }

    @Test
    void absentHeadersStayAbsent() {
        isKept(timer("a"));
        assertThat(stored("a").content().headers()).isEmpty();
    }

    @Test
    void textsAreKeptWithAnyCharacters() {
        isKept(timer("a")
                .type(AWKWARD)
                .correlationId(AWKWARD)
                .parallelKey(AWKWARD)
                .correlationKey(AWKWARD)
                .recurrence(" PT1H \"x\" "));
    }

    @Test
    void textsAreKeptInFullLength() {
        isKept(timer("a")
                .queue((queue + "\u65E5".repeat(64)).substring(0, 64))
                .type("t".repeat(255))
                .correlationId("\u65E5".repeat(255))
                .parallelKey("p".repeat(255))
                .correlationKey("\uD83D\uDE00".repeat(127)));
    }

    @Test
    void prioritiesAreKept() {
        isKept(timer("lowest").priority(Integer.MIN_VALUE));
        isKept(timer("below").priority(-1));
        isKept(timer("highest").priority(Integer.MAX_VALUE));
    }

    @Test
    void generationsAreKeptFromZeroToTheHighest() {
        for (long generation : new long[] {0, 1L << 53 | 1, (1L << 62) - 1}) {
            NewTimer timer = timer("g" + generation).build(generation);

            assertThat(schedule(timer).generation()).isEqualTo(generation);
            assertThat(schedule(timer("g" + generation)).generation()).isEqualTo(generation);
            assertThat(stored(timer.key())).isEqualTo(accepted(timer));
            assertThat(store().settle(List.of(ended(accepted(timer), TimerState.REACHED))))
                    .isEqualTo(1);
        }
    }

    @Test
    void dueTimesOfAllCenturiesAreKeptAndFireToTheMicrosecond() {
        List<Instant> instants = List.of(
                Instant.parse("0001-01-01T00:00:00Z"),
                Instant.parse("1582-10-10T12:00:00.000001Z"),
                Instant.parse("1900-01-01T00:00:00.999999Z"),
                Instant.parse("1969-12-31T23:59:59.999999Z"),
                Instant.EPOCH,
                Instant.parse("2016-12-31T23:59:59.999999Z"),
                Instant.parse("2026-03-29T02:30:00.5Z"),
                Instant.parse("2026-10-25T01:30:00.000001Z"),
                Instant.parse("2038-01-19T03:14:08.000001Z"),
                Instant.parse("9999-12-31T23:59:59.999999Z"));
        for (int i = 0; i < instants.size(); i++) {
            Instant at = instants.get(i);

            isKept(timer("a" + i).shard(i).dueAt(at).expiresAt(at).registeredAt(at));

            assertThat(dueKeys(at, i)).containsExactly(key("a" + i));
            assertThat(dueKeys(at.minus(TICK), i)).isEmpty();
            assertThat(nextDue(List.of(i))).contains(at);
        }
    }

    @Test
    void eachMicrosecondIsKept() {
        for (int i = 0; i < 20; i++) {
            Instant at = NOW.plus(TICK.multipliedBy(i));

            isKept(timer("a" + i).dueAt(at).expiresAt(at.plus(TICK)).registeredAt(at.minus(TICK)));
        }
        assertThat(dueKeys(NOW.plus(TICK.multipliedBy(9)), 0)).hasSize(10);
    }

    @Test
    void settlementsAreKeptToTheMicrosecondAndCharacter() {
        StoredTimer retried = given(timer("retried"));
        StoredTimer dead = given(timer("dead"));
        Instant first = NOW.plus(TICK);
        Instant last = NOW.plus(Duration.ofDays(400)).plus(TICK);
        Failure awkward = new Failure("java.io.IOException:\n\tat line 2\r\n" + AWKWARD, first, last);
        Failure longest = new Failure("\u65E5".repeat(2_000), first, last);

        store().settle(List.of(
                new Retried(retried.key(), retried.generation(), last, 1_000_000, awkward),
                new Ended(dead.key(), dead.generation(), TimerState.DEAD, last, 12, longest)));

        assertThat(stored("retried").wakeAt()).isEqualTo(last);
        assertThat(stored("retried").attempt()).isEqualTo(1_000_000);
        assertThat(stored("retried").failure()).isEqualTo(awkward);
        assertThat(stored("dead").settledAt()).isEqualTo(last);
        assertThat(stored("dead").failure()).isEqualTo(longest);
    }

    private void isKept(TimerDraft draft) {
        NewTimer timer = draft.build();

        schedule(timer);

        StoredTimer stored = stored(timer.key());
        assertThat(stored).isEqualTo(accepted(timer));
        assertThat(schedule(draft.build()).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        assertThat(stored(timer.key())).isEqualTo(stored);
    }
}

package dev.duetime.engine.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExclusionWindowsTest {
    private static final Set<Integer> SHARDS = Set.of(1);
    private static final Instant OLDEST = Instant.EPOCH;
    private static final Instant NOW = OLDEST.plus(Duration.ofHours(1));
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final long STEADY = Duration.ofMillis(50).toNanos();
    private static final long SLOW = Duration.ofMillis(200).toNanos();
    private static final DueTimers NOTHING = new DueTimers(List.of(), false);
    private static final Exclusion LIMITED = leavesOut("limited");

    /** More reads than parts. */
    private static final int MANY = 100;

    private final ExclusionWindows windows = new ExclusionWindows(POLL, shards -> OLDEST);
    private long nanos;

    /** A range. */
    private record Range(Instant from, Instant to) {}

    private static Exclusion leavesOut(String... types) {
        return new Exclusion(Set.of(), Set.of(types), Set.of(), Integer.MAX_VALUE);
    }

    private Range begin(Exclusion but, Instant now) {
        windows.beginRead();
        boolean goesOn = windows.mayGoOn(SHARDS, now, nanos) && windows.goOn(but, nanos);
        Instant from = goesOn ? windows.furthest() : windows.from(SHARDS, but, nanos);
        return new Range(from, windows.to(from, now));
    }

    private void fail(Exclusion but) {
        begin(but, NOW);
        windows.failed(SLOW);
        windows.recover();
    }

    private Range read(Exclusion but, Instant now) {
        Range range = begin(but, now);
        DueTimers read = windows.succeeded(NOTHING, STEADY);
        nanos += STEADY;
        windows.done(but, range.from(), range.to(), read, nanos, STEADY);
        return range;
    }

    private List<Range> readMany(Exclusion but) {
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            ranges.add(read(but, NOW));
        }
        return ranges;
    }

    @Test
    void aRangeThatFailedIsReadInPartsUpToThePresent() {
        fail(LIMITED);
        List<Range> ranges = readMany(LIMITED);

        assertThat(ranges.get(0).from()).isEqualTo(Instant.MIN);
        assertThat(ranges.get(0).to()).isBefore(NOW);
        for (int i = 1; i < MANY; i++) {
            assertThat(ranges.get(i).from()).isEqualTo(ranges.get(i - 1).to());
        }
        assertThat(ranges.get(MANY - 1).to()).isEqualTo(NOW);
    }

    @Test
    void aPartThatFailsIsRepeatedWhereItBegan() {
        fail(LIMITED);
        Range first = read(LIMITED, NOW);
        fail(LIMITED);
        Range again = read(LIMITED, NOW);

        assertThat(again.from()).isEqualTo(first.to());
        assertThat(Duration.between(again.from(), again.to())).isLessThan(Duration.between(OLDEST, first.to()));
    }

    @Test
    void readsComeToThePresentThoughWhatIsLeftOutChanges() {
        fail(LIMITED);
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            ranges.add(read(leavesOut("limited", "another" + i), NOW));
        }
        assertThat(ranges).anyMatch(each -> each.to().equals(NOW));
        assertThat(ranges.stream().filter(each -> each.from().equals(Instant.MIN)))
                .as("for what was left out before")
                .hasSizeGreaterThan(MANY / 3);
    }

    @Test
    void whatBecomesDueIsReadWhileTheRangeIsReadAgain() {
        fail(LIMITED);
        readMany(LIMITED);
        nanos += Duration.ofSeconds(30).toNanos();
        Instant later = NOW.plusSeconds(1);

        List<Range> ranges = List.of(read(LIMITED, later), read(LIMITED, later));
        assertThat(ranges).anyMatch(each -> each.from().equals(Instant.MIN));
        assertThat(ranges).contains(new Range(NOW.minusSeconds(1), later));
    }

    /** Reads of the present alternate with those of older parts, and succeed. */
    @Test
    void aPartThatFailsInALaterRoundIsShorter() {
        fail(LIMITED);
        readMany(LIMITED);
        nanos += Duration.ofSeconds(30).toNanos();
        List<Range> failed = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Range range = begin(LIMITED, NOW);
            if (range.from().equals(Instant.MIN)) {
                failed.add(range);
                windows.failed(SLOW);
                windows.recover();
            } else {
                windows.done(LIMITED, range.from(), range.to(), windows.succeeded(NOTHING, STEADY), nanos, STEADY);
            }
        }
        assertThat(failed.get(5).to()).isBefore(failed.get(0).to());
    }

    /** Makes reads, of which those fail that contain one of these instants. Returns how many came to the present. */
    private int reachedBeside(int reads, Instant... tooMuch) {
        int reached = 0;
        Instant before = OLDEST.minusSeconds(1);
        for (int i = 0; i < reads; i++) {
            Range range = begin(LIMITED, NOW);
            Instant from = range.from().isBefore(before) ? before : range.from();
            if (Stream.of(tooMuch).anyMatch(each -> !each.isBefore(from) && !each.isAfter(range.to()))) {
                nanos += SLOW;
                windows.failed(SLOW);
                windows.recover();
            } else {
                nanos += STEADY;
                reached += range.to().equals(NOW) ? 1 : 0;
                windows.done(LIMITED, range.from(), range.to(), windows.succeeded(NOTHING, STEADY), nanos, STEADY);
            }
        }
        return reached;
    }

    @Test
    void anInstantThatIsTooMuchStopsNoOther() {
        int reads = MANY * MANY;
        assertThat(reachedBeside(reads, OLDEST.plusSeconds(1))).isGreaterThan(reads / 2);
        assertThat(reachedBeside(reads, OLDEST.plusSeconds(1))).isGreaterThan(reads / 2);
    }

    @Test
    void neitherDoTheOldestInstantAndAnother() {
        int reads = MANY * MANY;
        assertThat(reachedBeside(reads, OLDEST, OLDEST.plusSeconds(2))).isGreaterThan(reads / 2);
        assertThat(reachedBeside(reads, OLDEST, OLDEST.plusSeconds(2))).isGreaterThan(reads / 2);
    }

    @Test
    void anOutagePassesOverLittle() {
        fail(LIMITED);
        Range first = read(LIMITED, NOW);
        for (int i = 0; i < MANY; i++) {
            fail(LIMITED);
        }
        assertThat(begin(LIMITED, NOW).from()).isBefore(first.to().plusSeconds(1));
    }

    @Test
    void whatReadsHavePassedOverIsReadAgainThoughWhatIsLeftOutChanges() {
        fail(LIMITED);
        Set<Instant> begun = new HashSet<>();
        int rounds = 0;
        for (int i = 0; i < MANY * MANY; i++) {
            Range range = read(leavesOut("limited", "another" + i), NOW);
            if (!range.from().equals(Instant.MIN) && !begun.add(range.from())) {
                begun.clear();
                rounds++;
            }
        }
        assertThat(rounds).isGreaterThan(2);
    }

    @Test
    void partsAreForgottenIfNothingIsLeftOutForLong() {
        fail(LIMITED);
        read(LIMITED, NOW);
        assertThat(windows.areInParts(nanos)).isTrue();
        nanos += Duration.ofMinutes(2).toNanos();

        assertThat(windows.areInParts(nanos)).isFalse();
        assertThat(begin(LIMITED, NOW).to()).isEqualTo(NOW);
    }

    @Test
    void aReadThatIsThrownAwayIsRepeated() {
        fail(LIMITED);
        Range first = begin(LIMITED, NOW);
        windows.succeeded(NOTHING, STEADY);
        windows.discard();
        windows.done(LIMITED, first.from(), first.to(), new DueTimers(List.of(), true), nanos, STEADY);

        assertThat(begin(LIMITED, NOW).from()).isEqualTo(first.from());
    }

    @Test
    void aTurnThatBreaksOffWithWhatItHasReadBeginsAnew() {
        fail(LIMITED);
        read(LIMITED, NOW);
        Range second = begin(LIMITED, NOW);
        windows.succeeded(NOTHING, STEADY);
        windows.recover();

        assertThat(second.from()).isNotEqualTo(Instant.MIN);
        assertThat(begin(LIMITED, NOW).from()).isEqualTo(Instant.MIN);
    }

    @Test
    void aTurnThatBreaksOffAfterAFailedReadBeginsAnew() {
        fail(LIMITED);
        read(LIMITED, NOW);
        fail(LIMITED);
        windows.recover();

        assertThat(begin(LIMITED, NOW).from()).isEqualTo(Instant.MIN);
    }

    /** Many full parts make the parts as long as the whole range. */
    @Test
    void theFirstReadThatIsTooLongIsRepeatedWhereItBegan() {
        Range first = read(LIMITED, NOW);
        Instant later = NOW.plus(Duration.ofHours(1));
        Range second = begin(LIMITED, later);
        windows.failed(SLOW);
        windows.recover();
        Range third = begin(LIMITED, later);

        assertThat(second).isEqualTo(new Range(first.to(), later));
        assertThat(third.from()).isEqualTo(second.from());
        assertThat(third.to()).isBefore(later);
    }

    @Test
    void theQuestionForTheOldestTimerBeginsOnlyAWholeReadAnew() {
        read(LIMITED, NOW);
        windows.oldestIs(OLDEST);
        assertThat(begin(LIMITED, NOW).from()).isEqualTo(OLDEST);

        fail(LIMITED);
        Range first = read(LIMITED, NOW);
        windows.oldestIs(OLDEST);
        assertThat(begin(LIMITED, NOW).from()).isEqualTo(first.to());
    }
}

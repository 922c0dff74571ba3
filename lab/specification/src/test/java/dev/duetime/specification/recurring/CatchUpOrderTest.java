package dev.duetime.specification.recurring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the order and the number of missed occurrences that are delivered. */
class CatchUpOrderTest extends CatchUpKit {
    @Test
    void ofMoreThanAThousandMissedOccurrencesTheMostRecentThousandCome() {
        schedule("a", Recurrence.every(Duration.ofSeconds(1)).catchUp(CatchUp.ALL));

        down(Duration.ofSeconds(5_000));

        assertThat(dueTimes("a"))
                .containsExactlyElementsOf(LongStream.rangeClosed(4_001, 5_000)
                        .mapToObj(START::plusSeconds)
                        .toList());
        assertThat(listener.skipped).hasSize(1);
    }

    @Test
    void aThousandMissedOccurrencesAllCome() {
        schedule("a", Recurrence.every(Duration.ofSeconds(1)).catchUp(CatchUp.ALL));

        down(Duration.ofSeconds(1_000));

        assertThat(dueTimes("a"))
                .hasSize(1_000)
                .startsWith(START.plusSeconds(1))
                .isSorted();
        assertThat(listener.skipped).isEmpty();
    }

    @Test
    void timersOfOneParallelKeyCatchUpInTheOrderOfTime() {
        Recurrence minutes = Recurrence.every(Duration.ofMinutes(1)).catchUp(CatchUp.ALL);
        Recurrence fives = Recurrence.every(Duration.ofMinutes(5)).catchUp(CatchUp.ALL);
        // The timers of five minutes were scheduled first. But the key decides about the order, not the time of
        // scheduling.
        together("2-five", fives);
        kit.advance(Duration.ofSeconds(1));
        together("1-one", minutes);

        down(Duration.ofMinutes(11));

        assertThat(kit.delivered())
                .extracting(each -> each.key().timerId() + " "
                        + Duration.between(START, each.event().dueAt()).toMinutes())
                .containsExactly(
                        "1-one 1",
                        "1-one 2",
                        "1-one 3",
                        "1-one 4",
                        "1-one 5",
                        "2-five 5",
                        "1-one 6",
                        "1-one 7",
                        "1-one 8",
                        "1-one 9",
                        "1-one 10",
                        "2-five 10",
                        "1-one 11");
    }

    @Test
    void timersOfAParallelKeyCatchUpTheLatestInOrder() {
        together("2-five", Recurrence.every(Duration.ofMinutes(5)));
        together("1-one", Recurrence.every(Duration.ofMinutes(1)));
        together("3-hour", Recurrence.every(Duration.ofHours(1)));

        down(Duration.ofMinutes(65));

        assertThat(kit.delivered())
                .extracting(each -> each.key().timerId() + " "
                        + Duration.between(START, each.event().dueAt()).toMinutes())
                .containsExactly("3-hour 60", "1-one 65", "2-five 65");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7})
    void aSmallBatchSizeCatchesUpToo(int batchSize) {
        try (TimerKit small = TimerKit.builder()
                .configure(scheduler -> scheduler.batchSize(batchSize))
                .build()) {
            for (int i = 0; i < 20; i++) {
                small.scheduler()
                        .schedule(Timer.recurring("t" + i, EVERY_TEN.catchUp(CatchUp.ALL))
                                .build());
            }
            small.node(0).close();
            small.advance(Duration.ofMinutes(35));
            small.node(0).restart();
            small.runDue();
            assertThat(small.delivered()).hasSize(60);
            for (int i = 0; i < 20; i++) {
                assertThat(small.delivered("t" + i))
                        .extracting(each -> each.event().dueAt())
                        .containsExactly(minute(10), minute(20), minute(30));
            }
        }
    }
}

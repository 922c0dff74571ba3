package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.specification.HeldRows;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The rule that a timer which was delivered does not end as expired, however long its outcome waits for its row. */
class ExpiredBesideHeldTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int EXPIRED = 2_000;

    private final Logger log = (Logger) LoggerFactory.getLogger("dev.duetime.engine.report.TimerLog");
    private final @Nullable Level levelBefore = log.getLevel();
    private final HeldRows store = new HeldRows(key -> key.timerId().equals("held"));
    private final TimerKit kit = TimerKit.builder()
            .store(store)
            .configure(scheduler -> scheduler.shards(1))
            .build();

    /** Such a backlog is ended without being read. */
    @BeforeEach
    void logNoLineOfEach() {
        log.setLevel(Level.INFO);
    }

    @AfterEach
    void logAsBefore() {
        log.setLevel(levelBefore);
    }

    @Test
    void aBacklogOfExpiredTimersIsEndedWithoutIt() {
        schedule("held", SECOND);
        kit.advance(SECOND.multipliedBy(2));
        kit.scheduler().admin().pause("default");
        kit.advance(SECOND.multipliedBy(10));
        IntStream.range(0, EXPIRED).forEach(i -> schedule("t" + i, SECOND));
        kit.advance(Duration.ofMinutes(1));
        kit.scheduler().admin().resume("default");
        kit.advance(SECOND.multipliedBy(30));
        store.letGo();
        kit.advance(Duration.ofMinutes(1));

        assertThat(state("held")).isEqualTo(TimerState.REACHED);
        assertThat(IntStream.range(0, EXPIRED).mapToObj(i -> state("t" + i))).allMatch(TimerState.EXPIRED::equals);
    }

    private void schedule(String id, Duration delay) {
        kit.scheduler()
                .schedule(Timer.at(TimerKey.of(id), kit.now().plus(delay))
                        .validFor(SECOND.multipliedBy(10))
                        .build());
    }

    private TimerState state(String id) {
        return kit.scheduler().find(TimerKey.of(id)).map(StoredTimer::state).orElseThrow();
    }
}

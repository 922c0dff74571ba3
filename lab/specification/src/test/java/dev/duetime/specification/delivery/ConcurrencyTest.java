package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of a queue whose publisher is called several times at once. */
class ConcurrencyTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration EACH = Duration.ofMillis(20);

    private final Map<String, Instant> publishedAt = new LinkedHashMap<>();
    private final List<String> repeated = new ArrayList<>();
    private final Set<String> runningKeys = new HashSet<>();
    private int running;
    private int mostRunning;
    private int calls;
    private Duration each = EACH;
    private Predicate<Envelope> slow = envelope -> false;
    private Predicate<Envelope> poison = envelope -> false;
    private final TimerKit kit = kit(4, 1);

    private TimerKit kit(int concurrency, int nodes) {
        return TimerKit.builder()
                .nodes(nodes)
                .configure(scheduler -> scheduler
                        .batchSize(10)
                        .shards(8)
                        .concurrency(concurrency)
                        .publisher(this::publish))
                .build();
    }

    private void publish(List<Envelope> batch) {
        calls++;
        running++;
        mostRunning = Math.max(mostRunning, running);
        List<String> keys = batch.stream()
                .map(envelope -> envelope.headers().get("key"))
                .filter(key -> key != null)
                .distinct()
                .toList();
        keys.forEach(key -> assertThat(runningKeys.add(key)).as(key).isTrue());
        try {
            boolean isSlow = batch.stream().anyMatch(slow);
            kit.clock().linger(isSlow ? Duration.ofSeconds(10) : each.multipliedBy(batch.size()));
            if (batch.stream().anyMatch(poison)) {
                throw new IllegalStateException("poison");
            }
            for (Envelope envelope : batch) {
                String id = envelope.key().timerId();
                if (publishedAt.putIfAbsent(id, kit.now()) != null) {
                    repeated.add(id);
                }
            }
        } finally {
            keys.forEach(runningKeys::remove);
            running--;
        }
    }

    private List<Timer> timers(String prefix, int count, Duration delay) {
        return IntStream.range(0, count)
                .mapToObj(i -> Timer.after(prefix + i, delay).build())
                .toList();
    }

    private StoredTimer stored(String id) {
        return kit.store().find(TimerKey.of(id)).orElseThrow();
    }

    @Test
    void whatIsDueIsDividedAmongTheCalls() {
        kit.scheduler().scheduleAll(timers("t", 20, SECOND));
        kit.advance(SECOND.plusMillis(100));

        assertThat(publishedAt).hasSize(20);
        assertThat(mostRunning).isEqualTo(4);
        assertThat(calls).isEqualTo(4);
        assertThat(repeated).isEmpty();
    }

    @Test
    void aBacklogIsCarriedByAllCalls() {
        kit.scheduler().scheduleAll(timers("t", 400, SECOND));
        kit.advance(SECOND.plus(Duration.ofSeconds(3)));

        assertThat(publishedAt).hasSize(400);
        assertThat(mostRunning).isEqualTo(4);
        assertThat(repeated).isEmpty();
        assertThat(stored("t399").state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void oneCallAtATimeIsTheDefault() {
        TimerKit one = kit(1, 1);
        one.scheduler().scheduleAll(timers("t", 20, SECOND));
        one.advance(Duration.ofSeconds(5));

        assertThat(mostRunning).isEqualTo(1);
        assertThat(publishedAt).hasSize(20);
    }

    @Test
    void aSlowCallHoldsUpNoOtherTimer() {
        slow = envelope -> envelope.key().timerId().equals("slow");
        kit.scheduler().schedule(Timer.after("slow", SECOND).build());
        kit.scheduler().schedule(Timer.after("later", SECOND.multipliedBy(3)).build());
        Instant due = kit.now().plus(SECOND.multipliedBy(3));
        Instant end = kit.now().plus(SECOND.multipliedBy(11));
        kit.scheduler().schedule(Timer.after("last", SECOND.multipliedBy(5)).build());
        kit.advance(Duration.ofSeconds(20));

        assertThat(publishedAt.get("later")).isEqualTo(due.plus(EACH));
        assertThat(publishedAt.get("slow")).isEqualTo(end);
        assertThat(stored("later").settledAt()).isBefore(end);
        assertThat(stored("slow").state()).isEqualTo(TimerState.REACHED);
        assertThat(repeated).isEmpty();
    }

    @Test
    void twoCallsNeverHoldOneParallelKeyAndItsOrderStays() {
        for (int i = 0; i < 120; i++) {
            String key = "k" + i % 3;
            kit.scheduler()
                    .schedule(Timer.after("t" + i, SECOND.plusMillis(i))
                            .parallelKey(key)
                            .header("key", key)
                            .build());
        }
        kit.scheduler().scheduleAll(timers("free", 20, SECOND));
        kit.advance(Duration.ofSeconds(30));

        assertThat(publishedAt).hasSize(140);
        assertThat(repeated).isEmpty();
        for (int key = 0; key < 3; key++) {
            int mine = key;
            assertThat(publishedAt.keySet().stream()
                            .filter(id -> id.startsWith("t"))
                            .map(id -> Integer.parseInt(id.substring(1)))
                            .filter(i -> i % 3 == mine))
                    .isSorted();
        }
    }

    @Test
    void poisonIsFoundAndSpendsAnAttemptAndTheOthersSpendNone() {
        poison = envelope -> envelope.key().timerId().equals("t7");
        kit.scheduler().scheduleAll(timers("t", 40, SECOND));
        kit.advance(Duration.ofSeconds(10));

        assertThat(publishedAt).hasSize(39);
        assertThat(stored("t7").attempt()).isPositive();
        assertThat(stored("t8").attempt()).isEqualTo(1);
        poison = envelope -> false;
        kit.advance(Duration.ofMinutes(2));
        assertThat(publishedAt).hasSize(40);
        assertThat(mostRunning).isEqualTo(4);
    }

    @Test
    void anOutageSpendsNoAttempt() {
        poison = envelope -> true;
        kit.scheduler().scheduleAll(timers("t", 40, SECOND));
        kit.advance(Duration.ofSeconds(30));
        assertThat(stored("t5").attempt()).isZero();
        assertThat(kit.scheduler().admin().health().isHealthy(Duration.ofSeconds(10)))
                .isFalse();

        poison = envelope -> false;
        kit.advance(Duration.ofSeconds(5));

        assertThat(publishedAt).hasSize(40);
        assertThat(stored("t5").attempt()).isEqualTo(1);
    }

    @Test
    void noCallBeginsOnAPausedQueue() {
        kit.scheduler().admin().pause("default");
        kit.scheduler().scheduleAll(timers("t", 20, SECOND));
        kit.advance(Duration.ofSeconds(10));
        assertThat(calls).isZero();

        kit.scheduler().admin().resume("default");
        kit.advance(SECOND);
        assertThat(publishedAt).hasSize(20);
    }

    @Test
    void aTimerThatExpiresBeforeItsCallIsNotPublished() {
        each = Duration.ofSeconds(1);
        Instant due = kit.now().plus(SECOND);
        for (int i = 0; i < 60; i++) {
            kit.scheduler()
                    .schedule(
                            Timer.at("t" + i, due).expiresAt(due.plusSeconds(5)).build());
        }
        kit.advance(Duration.ofMinutes(2));

        assertThat(publishedAt).hasSize(40);
        assertThat(IntStream.range(0, 60).filter(i -> stored("t" + i).state() == TimerState.EXPIRED))
                .hasSize(20);
    }

    @Test
    void closeWaitsForRunningCallsAndSettlesThem() {
        slow = envelope -> envelope.key().timerId().equals("t3");
        kit.scheduler().scheduleAll(timers("t", 4, SECOND));
        kit.advance(SECOND.multipliedBy(3));
        kit.scheduler().close();

        assertThat(publishedAt).hasSize(4);
        assertThat(stored("t3").state()).isEqualTo(TimerState.REACHED);
        assertThat(stored("t0").state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void aRescheduleDuringACallWins() {
        slow = envelope -> envelope.key().timerId().equals("slow") && publishedAt.size() == 0;
        kit.scheduler().schedule(Timer.after("slow", SECOND).build());
        kit.scheduler().schedule(Timer.after("mover", SECOND.multipliedBy(2)).build());
        poison = envelope -> {
            if (envelope.key().timerId().equals("mover") && !publishedAt.containsKey("mover")) {
                kit.scheduler()
                        .schedule(Timer.after("slow", Duration.ofMinutes(1)).build());
            }
            return false;
        };
        kit.advance(Duration.ofMinutes(3));

        assertThat(repeated).containsExactly("slow");
        assertThat(stored("slow").state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void theRangeIsChecked() {
        assertThatThrownBy(() -> Scheduler.builder().concurrency(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("concurrency must be between 1 and 1000 but was 0");
    }
}

package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that the search for a poison envelope respects deadlines and the order of a key, as every delivery does. */
class PoisonSearchTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<Envelope> delivered = new ArrayList<>();
    private final List<Instant> deliveredAt = new ArrayList<>();
    private String refused = "bad";
    private Duration call = Duration.ofMillis(100);
    private @Nullable TimerKit kit;

    private TimerKit kit() {
        TimerKit built = TimerKit.builder()
                .configure(scheduler -> scheduler
                        .publisher(this::publish)
                        .retry(RetryPolicy.exponential(SECOND.multipliedBy(10), SECOND.multipliedBy(60))))
                .build();
        kit = built;
        return built;
    }

    private void publish(List<Envelope> batch) throws IOException {
        TimerKit running = Objects.requireNonNull(kit);
        boolean bad = batch.stream().anyMatch(each -> each.key().timerId().startsWith(refused));
        Instant began = running.now();
        running.clock().linger(call);
        if (bad) {
            throw new IOException("refused");
        }
        batch.forEach(each -> {
            delivered.add(each);
            deliveredAt.add(began);
        });
    }

    @Test
    void publishesNothingThatHasExpiredMeanwhile() {
        TimerKit running = kit();
        Instant dueAt = running.now().plus(SECOND);
        running.scheduler()
                .scheduleAll(IntStream.range(0, 64)
                        .mapToObj(i -> Timer.at(i % 8 == 3 ? "bad-" + i : "t-" + i, dueAt.plusNanos(1_000L * i))
                                .validFor(Duration.ofMillis(700))
                                .build())
                        .toList());
        running.advance(Duration.ofMinutes(1));

        for (int i = 0; i < delivered.size(); i++) {
            Instant expiresAt = delivered.get(i).event().dueAt().plusMillis(700);
            assertThat(deliveredAt.get(i)).as(delivered.get(i).key().toString()).isBeforeOrEqualTo(expiresAt);
        }
        assertThat(running.store().find(TimerKey.of("t-63")).orElseThrow().state())
                .isEqualTo(TimerState.EXPIRED);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 9, 19})
    void deliversTheTimersOfAParallelKeyInTheirOrder(int bad) {
        call = Duration.ZERO;
        TimerKit running = kit();
        Instant dueAt = running.now().plus(SECOND);
        running.scheduler()
                .scheduleAll(IntStream.range(0, 20)
                        .mapToObj(i -> Timer.at((i == bad ? "bad-" : "t-") + i, dueAt.plusNanos(1_000L * i))
                                .parallelKey("account-17")
                                .build())
                        .toList());
        running.node(0).pause();
        running.advance(SECOND.multipliedBy(2));
        running.node(0).resume();
        running.advance(SECOND.multipliedBy(5));

        assertThat(delivered)
                .hasSize(19)
                .extracting(each -> each.event().dueAt())
                .isSorted();
    }

    @Test
    void deliversTimersOfAParallelKeyInOrderAcrossTypes() {
        call = Duration.ofMillis(20);
        TimerKit running = kit();
        Instant dueAt = running.now().plus(SECOND);
        running.scheduler()
                .scheduleAll(IntStream.range(0, 60)
                        .mapToObj(i -> Timer.at((i % 7 == 3 ? "bad-" : "t-") + i, dueAt.plusNanos(1_000L * i))
                                .type("type-" + (i % 3))
                                .parallelKey("account-" + (i % 2))
                                .build())
                        .toList());
        running.node(0).pause();
        running.advance(SECOND.multipliedBy(2));
        running.node(0).resume();
        running.advance(SECOND.multipliedBy(8));

        for (int key = 0; key < 2; key++) {
            int remainder = key;
            assertThat(delivered)
                    .filteredOn(each -> number(each) % 2 == remainder)
                    .hasSizeGreaterThan(20)
                    .extracting(PoisonSearchTest::number)
                    .isSorted();
        }
    }

    @Test
    void deliversARetryOnceThatTheSearchHasTried() {
        call = Duration.ZERO;
        TimerKit running = kit();
        Instant dueAt = running.now().plus(SECOND);
        refused = "retried";
        running.scheduler()
                .scheduleAll(List.of(
                        Timer.at("good", dueAt).build(),
                        Timer.at("retried", dueAt).build()));
        running.advance(SECOND.multipliedBy(2));
        refused = "bad";
        Instant retryAt = Objects.requireNonNull(
                running.store().find(TimerKey.of("retried")).orElseThrow().wakeAt());
        running.scheduler().schedule(Timer.at("bad-1", retryAt).type("other").build());
        running.advance(Duration.between(running.now(), retryAt));

        assertThat(delivered).extracting(each -> each.key().timerId()).containsExactly("good", "retried");
    }

    private static int number(Envelope envelope) {
        String id = envelope.key().timerId();
        return Integer.parseInt(id.substring(id.indexOf('-') + 1));
    }
}

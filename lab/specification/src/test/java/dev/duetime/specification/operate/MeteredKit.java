package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerExpiredException;
import dev.duetime.TimerKey;
import dev.duetime.listener.ListSweep;
import dev.duetime.metrics.TimerMetrics;
import dev.duetime.testkit.TimerKit;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** Kits whose meters are registered, and a run in which each event happens once. */
abstract class MeteredKit {
    static final Duration SECOND = Duration.ofSeconds(1);

    static TimerKit kit(MeterRegistry registry, int nodes) {
        return TimerKit.builder()
                .nodes(nodes)
                .configure(scheduler -> scheduler
                        .listener(new TimerMetrics(registry))
                        .retry(RetryPolicy.exponential(SECOND, SECOND).maxAttempts(2)))
                .build();
    }

    static Timer.Builder payment(String id, Duration delay) {
        return Timer.after(id, delay).type("payment-timeout");
    }

    /** Lets each event happen once, as the operations page shows it. */
    static void run(TimerKit kit) {
        kit.publisher().failOn(envelope -> envelope.key().timerId().equals("poison"));
        Timer repeated = Timer.at("repeated", kit.now().plus(SECOND))
                .type("payment-timeout")
                .build();
        for (int i = 0; i < 100; i++) {
            kit.scheduler().schedule(payment("order-" + i, SECOND.plusMillis(i)).build());
        }
        kit.scheduler().schedule(repeated);
        kit.scheduler().schedule(repeated);
        kit.scheduler().schedule(payment("moved", SECOND).build());
        kit.scheduler().schedule(payment("moved", Duration.ofHours(1)).build());
        kit.scheduler().schedule(payment("poison", SECOND).build());
        kit.scheduler()
                .schedule(payment("late", SECOND)
                        .expiresAt(kit.now().plusSeconds(2))
                        .build());
        Timer tooLate = Timer.at("too late", kit.now().minusSeconds(9))
                .type("payment-timeout")
                .expiresAt(kit.now().minusSeconds(8))
                .build();
        assertThatExceptionOfType(TimerExpiredException.class)
                .isThrownBy(() -> kit.scheduler().schedule(tooLate));
        kit.scheduler().schedule(payment("cancelled", SECOND).build());
        kit.scheduler().cancel(TimerKey.of("cancelled"));
        kit.scheduler().cancel(TimerKey.of("unknown"));
        StoredTimer todo = kit.store().find(TimerKey.of("moved")).orElseThrow();
        kit.scheduler().listener().advanced(todo, todo);
        kit.scheduler().listener().tookTooLong(todo, SECOND);
        kit.scheduler().listener().sweptTodos(new ListSweep("unpaid-orders", kit.now(), 2, 1, 1, 0));
        kit.node(0).pause();
        kit.advance(SECOND.multipliedBy(4));
        kit.node(0).resume();
        kit.advance(Duration.ofMinutes(1));
        kit.scheduler().schedule(payment("healthy", SECOND).build());
        kit.advance(Duration.ofMinutes(1));
        kit.node(0).storeDown();
        kit.advance(SECOND.multipliedBy(5));
        kit.node(0).storeUp();
        kit.advance(Duration.ofMinutes(1));
    }
}

package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule that each of several tenants with a backlog gets its turns, wherever its timers lie in the backlog. */
class SeveralBacklogsTest {
    private static final int BATCH = 10;
    private static final int EACH = 1_500;
    private static final Duration A_CALL = Duration.ofMillis(20);
    private static final List<String> TENANTS = List.of("a", "b", "c");

    private final List<String> published = new ArrayList<>();
    private TimerKit kit = TimerKit.create();

    @AfterEach
    void close() {
        kit.close();
    }

    private void open(int concurrency) {
        kit.close();
        kit = TimerKit.builder()
                .configure(scheduler -> scheduler
                        .batchSize(BATCH)
                        .shards(4)
                        .concurrency(concurrency)
                        .publisher(this::publish))
                .build();
    }

    private void publish(List<Envelope> batch) {
        kit.clock().linger(A_CALL);
        batch.forEach(each -> published.add(each.key().tenantId()));
    }

    /** Schedules the backlogs of all tenants, one behind the other, or all due at one instant. */
    private void backlogs(boolean atOneInstant) {
        Instant first = kit.now().minus(Duration.ofHours(1));
        for (int tenant = 0; tenant < TENANTS.size(); tenant++) {
            int from = tenant * EACH;
            String name = TENANTS.get(tenant);
            kit.scheduler()
                    .scheduleAll(IntStream.range(0, EACH)
                            .mapToObj(i -> Timer.at(
                                            TimerKey.of(name, "t" + i),
                                            atOneInstant ? first : first.plusMillis(from + i))
                                    .build())
                            .toList());
        }
    }

    /** The first reads find only the timers of the first tenant. */
    @ParameterizedTest(name = "{0} calls at once, all due at one instant: {1}")
    @CsvSource({"1, false", "1, true", "2, false", "2, true", "4, false", "4, true", "8, false", "8, true"})
    void eachTenantGetsItsTurns(int concurrency, boolean atOneInstant) {
        open(concurrency);
        backlogs(atOneInstant);
        while (published.size() < EACH) {
            kit.advance(A_CALL);
        }

        assertThat(TENANTS)
                .allSatisfy(tenant ->
                        assertThat(published.stream().filter(tenant::equals)).hasSizeGreaterThan(EACH / 6));
    }
}

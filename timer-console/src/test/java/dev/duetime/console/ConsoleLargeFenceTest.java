package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.admin.DeadGroups;
import dev.duetime.admin.DeadGroups.DeadGroup;
import dev.duetime.admin.RecurringTimers;
import dev.duetime.admin.TimerViews;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.StoreAdmin;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that a fence of many tenants costs the database no more than one of a few. */
class ConsoleLargeFenceTest extends ConsoleKit {
    private static final int MOST_READS = 20;

    private final AtomicInteger reads = new AtomicInteger();
    private final TestClock clock = new TestClock();
    private final Scheduler scheduler = scheduler();

    @AfterEach
    void close() {
        scheduler.close();
    }

    private Scheduler scheduler() {
        ScheduleStore intact = new InMemoryScheduleStore(clock);
        TimerViews views = with(
                TimerViews.class,
                intact.admin().views(),
                Map.of(
                        "deadGroups",
                        () -> {
                            reads.incrementAndGet();
                            return new DeadGroups(List.of(new DeadGroup("mail-1", "invoice", "", 3, null)), true);
                        },
                        "recurring",
                        () -> {
                            reads.incrementAndGet();
                            return new RecurringTimers(List.of(), null);
                        }));
        StoreAdmin admin = with(StoreAdmin.class, intact.admin(), Map.of("views", () -> views));
        return Scheduler.builder()
                .store(with(ScheduleStore.class, intact, Map.of("admin", () -> admin)))
                .carrier(clock)
                .publisher(batch -> {})
                .queue("mail-1", queue -> queue.publisher(batch -> {}))
                .queue("mail-2", queue -> queue.publisher(batch -> {}))
                .queue("mail-3", queue -> queue.publisher(batch -> {}))
                .build();
    }

    private void fence(int tenants) {
        Set<String> names =
                IntStream.range(0, tenants).mapToObj("tenant-%03d"::formatted).collect(Collectors.toSet());
        console = Console.of(scheduler)
                .access(request -> Grant.read("olga").fencedTo(names))
                .build(Runnable::run, Duration.ofDays(1));
    }

    @Test
    void eachPageReadsFewTenants() {
        fence(300);
        for (String address : List.of("/", "/dead", "/recurring", "/dead?queue=mail-1")) {
            page(address);
        }

        assertThat(reads).hasPositiveValue().hasValueLessThanOrEqualTo(MOST_READS);
    }

    @Test
    void thePersonChoosesATenant() {
        fence(300);

        assertThat(page("/dead"))
                .contains("<option value=\"tenant-299\">tenant-299</option>", "tenant=tenant-000")
                .doesNotContain("<h2>tenant-001");
        assertThat(page("/dead?tenant=tenant-123"))
                .contains("<option value=\"tenant-123\" selected>tenant-123</option>", "tenant=tenant-123");
        assertThat(page("/?tenant=tenant-123"))
                .contains("selected>tenant-123", "href=\"/dead?queue=mail-1&amp;tenant=tenant-123\"");
        assertThat(get("/recurring?tenant=secret").status()).isEqualTo(400);
    }

    @Test
    void aSmallFenceIsShownAsAWhole() {
        fence(MOST_READS);

        assertThat(page("/dead")).contains("<h2>tenant-000", "<h2>tenant-019").doesNotContain("<select");
        assertThat(page("/")).contains(">60<").doesNotContain("<select");
    }
}

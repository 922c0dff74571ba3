package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.TimerViews;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.StoreAdmin;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule that an operation goes on to the end, also where a list and a count had to stop. */
class ConsoleLargeTableTest extends ConsoleKit {

    private void show(BoundedCount count) {
        ScheduleStore intact = new InMemoryScheduleStore(new TestClock());
        TimerViews views = with(
                TimerViews.class,
                intact.admin().views(),
                Map.of(
                        "timers",
                        () -> {
                            throw new IllegalArgumentException("query must be answered by looking at fewer timers");
                        },
                        "countUpTo",
                        () -> count));
        StoreAdmin admin = with(StoreAdmin.class, intact.admin(), Map.of("views", () -> views));
        Scheduler scheduler = Scheduler.builder()
                .store(with(ScheduleStore.class, intact, Map.of("admin", () -> admin)))
                .publisher(batch -> {})
                .build();
        console = Console.of(scheduler).build(Runnable::run, Duration.ZERO);
    }

    @Test
    void aCountThatStoppedAtZeroDoesNotForbidTheOperation() {
        show(new BoundedCount(0, false));
        assertThat(body(post("/do/ask", "action=revive&state=dead&type=rare")))
                .contains("Revive 0+ timers?", "None of the first 5,000", "Revive them")
                .doesNotContain("No timer matches");

        show(new BoundedCount(0, true));
        assertThat(body(post("/do/ask", "action=revive&state=dead&type=rare")))
                .contains("No timer matches")
                .doesNotContain("Revive them");
    }

    @Test
    void aListThatIsRefusedStillOffersWhatIsDoneToAllThatMatch() {
        show(new BoundedCount(10_000, false));

        assertThat(page("/timers?state=scheduled&type=mail"))
                .contains("by looking at fewer timers", "Cancel all that match…");
        assertThat(page("/timers?type=mail"))
                .contains("by looking at fewer timers")
                .doesNotContain("all that match…");
    }
}

package dev.duetime;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.hosts.HostSet;
import dev.duetime.metrics.TimerMetrics;
import dev.duetime.store.ScheduleStore;
import dev.duetime.todo.Merge;
import dev.duetime.todolist.TodoList;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests that a null argument is refused by its name, before anything is done. */
@SuppressWarnings("NullAway") // callers without nullness checks
class NullArgumentTest {

    /** A query that ignored a missing tenant would cancel the timers of all tenants. */
    @Test
    void aQueryRefusesAMissingCondition() {
        TimerQuery all = TimerQuery.all();

        refuses("tenantId", () -> all.tenantId(null));
        refuses("queue", () -> all.queue(null));
        refuses("type", () -> all.type(null));
        refuses("state", () -> all.state(null));
        refuses("from", () -> all.due(null, Instant.EPOCH));
        refuses("before", () -> all.due(Instant.EPOCH, null));
        refuses("last", () -> all.after(null));
    }

    @Test
    void aSchedulerRefusesMissingSettings() {
        refuses("settings", () -> Scheduler.builder().queue("mail", null));
        refuses("settings", () -> Scheduler.builder().type("invoice", null));
    }

    @Test
    void aHostSetRefusesAMissingNameOrStore() {
        refuses("host", () -> HostSet.builder().host(null, () -> null));
        refuses("store", () -> HostSet.builder().host("east", (ScheduleStore) null));
        refuses("store", () -> HostSet.builder().host("east", (Supplier<ScheduleStore>) null));
    }

    @Test
    void aMergeRefusesAMissingFunction() {
        refuses("add", () -> Merge.collect(null));
        refuses("add", () -> Merge.batch(null, full -> true));
        refuses("full", () -> Merge.batch((one, other) -> one, null));
    }

    @Test
    void aTodoListRefusesAMissingFunction() {
        refuses("toText", () -> TodoList.of("orders", null, Long::valueOf));
        refuses("fromText", () -> TodoList.of("orders", String::valueOf, null));
    }

    @Test
    void metersRefuseAMissingRegistryOrTags() {
        refuses("registry", () -> new TimerMetrics(null));
        refuses("tags", () -> new TimerMetrics(new SimpleMeterRegistry(), null));
    }

    @Test
    void aPublishersExceptionRefusesMissingFailures() {
        refuses("failures", () -> new PartialPublishException(null));
    }

    private static void refuses(String field, ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(field + " must not be null");
    }
}

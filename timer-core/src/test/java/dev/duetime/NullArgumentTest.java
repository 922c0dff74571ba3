package dev.duetime;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.hosts.HostSet;
import dev.duetime.store.ScheduleStore;
import java.time.Instant;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests that a null argument is refused by its name, before anything is done. */
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

    private static void refuses(String field, ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(field + " must not be null");
    }
}

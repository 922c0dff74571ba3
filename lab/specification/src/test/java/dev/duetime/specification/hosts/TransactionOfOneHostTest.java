package dev.duetime.specification.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.store.OwnTransaction;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of callers' transactions on one database of several. */
class TransactionOfOneHostTest extends OnHosts {
    private final TimerKit kit = kit(1, "a", "b");
    private final List<String> onA = HostsKit.idsOn(hosts(kit), "a", 2);
    private final List<String> onB = HostsKit.idsOn(hosts(kit), "b", 2);

    @Test
    void isOfOneHostAndWritesWhatLiesThere() {
        try (InMemoryTransaction transaction = databases.database("a").begin()) {
            var timers = kit.scheduler().in(hosts(kit).on("a", transaction));
            timers.schedule(TimerKey.of(onA.get(0)), Duration.ofMinutes(1), null);
            assertThat(timers.find(TimerKey.of(onA.get(0)))).isPresent();
            assertThat(kit.scheduler().find(TimerKey.of(onA.get(0)))).isEmpty();
            transaction.commit();
        }
        kit.advance(LATER);
        assertOnce(kit, 1);
    }

    @Test
    void refusesWhatLiesElsewhereBeforeAnythingIsWritten() {
        kit.scheduler().schedule(TimerKey.of(onB.get(1)), LATER, null);
        try (InMemoryTransaction transaction = databases.database("a").begin()) {
            var timers = kit.scheduler().in(hosts(kit).on("a", transaction));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> timers.scheduleAll(List.of(
                            Timer.after(onA.get(0), LATER).build(),
                            Timer.after(onB.get(0), LATER).build())))
                    .withMessageContaining(onB.get(0) + " lies on host b")
                    .withMessageContaining("transaction of host a");
            assertThatIllegalArgumentException().isThrownBy(() -> timers.cancel(TimerKey.of(onB.get(1))));
            transaction.commit();
        }
        assertThat(databases.has("a", onA.get(0))).isFalse();
    }

    @Test
    void mustNameItsHost() {
        try (InMemoryTransaction transaction = databases.database("a").begin()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> kit.scheduler().in(transaction))
                    .withMessageContaining("must name its host");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> hosts(kit).on("x", transaction))
                    .withMessageContaining("[a, b]");
        }
    }

    @Test
    void mayBeOneOfTheSetOverAllHosts() {
        try (OwnTransaction transaction = hosts(kit).begin()) {
            kit.scheduler()
                    .in(transaction.transaction())
                    .scheduleAll(List.of(
                            Timer.after(onA.get(0), LATER).build(),
                            Timer.after(onB.get(0), LATER).build()));
            assertThat(databases.has("b", onB.get(0))).isFalse();
            transaction.commit();
        }
        kit.advance(LATER);
        assertOnce(kit, 2);
    }
}

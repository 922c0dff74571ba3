package dev.duetime.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerWrites;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JoinedWritesTest {
    private final List<Object> registered = new ArrayList<>();
    private final ScheduleStore store = new StoreOnFirstUse(() -> {
        throw new IllegalStateException("not used");
    });
    private final HostStores hosts = new HostStores(
            new TreeMap<>(Map.of("a", store)), new TreeMap<>(Map.of("a", HostRanking.Role.FROM_THE_START)), false);

    /** Without it the loops would poll for the commit, and other nodes would get no hint. */
    @Test
    void anActionAfterTheCommitReachesTheTransactionOfTheHost() {
        Runnable action = () -> {};

        assertThat(new JoinedWrites(hosts, "a", writes()).afterCommit(action)).isTrue();
        assertThat(registered).containsExactly(action);
    }

    private TimerWrites writes() {
        return (TimerWrites) Proxy.newProxyInstance(
                TimerWrites.class.getClassLoader(), new Class<?>[] {TimerWrites.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("afterCommit");
                    return registered.add(arguments[0]);
                });
    }
}

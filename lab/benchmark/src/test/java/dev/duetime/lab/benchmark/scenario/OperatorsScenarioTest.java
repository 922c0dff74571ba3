package dev.duetime.lab.benchmark.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.admin.TimerViews;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.lab.benchmark.scenario.call.CallTimes;
import dev.duetime.store.Correlated;
import dev.duetime.store.ListStore;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Permits;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.WakeUps;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OperatorsScenarioTest {
    /** The port, whose calls are measured. */
    private static final List<Class<?>> PORT = List.of(
            ScheduleStore.class,
            StoreAdmin.class,
            TimerViews.class,
            ShardLeases.class,
            WakeUps.class,
            Permits.class,
            Correlated.class,
            ListStore.class);

    /** What sends no statement, or only waits. */
    private static final Set<String> WITHOUT_STATEMENTS =
            Set.of("in", "brief", "areKept", "receive", "mostTransactions", "readsBesideWrites", "afterCommit");

    private final Set<String> called = new TreeSet<>();

    @Tag("full")
    @Test
    void everyMethodOfThePortIsMeasured() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:operators;DB_CLOSE_DELAY=0");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            ScheduleStore store = recorded(ScheduleStore.class, JdbcScheduleStore.of(pool));

            Map<String, CallTimes.Took> all =
                    CallTimes.ofPort(store, Instant.now(), 1).measure();

            assertThat(called).containsAll(methods());
            assertThat(all.keySet()).hasSizeGreaterThan(600);
        }
    }

    private static Set<String> methods() {
        return PORT.stream()
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName)
                .filter(name -> !WITHOUT_STATEMENTS.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns a store that notes each call, also of its parts. */
    private <T> T recorded(Class<T> type, T intact) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    called.add(method.getName());
                    return part(call(intact, method, arguments));
                }));
    }

    private static @Nullable Object call(Object intact, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(intact, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private @Nullable Object part(@Nullable Object result) {
        for (Class<?> each : List.of(
                StoreAdmin.class,
                TimerViews.class,
                ShardLeases.class,
                WakeUps.class,
                Permits.class,
                Correlated.class,
                ListStore.class,
                OwnTransaction.class,
                TimerWrites.class)) {
            if (each.isInstance(result)) {
                return cast(each, result);
            }
        }
        return result;
    }

    private <T> T cast(Class<T> type, Object part) {
        return recorded(type, type.cast(part));
    }
}

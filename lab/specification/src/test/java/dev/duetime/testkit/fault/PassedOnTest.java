package dev.duetime.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.admin.TimerViews;
import dev.duetime.store.ListStore;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Permits;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.WakeUps;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rule that what stands between a node and its store passes every call on, also those that have a default. The
 * default of a method would hide what the store can do, such as to limit its waits for locks.
 */
class PassedOnTest {
    /** One calls the form with all arguments; the other concerns a caller's transaction, and a store is none. */
    private static final Set<String> LEFT_TO_DEFAULTS = Set.of("cancel[TimerKey, Instant]");

    private static final Set<String> LEFT_BY_STORES = Set.of("afterCommit[Runnable]");

    static Stream<Arguments> wrappers() {
        return Stream.of(
                Arguments.of(FaultyAdmin.class, StoreAdmin.class),
                Arguments.of(FaultyLeases.class, ShardLeases.class),
                Arguments.of(FaultyPermits.class, Permits.class),
                Arguments.of(FaultyStore.class, ScheduleStore.class),
                Arguments.of(FaultyTodos.class, ListStore.class),
                Arguments.of(FaultyTransaction.class, OwnTransaction.class),
                Arguments.of(FaultyViews.class, TimerViews.class),
                Arguments.of(FaultyWakeUps.class, WakeUps.class),
                Arguments.of(FaultyWrites.class, TimerWrites.class));
    }

    @ParameterizedTest
    @MethodSource("wrappers")
    void everyMethodReachesTheStore(Class<?> wrapper, Class<?> port) {
        assertThat(signatures(port.getMethods()))
                .isNotEmpty()
                .filteredOn(signature -> !LEFT_TO_DEFAULTS.contains(signature))
                .filteredOn(signature -> port != ScheduleStore.class || !LEFT_BY_STORES.contains(signature))
                .isSubsetOf(signatures(wrapper.getDeclaredMethods()));
    }

    private static List<String> signatures(Method[] methods) {
        return Arrays.stream(methods)
                .map(each -> each.getName()
                        + Arrays.stream(each.getParameterTypes())
                                .map(Class::getSimpleName)
                                .toList())
                .toList();
    }
}

package dev.duetime.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.store.ScheduleStore;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StoreOnFirstUseTest {
    /** One calls the form with all arguments; the other concerns a caller's transaction, and this is none. */
    private static final Set<String> LEFT_TO_DEFAULTS = Set.of("cancel(TimerKey,Instant)", "afterCommit(Runnable)");

    /** The default of a method would hide what the opened store can do, such as limits and hints. */
    @Test
    void everyMethodReachesTheOpenedStore() {
        assertThat(Arrays.stream(ScheduleStore.class.getMethods()).map(StoreOnFirstUseTest::signature))
                .isNotEmpty()
                .filteredOn(signature -> !LEFT_TO_DEFAULTS.contains(signature))
                .isSubsetOf(Arrays.stream(StoreOnFirstUse.class.getDeclaredMethods())
                        .map(StoreOnFirstUseTest::signature)
                        .toList());
    }

    private static String signature(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .reduce((one, other) -> one + "," + other)
                .orElse("");
        return method.getName() + "(" + parameters + ")";
    }
}

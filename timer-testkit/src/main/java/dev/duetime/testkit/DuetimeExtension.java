package dev.duetime.testkit;

import dev.duetime.Scheduler;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A JUnit extension that gives each test a new, started {@link TimerKit}, and closes it afterwards. Test methods take
 * the kit or its parts as parameters: {@link TimerKit}, {@link Scheduler}, {@link TestClock}, {@link
 * InMemoryPublisher}.
 *
 * <pre>{@code
 * @ExtendWith(DuetimeExtension.class)
 * class OrdersTest {
 *     @Test
 *     void cancelsAnOrderThatIsNotPaid(TimerKit kit) { … }
 * }
 * }</pre>
 *
 * <p>To use your own settings, register it as a field:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final DuetimeExtension DUETIME = DuetimeExtension.with(kit -> kit.startTime(NEW_YEAR));
 * }</pre>
 *
 * <p>Thread-safe: tests that run at the same time have separate kits.
 */
public final class DuetimeExtension implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(DuetimeExtension.class);
    private static final Map<Class<?>, Function<TimerKit, Object>> PARTS = parts();

    private final Consumer<TimerKit.Builder> settings;

    /** Creates an extension with default settings, for {@code @ExtendWith}. */
    public DuetimeExtension() {
        this(builder -> {});
    }

    private DuetimeExtension(Consumer<TimerKit.Builder> settings) {
        this.settings = settings;
    }

    /** Returns an extension whose kits have these settings, for {@code @RegisterExtension}. */
    public static DuetimeExtension with(Consumer<TimerKit.Builder> settings) {
        return new DuetimeExtension(settings);
    }

    private static Map<Class<?>, Function<TimerKit, Object>> parts() {
        Map<Class<?>, Function<TimerKit, Object>> parts = new LinkedHashMap<>();
        parts.put(TimerKit.class, kit -> kit);
        parts.put(Scheduler.class, TimerKit::scheduler);
        parts.put(TestClock.class, TimerKit::clock);
        parts.put(InMemoryPublisher.class, TimerKit::publisher);
        return parts;
    }

    /** Returns whether the parameter is a kit or a part of it, in a method that runs once for each test. */
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getTestMethod().isPresent()
                && PARTS.containsKey(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TimerKit kit = context.getStore(NAMESPACE).getOrComputeIfAbsent(TimerKit.class, key -> build(), TimerKit.class);
        return PARTS.getOrDefault(parameter.getParameter().getType(), all -> all)
                .apply(kit);
    }

    private TimerKit build() {
        TimerKit.Builder builder = TimerKit.builder();
        settings.accept(builder);
        return builder.build();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TimerKit kit = context.getStore(NAMESPACE).remove(TimerKit.class, TimerKit.class);
        if (kit != null) {
            kit.close();
        }
    }
}

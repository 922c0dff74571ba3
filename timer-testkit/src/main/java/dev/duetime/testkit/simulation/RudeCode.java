package dev.duetime.testkit.simulation;

import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SchedulerExtension;
import dev.duetime.listener.TimerListener;
import dev.duetime.testkit.simulation.run.Fault;
import java.lang.reflect.Proxy;
import java.time.Instant;

/** User code that interrupts its thread, or throws unexpected errors. */
final class RudeCode {
    private final World world;

    RudeCode(World world) {
        this.world = world;
    }

    /** Throws something, if this fault strikes now. */
    void strike() throws InterruptedException {
        if (world.chaos.strikes(Fault.RUDE_CODE)) {
            if (world.random.nextInt(3) == 0) {
                throw new InterruptedException("not by us");
            }
            throw error();
        }
    }

    /**
     * Leaves the interrupt flag set, if this fault strikes now. This must be the last action of the user code, because
     * all loops share one thread.
     */
    void strikeAtTheEnd() {
        if (world.chaos.strikes(Fault.RUDE_CODE)) {
            Thread.currentThread().interrupt();
        }
    }

    private Error error() {
        return switch (world.random.nextInt(3)) {
            case 0 -> new OutOfMemoryError("of the user's own making");
            case 1 -> new StackOverflowError();
            default -> new NoClassDefFoundError("some/Library");
        };
    }

    /**
     * Returns an extension that leaves the interrupt flag set whenever housekeeping calls it. It is called seldom, so
     * it does so each time.
     */
    SchedulerExtension extension() {
        return new SchedulerExtension() {
            @Override
            public String name() {
                return "rude";
            }

            @Override
            public void configure(SchedulerBuilder builder) {
                // It needs no queue.
            }

            @Override
            public Instant maintain(Scheduler scheduler) {
                if (world.chaos.inflicts(Fault.RUDE_CODE)) {
                    Thread.currentThread().interrupt();
                }
                return Instant.MIN;
            }
        };
    }

    /** Returns a listener that throws or interrupts in each of its methods. */
    TimerListener listener() {
        return (TimerListener) Proxy.newProxyInstance(
                TimerListener.class.getClassLoader(),
                new Class<?>[] {TimerListener.class},
                (proxy, method, arguments) -> {
                    if (method.getDeclaringClass().equals(Object.class)) {
                        return ofEveryObject(proxy, method.getName(), arguments);
                    }
                    if (method.getReturnType().equals(boolean.class)) {
                        // The user's own thread asks this, and may set its own flag. So nothing strikes here.
                        return true;
                    }
                    if (world.chaos.strikes(Fault.RUDE_CODE)) {
                        throw error();
                    }
                    strikeAtTheEnd();
                    return null;
                });
    }

    private static Object ofEveryObject(Object proxy, String method, Object[] arguments) {
        return switch (method) {
            case "hashCode" -> 1;
            case "equals" -> proxy == arguments[0];
            default -> "a rude listener";
        };
    }
}

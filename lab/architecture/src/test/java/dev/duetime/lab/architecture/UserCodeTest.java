package dev.duetime.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A check that no class calls code of the user unless it is known here. Threads of the engine call such code by {@code
 * UserCode} only, so that an error or an interrupt of it stays its own failure.
 */
class UserCodeTest {
    /** The types that users implement. */
    private static final Set<String> USERS = Set.of(
            "Publisher",
            "PayloadCodec",
            "Propagation",
            "RetryDelay",
            "SchedulerExtension",
            "TimerListener",
            "NodeListener",
            "StepHandler",
            "TodoDelay",
            "Merge",
            "OverdueHandler",
            "QueueHandler",
            "TimerMerge",
            "PassageOfTime$Handler",
            "Handlers$Handler",
            "Handlers$PayloadHandler",
            "Handlers$EnvelopeHandler",
            "Holidays",
            "TimerHandler");

    /** Classes that call it by {@code UserCode}. */
    private static final Set<String> GUARDED = Set.of(
            "PublishCall -> Publisher",
            "TickPublisher -> Publisher",
            "TickPublisher -> PassageOfTime$Handler",
            "HandlerPublisher -> Handlers$Handler",
            "HandlerCall -> QueueHandler",
            "ContextHeaders -> Propagation",
            "RetryPolicy -> RetryDelay",
            "Listeners -> NodeListener",
            "Listeners -> TimerListener",
            "ListTick -> OverdueHandler",
            "Merging -> TimerMerge");

    /** Adapters, which are code of the user for whom calls them. */
    private static final Set<String> ADAPTERS = Set.of(
            "TypedHandler -> StepHandler",
            "TypedHandler -> TodoDelay",
            "Steps -> StepHandler",
            "TypedMerge -> Merge",
            "Merge -> Merge",
            "PassageOfTime -> PassageOfTime$Handler",
            "Handlers -> Handlers$PayloadHandler",
            "Handlers -> Handlers$EnvelopeHandler",
            "Holidays -> Holidays",
            // TickPublisher asks for the event of a tick by UserCode.
            "WorkingDays -> Holidays",
            "Payload -> PayloadCodec");

    /** Classes that are given the guarded listener of their node. */
    private static final Set<String> LISTENERS = Set.of(
            "HostListener -> NodeListener",
            "QueueShards -> NodeListener",
            "TickReconciler -> NodeListener",
            "ListTick -> NodeListener");

    /** Calls on the thread of the caller that builds or starts a scheduler, or asks a type of ours. */
    private static final Set<String> CALLERS = Set.of(
            "Scheduler -> SchedulerExtension",
            "SchedulerBuilder -> SchedulerExtension",
            "TimerIntake -> QueueHandler",
            "HandlerBeans -> TimerHandler");

    @Test
    void onlyKnownClassesCallCodeOfTheUser() {
        Set<String> known = new TreeSet<>(GUARDED);
        known.addAll(ADAPTERS);
        known.addAll(LISTENERS);
        known.addAll(CALLERS);
        Set<String> calls = new TreeSet<>();
        for (JavaClass from : ArchitectureTest.CLASSES) {
            if (isOurs(from)) {
                from.getMethodCallsFromSelf().stream()
                        .filter(call -> USERS.contains(name(call.getTargetOwner())))
                        // Compilers since Java 18 name the interface as the owner of this method, too.
                        .filter(call -> !call.getName().equals("getClass"))
                        .forEach(call -> calls.add(text(from, call)));
            }
        }
        assertThat(calls).as("classes that call code of the user").isEqualTo(known);
    }

    @Test
    void guardedCallersUseTheGuard() {
        Set<String> guarded = new TreeSet<>();
        for (JavaClass from : ArchitectureTest.CLASSES) {
            boolean guards = from.getMethodCallsFromSelf().stream()
                    .anyMatch(call -> name(call.getTargetOwner()).equals("UserCode")
                            || name(call.getTargetOwner()).equals("GuardedListener"));
            if (guards) {
                guarded.add(ArchitectureTest.topLevel(from));
            }
        }
        assertThat(guarded)
                .containsAll(GUARDED.stream()
                        .map(each -> each.substring(0, each.indexOf(' ')))
                        .toList());
    }

    /** Programs that use us, and tests' tools, are users themselves. */
    private static boolean isOurs(JavaClass type) {
        String name = type.getPackageName();
        return !name.startsWith("dev.duetime.lab")
                && !name.startsWith("dev.duetime.examples")
                && !name.startsWith("dev.duetime.testkit");
    }

    private static String text(JavaClass from, JavaMethodCall call) {
        return ArchitectureTest.topLevel(from) + " -> " + name(call.getTargetOwner());
    }

    private static String name(JavaClass type) {
        return type.getName().substring(type.getName().lastIndexOf('.') + 1);
    }
}

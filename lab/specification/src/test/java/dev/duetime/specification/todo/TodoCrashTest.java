package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Steps;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a todo whose node is killed, closed or unreachable between two of its steps. */
class TodoCrashTest {
    private static final Duration TAKEOVER = Duration.ofSeconds(30);

    private final List<String> ran = new ArrayList<>();
    private final TimerKit kit = TimerKit.builder()
            .nodes(2)
            .configure(scheduler -> scheduler.todoQueue(queue()))
            .build();

    private @Nullable TodoQueue queue;
    private int faultAtRun = -1;
    private Consumer<KitNode> fault = node -> {};

    private TodoQueue queue() {
        TodoQueue built = TodoQueue.builder("orders")
                .type(
                        "order",
                        String.class,
                        Steps.begin("store", this::step)
                                .step("pay", this::step)
                                .step("mail", this::step)
                                .step("approve", this::step)
                                .terminal("done")
                                .build())
                .retry(RetryPolicy.fixed(Duration.ofSeconds(5)).maxAttempts(5))
                .build();
        queue = built;
        return built;
    }

    private Outcome step(Todo<String> todo, TodoRun run) {
        ran.add(todo.step());
        if (ran.size() - 1 == faultAtRun) {
            kit.nodes().stream()
                    .filter(node -> node.clock().isRunningHere())
                    .findFirst()
                    .ifPresent(fault);
        }
        return switch (todo.step()) {
            case "start", "store" -> Outcome.next("pay").with(todo.payload() + "+pay");
            case "pay" -> Outcome.next("mail").with(todo.payload() + "+mail");
            case "mail" -> Outcome.next("approve").with(todo.payload() + "+approve");
            default -> Outcome.next("done");
        };
    }

    private void enqueue() {
        kit.advance(TAKEOVER);
        TodoQueue through = queue;
        if (through != null) {
            through.enqueue(NewTodo.of("order", "o").id("a"));
        }
    }

    private void assertDone() {
        assertThat(kit.store().find(TimerKey.ofTodo(TimerKey.DEFAULT_TENANT, "orders", "a")))
                .hasValueSatisfying(each -> assertThat(each.state()).isEqualTo(TimerState.REACHED));
    }

    @Test
    void withoutFaultsEachStepRunsOnce() {
        enqueue();
        kit.advance(Duration.ofSeconds(5));

        assertThat(ran).containsExactly("start", "pay", "mail", "approve");
        assertDone();
    }

    private void assertRuns(List<String> expected, int faultAt, Consumer<KitNode> what) {
        faultAtRun = faultAt;
        fault = what;
        enqueue();
        kit.advance(TAKEOVER.multipliedBy(3));

        assertThat(ran).isEqualTo(expected);
        assertDone();
    }

    private static List<String> withOneTwice(int step) {
        List<String> expected = new ArrayList<>(List.of("start", "pay", "mail", "approve"));
        expected.add(step, expected.get(step));
        return expected;
    }

    /** The process dies in the handler. That step runs again, because its outcome is unknown. No other step does. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aNodeThatIsKilledInAStepRepeatsThatStepOnly(int step) {
        assertRuns(withOneTwice(step), step, KitNode::crash);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aNodeKilledBeforeAStepIsWrittenRepeatsThatStep(int step) {
        assertRuns(withOneTwice(step), step, node -> node.crashBefore(StoreCall.SETTLE));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aNodeThatIsKilledAfterAStepIsWrittenRepeatsNone(int step) {
        assertRuns(List.of("start", "pay", "mail", "approve"), step, node -> node.crashAfter(StoreCall.SETTLE));
    }

    /** The node is alive, so it knows the outcome and writes it later. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aStoreThatIsAwayWhenAStepIsWrittenRepeatsNone(int step) {
        assertRuns(List.of("start", "pay", "mail", "approve"), step, node -> node.failBefore(StoreCall.SETTLE));
    }

    /** The outcome was written. So its repeat matches no row, and the todo is read again in its new state. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aReplyThatIsLostRepeatsNone(int step) {
        assertRuns(List.of("start", "pay", "mail", "approve"), step, node -> node.failAfter(StoreCall.SETTLE));
    }

    @Test
    void aNodeThatClosesHandsOverAtTheNextStep() {
        enqueue();
        kit.nodes().get(0).close();
        kit.nodes().get(1).close();
        kit.addNode();
        kit.advance(TAKEOVER);

        assertThat(ran).containsExactly("start", "pay", "mail", "approve");
        assertDone();
    }
}

package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.UnknownTypeException;
import dev.duetime.specification.LogLines;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Steps;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule that a timer whose type only a newer version knows waits for that version. */
class UnknownTypeTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<String> ran = new ArrayList<>();
    private final TodoQueue old = TodoQueue.builder("work")
            .type(
                    "order",
                    String.class,
                    Steps.<String>begin("pay", (todo, run) -> Outcome.complete())
                            .build())
            .build();

    private final TodoQueue newer = TodoQueue.builder("work")
            .type(
                    "order",
                    Integer.class,
                    Steps.<Integer>begin("pay", (todo, run) -> Outcome.complete())
                            .step("ship", (todo, run) -> {
                                ran.add(todo.id() + " " + run.attempt());
                                return Outcome.complete();
                            })
                            .build())
            .type("refund", Integer.class, (todo, run) -> {
                ran.add(todo.id() + " " + run.attempt());
                return Outcome.complete();
            })
            .build();

    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.queue("work", queue -> queue.shards(1)))
            .build();

    private StoredTimer stored(String id) {
        return kit.store().find(newer.key(id)).orElseThrow();
    }

    private void enqueueNew() {
        newer.enqueue(NewTodo.of("refund", 1).id("type"));
        newer.enqueue(NewTodo.of("order", 1).id("step").step("ship"));
    }

    @Test
    void aNewerTypeOrStepWaitsForANewerNode() {
        KitNode before = kit.addNode(scheduler -> scheduler.todoQueue(old));
        kit.advance(MINUTE);
        kit.addNode(scheduler -> scheduler.todoQueue(newer));
        enqueueNew();
        kit.advance(MINUTE);
        assertThat(stored("type").state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(stored("type").attempt()).isZero();
        assertThat(String.valueOf(stored("type").failure()))
                .contains("waits for a node")
                .contains("refund");
        assertThat(String.valueOf(stored("step").failure()))
                .contains("step must be one of")
                .contains("ship");

        before.close();
        kit.advance(MINUTE);
        assertThat(ran).containsExactlyInAnyOrder("type 1", "step 1");
    }

    @Test
    void aTodoOfAnUnknownTypeEndsAsDeadAfterTheLimit() {
        kit.addNode(scheduler -> scheduler.todoQueue(old).unknownTypesFor(Duration.ofHours(1)));
        kit.scheduler()
                .schedule(Timer.at(newer.key("a"), kit.now())
                        .queue("work")
                        .type("refund")
                        .step("start")
                        .build());
        kit.advance(Duration.ofMinutes(58));
        assertThat(stored("a").state()).isEqualTo(TimerState.SCHEDULED);

        kit.advance(Duration.ofMinutes(3));
        assertThat(stored("a").state()).isEqualTo(TimerState.DEAD);
        assertThat(String.valueOf(stored("a").failure())).contains("type must be one of [order] but was 'refund'");
    }

    @Test
    void withALimitOfZeroTheTodoIsDeadAtOnce() {
        kit.addNode(scheduler -> scheduler.todoQueue(old).unknownTypesFor(Duration.ZERO));
        kit.scheduler()
                .schedule(Timer.at(newer.key("a"), kit.now())
                        .queue("work")
                        .type("refund")
                        .step("start")
                        .build());
        kit.advance(MINUTE);

        assertThat(stored("a").state()).isEqualTo(TimerState.DEAD);
    }

    @Test
    void aTimerOfAnUnknownTypeWaitsAndDelaysNoOther() {
        List<Envelope> published = new ArrayList<>();
        TimerKit handlers = TimerKit.builder()
                .configure(scheduler -> scheduler.queue(
                        "mail",
                        queue -> queue.publisher(batch -> {
                            Map<String, Throwable> failures = new HashMap<>();
                            for (Envelope each : batch) {
                                if (each.type().equals("timer")) {
                                    published.add(each);
                                } else {
                                    failures.put(each.id(), new UnknownTypeException(each.type(), List.of("timer")));
                                }
                            }
                            if (!failures.isEmpty()) {
                                throw new PartialPublishException(failures);
                            }
                        })))
                .build();
        handlers.scheduler()
                .schedule(
                        Timer.at("a", handlers.now()).queue("mail").type("new").build());
        handlers.runDue();
        handlers.scheduler()
                .schedule(Timer.at("b", handlers.now()).queue("mail").build());
        handlers.advance(MINUTE);

        StoredTimer waiting = handlers.store().find(TimerKey.of("a")).orElseThrow();
        assertThat(published).hasSize(1);
        assertThat(waiting.state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(waiting.attempt()).isZero();
        handlers.advance(Duration.ofHours(25));
        assertThat(handlers.store().find(TimerKey.of("a")).orElseThrow().state())
                .isEqualTo(TimerState.DEAD);
    }

    @Test
    void schedulingATypeWithoutAHandlerIsLoggedOnce() {
        KitNode node = kit.addNode(scheduler -> scheduler.todoQueue(old));
        try (LogLines lines = LogLines.ofDuetime()) {
            for (String id : List.of("a", "b")) {
                node.scheduler()
                        .schedule(Timer.after(newer.key(id), MINUTE)
                                .queue("work")
                                .type("refund")
                                .step("start")
                                .build());
            }
            assertThat(lines.messages(Level.WARN))
                    .containsExactly(
                            "type refund is scheduled on queue work, whose handler here does not know it; it waits"
                                    + " for a node that does");
        }
    }
}

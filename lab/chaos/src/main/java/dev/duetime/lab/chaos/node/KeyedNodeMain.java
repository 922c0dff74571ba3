package dev.duetime.lab.chaos.node;

import dev.duetime.RetryPolicy;
import dev.duetime.lab.chaos.log.Entry.Ran;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.lab.chaos.server.Commands;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/** The program of a node that runs todos by key, and logs when each begins and ends. */
public final class KeyedNodeMain {
    public static final String TYPE = "work";
    /** Todos that are dead after few attempts. */
    public static final String FRAGILE = "fragile";
    /** Todos that kill their process. */
    public static final String DEADLY = "deadly";

    public static final int FEW_ATTEMPTS = 3;
    private static final int KILLED = 137;
    private static final int LONGEST_MICROS = 4_000;

    private KeyedNodeMain() {}

    /** Runs a node. */
    public static void main(String[] args) throws IOException {
        run(args, LONGEST_MICROS, queue -> {});
    }

    /** Runs a node whose queue has more settings, and whose todos take up to the given time. */
    static void run(String[] args, int longestMicros, Consumer<TodoQueue.Builder> more) throws IOException {
        TodoNode node = new TodoNode(args);
        TodoQueue.Builder queue = queue((todo, run) -> {
            Ran begun = new Ran(Log.now(), 0, node.settings.name(), String.valueOf(todo.parallelKey()), todo.payload());
            node.log.append(begun);
            Commands.pause(Duration.ofNanos(ThreadLocalRandom.current().nextInt(longestMicros) * 1_000L));
            node.log.append(new Ran(begun.from(), Log.now(), begun.node(), begun.key(), begun.number()));
            return Outcome.complete();
        });
        more.accept(queue);
        node.start(queue.build());
        node.obey(order -> {});
    }

    /** Ends the process as SIGKILL does: no shutdown hook runs. */
    private static Outcome die(Todo<Integer> todo, TodoRun run) {
        Runtime.getRuntime().halt(KILLED);
        return Outcome.complete();
    }

    public static TodoQueue.Builder queue(StepHandler<Integer> handler) {
        RetryPolicy few = RetryPolicy.fixed(Duration.ofMillis(100)).maxAttempts(FEW_ATTEMPTS);
        return TodoQueue.builder("todos")
                .type(TYPE, Integer.class, handler)
                .type(FRAGILE, Integer.class, handler, type -> type.retry(few))
                .type(DEADLY, Integer.class, KeyedNodeMain::die, type -> type.retry(few));
    }
}

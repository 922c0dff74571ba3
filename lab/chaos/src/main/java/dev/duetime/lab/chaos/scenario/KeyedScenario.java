package dev.duetime.lab.chaos.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.judge.KeyedChecker;
import dev.duetime.lab.chaos.judge.LimitChecker;
import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.lab.chaos.log.Measures;
import dev.duetime.lab.chaos.node.KeyedNodeMain;
import dev.duetime.lab.chaos.node.LimitedNodeMain;
import dev.duetime.lab.chaos.node.Scratch;
import dev.duetime.lab.chaos.node.TransactionNodeMain;
import dev.duetime.lab.chaos.server.Commands;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A scenario with todos of a hundred keys on all nodes, one at a time for each key. Nodes may be killed and started
 * again.
 */
final class KeyedScenario implements TodoScenario {
    private static final int KEYS = 100;
    private static final int AT_ONCE = 500;
    private static final long NO_CONNECTION_MILLIS = 10_000;
    private static final Duration FIRST_KILL = Duration.ofMillis(500);
    private static final int LONGEST_GAP_MILLIS = 2_000;

    private final Trouble trouble;

    /** What happens while the todos run. */
    enum Trouble {
        NONE,
        /** Nodes are killed from outside. */
        KILLS,
        /** Nodes are killed from outside, and all together have limits. */
        LIMITS,
        /** One todo kills each process that runs it. */
        DEADLY_TODO,
        /** Handlers hold transactions, and the pools are small. */
        SMALL_POOLS
    }

    KeyedScenario(Trouble trouble) {
        this.trouble = trouble;
    }

    @Override
    public Class<?> program() {
        return switch (trouble) {
            case SMALL_POOLS -> TransactionNodeMain.class;
            case LIMITS -> LimitedNodeMain.class;
            default -> KeyedNodeMain.class;
        };
    }

    @Override
    public List<Claim> run(Trial trial) throws Exception {
        int todos = trial.load.rate() * trial.load.seconds() / KEYS * KEYS;
        long begin = trial.begin(Trial.TROUBLE);
        long end = System.nanoTime() + Duration.ofSeconds(trial.load.seconds()).toNanos();
        enqueue(trial, todos, trouble == Trouble.DEADLY_TODO);
        trial.say("enqueued %,d todos in %d ms".formatted(todos, (Log.now() - begin) / 1_000));
        if (trouble == Trouble.DEADLY_TODO) {
            reviveUntilDone(trial);
        }
        if (trouble == Trouble.KILLS || trouble == Trouble.LIMITS) {
            Commands.pause(FIRST_KILL);
            do {
                kill(trial);
            } while (System.nanoTime() < end);
        }
        awaitEnd(trial);
        trial.say("all done after %d ms".formatted((Log.now() - begin) / 1_000));
        int dead = trial.scratch.dead();
        int attempts = trouble == Trouble.DEADLY_TODO ? KeyedNodeMain.FEW_ATTEMPTS : Integer.MAX_VALUE;
        History history = trial.history();
        KeyedChecker checker = new KeyedChecker(history, attempts);
        checker.examples().forEach(trial::say);
        List<Claim> claims = new ArrayList<>(checker.claims(KEYS, todos / KEYS));
        if (trouble == Trouble.LIMITS) {
            int threads = LimitedNodeMain.WORKERS * trial.load.nodes();
            claims.addAll(new LimitChecker(history, LimitedNodeMain.RATE)
                    .claims(LimitedNodeMain.AT_ONCE, LimitedNodeMain.RATE, threads));
        }
        if (trouble == Trouble.DEADLY_TODO) {
            // The first delivery may not have been written down.
            claims.add(Claim.atMost("processes that it killed", checker.kills(), KeyedNodeMain.FEW_ATTEMPTS + 1L, ""));
            claims.add(new Claim("todos that are dead: the deadly one", String.valueOf(dead), "1", dead == 1));
        }
        return claims;
    }

    /** Starts the processes again that the todo has killed, until all is done. */
    private static void reviveUntilDone(Trial trial) {
        Duration usual = trial.load.lease().multipliedBy(8).plusSeconds(trial.load.seconds());
        long[] seenAt = {Log.now()};
        trial.await("todos are not done: ", usual, () -> {
            for (int place : trial.cluster.dead()) {
                Fault fault = new Fault(
                        seenAt[0],
                        Log.now(),
                        Measures.KILL,
                        trial.cluster.node(place).name());
                trial.log.append(fault);
                trial.say(fault.node() + " was killed by its todo");
                trial.cluster.restart(place);
            }
            seenAt[0] = Log.now();
            return trial.scratch.pending() == 0;
        });
    }

    /** Waits as long as there is progress, however slow the machine is. */
    private static void awaitEnd(Trial trial) throws SQLException {
        Duration usual = trial.load.lease().plusSeconds(trial.load.seconds());
        int before = Integer.MAX_VALUE;
        for (int left = trial.scratch.pending(); left > 0 && left < before; left = trial.scratch.pending()) {
            before = left;
            trial.await("todos are not done yet: ", usual, () -> trial.scratch.pending() == 0);
        }
    }

    /** The todos in order of start date. Their dates are spread over the time of the trial. */
    private static void enqueue(Trial trial, int todos, boolean deadly) {
        TodoQueue queue = KeyedNodeMain.queue((todo, run) -> Outcome.complete())
                .enqueuesOnly()
                .build();
        try (HikariDataSource pool = Scratch.pool(trial.scratch.url(), 2, NO_CONNECTION_MILLIS);
                Scheduler scheduler = Scheduler.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .todoQueue(queue)
                        .build()) {
            Instant start = scheduler.now();
            List<NewTodo> batch = new ArrayList<>();
            String type = deadly ? KeyedNodeMain.FRAGILE : KeyedNodeMain.TYPE;
            if (deadly) {
                batch.add(NewTodo.of(KeyedNodeMain.DEADLY, 0)
                        .id("deadly")
                        .parallelKey("deadly")
                        .startAt(start.plus(FIRST_KILL)));
            }
            for (int i = 0; i < todos; i++) {
                batch.add(NewTodo.of(type, i / KEYS)
                        .id("todo-" + i)
                        .parallelKey("key-" + i % KEYS)
                        .startAt(start.plusNanos(1_000_000_000L * i / trial.load.rate())));
                if (batch.size() >= AT_ONCE || i == todos - 1) {
                    queue.enqueueAll(batch);
                    batch.clear();
                }
            }
        }
    }

    private static void kill(Trial trial) {
        int place = trial.cluster.randomPlace(trial.random);
        if (place >= 0) {
            Fault fault = KillNode.kill(trial, trial.cluster.node(place));
            trial.log.append(fault);
            trial.say("kill of " + fault.node());
            Commands.pause(Duration.ofMillis(trial.random.nextInt(LONGEST_GAP_MILLIS)));
            trial.cluster.restart(place);
        }
        Commands.pause(Duration.ofMillis(trial.random.nextInt(LONGEST_GAP_MILLIS)));
    }
}

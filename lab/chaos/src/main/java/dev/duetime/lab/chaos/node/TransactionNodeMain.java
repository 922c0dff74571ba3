package dev.duetime.lab.chaos.node;

import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.lab.chaos.log.Entry.Ran;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.lab.chaos.server.Commands;
import dev.duetime.todo.Outcome;
import java.io.IOException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The program of a node with a small pool of connections. Its sixteen workers hold the transactions of their outcomes
 * while they work.
 */
public final class TransactionNodeMain {
    private static final int[] CONNECTIONS = {3, 5, 10};
    private static final int LONGEST_MILLIS = 40;

    private TransactionNodeMain() {}

    /** Runs a node. */
    public static void main(String[] args) throws IOException {
        TodoNode node = new TodoNode(args);
        int place = Integer.parseInt(node.settings.name().replaceFirst("^node-(\\d+)\\..*", "$1"));
        node.start(
                KeyedNodeMain.queue((todo, run) -> {
                            JdbcTransaction transaction = run.transaction(JdbcTransaction.class);
                            try (Statement statement = transaction.connection().createStatement()) {
                                statement.execute("SELECT 1");
                            }
                            Ran begun = new Ran(
                                    Log.now(),
                                    0,
                                    node.settings.name(),
                                    String.valueOf(todo.parallelKey()),
                                    todo.payload());
                            node.log.append(begun);
                            Commands.pause(Duration.ofMillis(
                                    ThreadLocalRandom.current().nextInt(LONGEST_MILLIS)));
                            node.log.append(
                                    new Ran(begun.from(), Log.now(), begun.node(), begun.key(), begun.number()));
                            return Outcome.complete();
                        })
                        .build(),
                CONNECTIONS[(place - 1) % CONNECTIONS.length]);
        node.obey(order -> {});
    }
}

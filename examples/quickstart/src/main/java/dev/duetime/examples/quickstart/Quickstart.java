package dev.duetime.examples.quickstart;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.command.ScheduleTimerHandler;
import dev.duetime.console.ConsoleServer;
import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that runs until no timer is pending. Kill it in any way and start it again: the pending timers fire then.
 *
 * <p>Arguments: a file of commands, one JSON object in each line, or {@code -} for standard input. Without one it reads
 * the sample. {@code --fresh} forgets earlier runs. {@code --console} serves the pages for operators on a free port,
 * and the program then runs until it is stopped. Output lines that begin with <code>{</code> are envelopes; all others
 * begin with {@code #}.
 */
public final class Quickstart {
    private static final PrintStream OUT = System.out;

    private Quickstart() {}

    /** Runs the example. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Arguments arguments = Arguments.parse(args);
        if (!arguments.isReadable()) {
            OUT.println("# cannot read " + arguments.input() + ": give a file of commands, - for standard input, or"
                    + " nothing for the sample");
            System.exit(1);
        }
        DatabaseFile file = DatabaseFile.configured();
        if (arguments.fresh()) {
            file.delete();
        }
        OUT.println("# timers are kept in " + file);
        try (HikariDataSource database = file.open();
                Scheduler scheduler = Scheduler.builder()
                        .store(JdbcScheduleStore.of(database))
                        .publisher(new PrintingPublisher(OUT))
                        // A fixed name: after a kill the same node comes back and need not wait
                        // for its old lease to end.
                        .nodeId("quickstart")
                        .build()) {
            if (arguments.console()) {
                OUT.println("# the console is at "
                        + ConsoleServer.start(scheduler, 0).address());
            }
            boolean resuming = showPending(scheduler, "pending from an earlier run");
            scheduler.start();
            if (resuming && arguments.isSample()) {
                OUT.println("# resuming; the sample is not read again");
            } else {
                new CommandReader(new ScheduleTimerHandler(scheduler), OUT).read(arguments);
                showPending(scheduler, "pending");
            }
            while (arguments.console() || !pending(scheduler, 1).isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
        OUT.println("# nothing is pending, done");
    }

    /** Shows the first pending timers, the earliest first; returns whether there are any. */
    private static boolean showPending(Scheduler scheduler, String what) {
        int most = 1_000;
        List<StoredTimer> pending = pending(scheduler, most);
        if (!pending.isEmpty()) {
            OUT.printf("# %s%d timers %s%n", pending.size() == most ? "at least " : "", pending.size(), what);
            pending.stream()
                    .sorted(Comparator.comparing(StoredTimer::dueAt))
                    .limit(10)
                    .forEach(each -> OUT.printf("#   %s due %s%n", each.key(), each.dueAt()));
        }
        return !pending.isEmpty();
    }

    private static List<StoredTimer> pending(Scheduler scheduler, int most) {
        return scheduler.query(TimerQuery.all().state(TimerState.SCHEDULED).limit(most));
    }
}

package dev.duetime.jdbc.internal.write;

import dev.duetime.ScheduleResult;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.store.NewTimer;
import java.util.List;

/**
 * The statements that write schedules, each with a truthful outcome, also in races. Implementations are thread-safe.
 */
public interface ScheduleStatements {

    /** The operation's name in errors. */
    String OPERATION = "schedule";

    /** Writes all timers or none; there is at least one. Returns the results in the order of the timers. */
    List<ScheduleResult> schedule(Transactions transactions, List<NewTimer> timers);

    /** Schedules timers that need not be stored together. If it throws, any of them may be stored. */
    default List<ScheduleResult> scheduleEach(Transactions transactions, List<NewTimer> timers) {
        return schedule(transactions, timers);
    }

    /** Names the timers in errors. */
    static Object subject(List<NewTimer> timers) {
        return timers.size() == 1 ? timers.get(0).key() : timers.size() + " timers";
    }
}

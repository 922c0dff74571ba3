package dev.duetime.jdbc;

import dev.duetime.ScheduleResult;
import dev.duetime.store.NewTimer;
import java.util.List;

/** Writes schedules: all or none, each with a truthful outcome, also in races. Implementations are thread-safe. */
interface ScheduleStatements {

    /** Is the verb of errors. */
    String OPERATION = "schedule";

    /** Returns the results in the order of the timers, of which there is at least one. */
    List<ScheduleResult> schedule(Transactions transactions, List<NewTimer> timers);

    /** Names the timers in errors. */
    static Object subject(List<NewTimer> timers) {
        return timers.size() == 1 ? timers.get(0).key() : timers.size() + " timers";
    }
}

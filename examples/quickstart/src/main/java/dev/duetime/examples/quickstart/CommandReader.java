package dev.duetime.examples.quickstart;

import dev.duetime.MalformedMessageException;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.command.ScheduleTimerHandler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A reader that schedules a timer for each line, like a consumer of a broker does for each message. */
final class CommandReader {
    private final ScheduleTimerHandler handler;
    private final PrintStream out;

    CommandReader(ScheduleTimerHandler handler, PrintStream out) {
        this.handler = handler;
        this.out = out;
    }

    void read(Arguments arguments) throws IOException {
        boolean delivered = false;
        try (BufferedReader lines = arguments.open()) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    delivered |= schedule(line, number);
                }
            }
        }
        if (delivered && arguments.isSample()) {
            out.println("# these fired in an earlier run; --fresh starts over");
        }
    }

    /**
     * Returns whether the timer had ended already. A malformed command is reported, and the reader continues with the
     * next one.
     */
    private boolean schedule(String line, int number) {
        try {
            ScheduleResult result = handler.handle(line.getBytes(StandardCharsets.UTF_8));
            boolean ignored = result.outcome() == ScheduleOutcome.IGNORED;
            out.printf("# %s: %s%s%n", result.key(), result.outcome(), ignored ? ", it is " + result.state() : "");
            return ignored;
        } catch (MalformedMessageException e) {
            out.printf("# line %d is malformed: field %s: %s%n", number, e.field(), e.getMessage());
            return false;
        }
    }
}

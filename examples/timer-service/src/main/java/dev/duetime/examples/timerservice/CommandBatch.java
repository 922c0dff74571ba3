package dev.duetime.examples.timerservice;

import dev.duetime.MalformedMessageException;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerExpiredException;
import dev.duetime.command.ScheduleTimer;
import dev.duetime.command.ScheduleTimerHandler;
import dev.duetime.store.RefusedException;
import io.nats.client.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch of commands. It schedules all of them in one transaction and acknowledges each message when its timer is
 * durable. If the batch fails, each message is handled alone, so a failing one does not affect the others. A command
 * that has failed before is no longer part of a batch: it is handled alone, after all others. Used by one thread.
 */
final class CommandBatch {
    private static final Logger LOG = LoggerFactory.getLogger(CommandBatch.class);
    /**
     * The delay before a command is delivered again. NATS before 2.10.16 holds a repeat back for the whole {@code
     * ack_wait} if the repeat is due just when a request ends. So the repeat is due in the middle of the next request.
     */
    static final Duration AGAIN_AFTER = CommandConsumer.PATIENCE.dividedBy(2);
    /** A command that waits for a row comes again half a request after 1, 3 and then always 7 more requests. */
    private static final int MOST_DOUBLINGS = 3;
    /** The number of tries for a command that is refused, or fails for an unknown reason of its own. */
    static final int MOST_REFUSALS = 5;
    /**
     * How long commands are handled one by one. Each may wait for a locked row, and a message must be acknowledged
     * within {@code ack_wait}. The others come again.
     */
    private static final Duration LONGEST_ALONE = Duration.ofSeconds(5);
    /** How much larger than its command an event may be: its id and times, and what is left out of a command. */
    static final int ROOM = 4 * 1024;

    private final Scheduler scheduler;
    private final ScheduleTimerHandler handler;
    private final ServiceMeters meters;
    private final LongSupplier nanoTime;
    private final CommandFailures failures = new CommandFailures();
    private boolean toldAway;
    private boolean toldWaiting;

    CommandBatch(Scheduler scheduler, ServiceMeters meters) {
        this(scheduler, meters, System::nanoTime);
    }

    CommandBatch(Scheduler scheduler, ServiceMeters meters, LongSupplier nanoTime) {
        this.scheduler = scheduler;
        this.meters = meters;
        this.nanoTime = nanoTime;
        handler = new ScheduleTimerHandler(scheduler);
    }

    private record Command(Message message, Timer timer) {}

    /**
     * Handles each message completely. Returns false if the database failed; then the broker delivers the messages
     * again.
     */
    boolean take(List<Message> messages) {
        List<Command> fresh = new ArrayList<>(messages.size());
        List<Command> failedBefore = new ArrayList<>();
        for (Message message : messages) {
            try {
                Command command = new Command(message, parse(message));
                (failures.contains(message) ? failedBefore : fresh).add(command);
            } catch (MalformedMessageException e) {
                terminate(message, e);
            } catch (RuntimeException | Error e) {
                failed(message, e);
            }
        }
        if (!schedule(fresh)) {
            return comeAgain(failedBefore);
        }
        return scheduleOneByOne(failedBefore);
    }

    private static Timer parse(Message message) {
        long largest = message.getConnection().getServerInfo().getMaxPayload() - ROOM;
        if (message.getData().length > largest) {
            throw new MalformedMessageException(
                    "$",
                    "message must be at most %d bytes, so that its event fits into one, but was %d"
                            .formatted(largest, message.getData().length));
        }
        return ScheduleTimer.parse(message.getData());
    }

    private boolean schedule(List<Command> commands) {
        if (commands.isEmpty()) {
            return true;
        }
        List<ScheduleResult> results;
        try {
            results =
                    scheduler.scheduleAll(commands.stream().map(Command::timer).toList());
        } catch (StoreException e) {
            return isAway(commands.get(0), e) ? comeAgain(commands) : scheduleOneByOne(commands);
        } catch (RuntimeException | Error e) {
            // One command is refused, by a limit or because it is too late. So the whole batch failed.
            return scheduleOneByOne(commands);
        }
        for (int i = 0; i < results.size(); i++) {
            acknowledge(commands.get(i).message, results.get(i));
        }
        toldAway = false;
        return true;
    }

    private boolean scheduleOneByOne(List<Command> commands) {
        long start = nanoTime.getAsLong();
        for (int i = 0; i < commands.size(); i++) {
            if (nanoTime.getAsLong() - start > LONGEST_ALONE.toNanos()) {
                comeAgain(commands.subList(i, commands.size()));
                break;
            }
            if (!scheduleAlone(commands.get(i))) {
                return comeAgain(commands.subList(i, commands.size()));
            }
        }
        return true;
    }

    /** Handles a command completely. Returns false if the database is away. */
    private boolean scheduleAlone(Command command) {
        Message message = command.message;
        ScheduleResult result;
        try {
            result = handler.handle(message.getData());
        } catch (MalformedMessageException e) {
            terminate(message, e);
            return true;
        } catch (TimerExpiredException e) {
            meters.received("expired");
            terminate(message, "its deadline %s has passed".formatted(e.expiresAt()));
            return true;
        } catch (StoreException e) {
            if (isAway(command, e)) {
                return false;
            }
            failed(message, e);
            return true;
        } catch (RuntimeException | Error e) {
            failed(message, e);
            return true;
        }
        acknowledge(message, result);
        toldAway = false;
        return true;
    }

    /**
     * Returns whether the database does not answer at all. If it answers, a row caused the failure, for example by a
     * trigger.
     */
    private boolean isAway(Command command, StoreException failure) {
        try {
            scheduler.find(command.timer.key());
            return false;
        } catch (StoreException e) {
            if (!toldAway) {
                LOG.warn(
                        "commands wait for the database; retrying: {}",
                        Secrets.hidden(String.valueOf(failure.getMessage())));
                toldAway = true;
            }
            return true;
        }
    }

    private void acknowledge(Message message, ScheduleResult result) {
        meters.received(result.outcome());
        message.ack();
        ended(message);
    }

    /** The same bytes would be malformed again. */
    private void terminate(Message message, MalformedMessageException e) {
        meters.received("malformed");
        terminate(message, "field %s: %s".formatted(e.field(), e.getMessage()));
    }

    private void terminate(Message message, String why) {
        Termination.of(message, why);
        ended(message);
    }

    private void ended(Message message) {
        failures.remove(message);
        toldWaiting &= !failures.isEmpty();
    }

    /**
     * The broker delivers the command again. A command is given up only if it is refused a few times. What else the
     * database throws may pass: a locked row, a statement that took too long, a full disk. So may an error, for example
     * too little memory; only a stack that overflows is the fault of the command.
     */
    private void failed(Message message, Throwable failure) {
        boolean mayPass = failure instanceof StoreException
                ? !(failure instanceof RefusedException)
                : failure instanceof Error && !(failure instanceof StackOverflowError);
        if (mayPass) {
            waits(message, failure);
        } else {
            refused(message, failure);
        }
    }

    private void refused(Message message, Throwable failure) {
        meters.received("failed");
        int refusals = failures.addRefusal(message);
        if (refusals < MOST_REFUSALS) {
            message.nakWithDelay(AGAIN_AFTER);
        } else {
            terminate(
                    message,
                    "failed %d times: %s".formatted(refusals, failure.getClass().getName()));
        }
    }

    /** It comes again later and later, because each try may wait for a row while others wait for it. */
    private void waits(Message message, Throwable failure) {
        meters.received("store_failed");
        tellWaiting(message, failure);
        int doublings = Math.min(MOST_DOUBLINGS, failures.addWait(message) - 1);
        message.nakWithDelay(AGAIN_AFTER.plus(CommandConsumer.PATIENCE.multipliedBy((1L << doublings) - 1)));
    }

    private void tellWaiting(Message message, Throwable failure) {
        if (!toldWaiting) {
            LOG.warn(
                    "command {} cannot be handled yet, others go on; retrying: {}",
                    message.metaData().streamSequence(),
                    Secrets.reasons(failure));
            toldWaiting = true;
        }
    }

    /** Lets commands come again that have not been tried alone. Returns false. */
    private boolean comeAgain(List<Command> commands) {
        for (Command command : commands) {
            meters.received("store_failed");
            command.message.nakWithDelay(AGAIN_AFTER);
        }
        return false;
    }
}

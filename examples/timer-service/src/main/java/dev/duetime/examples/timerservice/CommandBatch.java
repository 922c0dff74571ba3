package dev.duetime.examples.timerservice;

import dev.duetime.MalformedMessageException;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerExpiredException;
import dev.duetime.command.ScheduleTimer;
import dev.duetime.command.ScheduleTimerHandler;
import io.nats.client.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch of commands. It schedules all of them in one transaction and acknowledges each message when its timer is
 * durable. If the batch fails, each message is handled alone, so a failing one does not affect the others. Used by one
 * thread.
 */
final class CommandBatch {
    private static final Logger LOG = LoggerFactory.getLogger(CommandBatch.class);
    /**
     * The delay before a command is delivered again. NATS before 2.10.16 holds a repeat back for the whole {@code
     * ack_wait} if the repeat is due just when a request ends. So the repeat is due in the middle of the next request.
     */
    private static final Duration AGAIN_AFTER = CommandConsumer.PATIENCE.dividedBy(2);
    /** The number of tries for a command that fails for an unknown reason of its own. */
    private static final int MOST_DELIVERIES = 5;
    /** How much larger than its command an event may be: its id and times, and what is left out of a command. */
    private static final int ROOM = 4 * 1024;

    private final Scheduler scheduler;
    private final ScheduleTimerHandler handler;
    private final ServiceMeters meters;
    private boolean storeAway;

    CommandBatch(Scheduler scheduler, ServiceMeters meters) {
        this.scheduler = scheduler;
        this.meters = meters;
        handler = new ScheduleTimerHandler(scheduler);
    }

    /**
     * Handles each message completely. Returns false if the database failed; then the broker delivers the messages
     * again.
     */
    boolean take(List<Message> messages) {
        List<Message> valid = new ArrayList<>(messages.size());
        List<Timer> timers = new ArrayList<>(messages.size());
        for (Message message : messages) {
            try {
                timers.add(parse(message));
                valid.add(message);
            } catch (MalformedMessageException e) {
                terminate(message, e);
            } catch (RuntimeException | StackOverflowError e) {
                failed(message, e);
            }
        }
        return valid.isEmpty() || schedule(valid, timers);
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

    private boolean schedule(List<Message> messages, List<Timer> timers) {
        List<ScheduleResult> results;
        try {
            results = scheduler.scheduleAll(timers);
        } catch (StoreException e) {
            return isAway(timers.get(0)) ? comeAgain(messages, e) : scheduleOneByOne(messages, timers);
        } catch (RuntimeException e) {
            // One command is refused, by a limit or because it is too late. So the whole batch failed.
            return scheduleOneByOne(messages, timers);
        }
        for (int i = 0; i < results.size(); i++) {
            acknowledge(messages.get(i), results.get(i));
        }
        storeAway = false;
        return true;
    }

    private boolean scheduleOneByOne(List<Message> messages, List<Timer> timers) {
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            ScheduleResult result;
            try {
                result = handler.handle(message.getData());
            } catch (MalformedMessageException e) {
                terminate(message, e);
                continue;
            } catch (TimerExpiredException e) {
                meters.received("expired");
                Termination.of(message, "its deadline %s has passed".formatted(e.expiresAt()));
                continue;
            } catch (StoreException e) {
                if (isAway(timers.get(i))) {
                    return comeAgain(messages.subList(i, messages.size()), e);
                }
                failed(message, e);
                continue;
            } catch (RuntimeException e) {
                failed(message, e);
                continue;
            }
            acknowledge(message, result);
        }
        storeAway = false;
        return true;
    }

    /**
     * Returns whether the database does not answer at all. If it answers, a row caused the failure, for example by a
     * trigger.
     */
    private boolean isAway(Timer timer) {
        try {
            scheduler.find(timer.key());
            return false;
        } catch (StoreException e) {
            return true;
        }
    }

    private void acknowledge(Message message, ScheduleResult result) {
        meters.received(result.outcome());
        message.ack();
    }

    /** The same bytes would be malformed again. */
    private void terminate(Message message, MalformedMessageException e) {
        meters.received("malformed");
        Termination.of(message, "field %s: %s".formatted(e.field(), e.getMessage()));
    }

    /** The broker delivers the command again, and it is given up after a few tries. No other command waits for it. */
    private void failed(Message message, Throwable failure) {
        long deliveries = message.metaData().deliveredCount();
        meters.received("failed");
        if (deliveries >= MOST_DELIVERIES) {
            Termination.of(
                    message,
                    "failed %d times: %s"
                            .formatted(deliveries, failure.getClass().getName()));
        } else {
            message.nakWithDelay(AGAIN_AFTER);
        }
    }

    private boolean comeAgain(List<Message> messages, StoreException failure) {
        if (!storeAway) {
            LOG.warn(
                    "commands wait for the database; retrying: {}",
                    Secrets.hidden(String.valueOf(failure.getMessage())));
            storeAway = true;
        }
        for (Message message : messages) {
            meters.received("store_failed");
            message.nakWithDelay(AGAIN_AFTER);
        }
        return false;
    }
}

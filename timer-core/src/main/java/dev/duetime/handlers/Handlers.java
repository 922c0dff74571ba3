package dev.duetime.handlers;

import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SchedulerExtension;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.recurrence.Recurrence;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Handlers of the timers of one queue, by their type. They run in this process, in place of a {@link
 * dev.duetime.Publisher}.
 *
 * <pre>{@code
 * Handlers handlers = Handlers.builder()
 *         .on("payment-timeout", PaymentTimeout.class, timeout -> orders.cancelUnpaid(timeout.orderId()))
 *         .recurring("reports", Recurrence.daily(LocalTime.of(8, 0), ZoneId.of("Europe/Berlin")), due ->
 *         reports.send()) .build();
 * Scheduler scheduler = Scheduler.builder().store(store).extension(handlers).build();
 * }</pre>
 *
 * <p>A handler is called at least once for each timer, so it must tolerate being called again. If it throws, the timer
 * is retried by its {@link dev.duetime.RetryPolicy}, and the other timers of the batch are still handled. If it throws
 * a {@link dev.duetime.PostponedException}, the timer comes again later, without an attempt. A payload that cannot be
 * read as its class ends the timer as {@link dev.duetime.TimerState#DEAD}.
 *
 * <p>A timer whose type has no handler here is put off without an attempt, and delays no other timer: a node of another
 * version may have a handler. It ends as dead after the time that {@link SchedulerBuilder#unknownTypesFor} sets.
 *
 * <p>One thread for each queue calls the handlers, one after the other. {@link dev.duetime.QueueBuilder#concurrency}
 * makes several calls run at once. While the scheduler closes, the handler that runs may finish, and no other begins.
 *
 * <p>Immutable and thread-safe, if the handlers are. It may be given to several schedulers.
 */
public final class Handlers implements SchedulerExtension {
    private final String queue;
    private final HandlerPublisher publisher;
    private final RecurringHandlers recurring;

    private Handlers(Builder given) {
        queue = given.queue;
        publisher = new HandlerPublisher(given.handlers);
        recurring = new RecurringHandlers(queue, given.recurring, given.removed);
    }

    /** Returns a builder without handlers. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the key of the recurring timer that {@link Builder#recurring} declares.
     *
     * @throws IllegalArgumentException if an argument is null, empty or too long, or has control characters
     */
    public static TimerKey keyOf(String queue, String name) {
        return RecurringHandlers.key(
                Limits.name("queue", queue, Limits.QUEUE_LENGTH), Limits.text("name", name, Builder.NAME_LENGTH));
    }

    @Override
    public String name() {
        return "handlers of queue " + queue;
    }

    @Override
    public void configure(SchedulerBuilder builder) {
        builder.queue(queue, settings -> settings.publisher(publisher));
    }

    /** Returns the queue whose timers are handled. */
    public String queue() {
        return queue;
    }

    @Override
    public boolean needsMaintenance() {
        return recurring.isAny();
    }

    @Override
    public Instant maintain(Scheduler scheduler) {
        return recurring.reconcile(scheduler);
    }

    /**
     * A handler of timers whose payload is not needed, or is read from the envelope.
     *
     * @see Handlers
     */
    @FunctionalInterface
    public interface Handler {

        /**
         * Handles a timer whose time has come. After it returns, the timer is reached.
         *
         * @throws Exception if it failed and must be retried
         */
        void handle(Envelope envelope) throws Exception;
    }

    /**
     * A handler of timers with a payload of one class.
     *
     * @param <P> the class of the payload
     * @see Handlers
     */
    @FunctionalInterface
    public interface PayloadHandler<P> {

        /**
         * Handles a timer whose time has come. After it returns, the timer is reached.
         *
         * @throws Exception if it failed and must be retried
         */
        void handle(P payload) throws Exception;
    }

    /**
     * A handler of timers with a payload of one class, that needs the envelope, too: the key, the due time, the
     * headers.
     *
     * @param <P> the class of the payload
     * @see Handlers
     */
    @FunctionalInterface
    public interface EnvelopeHandler<P> {

        /**
         * Handles a timer whose time has come. After it returns, the timer is reached.
         *
         * @throws Exception if it failed and must be retried
         */
        void handle(P payload, Envelope envelope) throws Exception;
    }

    /** A builder of handlers. Each method checks its arguments. Not thread-safe. */
    public static final class Builder {
        /** Together with its queue, a name fits into a key. */
        private static final int NAME_LENGTH = 100;

        private final Map<String, Handler> handlers = new LinkedHashMap<>();
        private final Map<String, Recurrence> recurring = new LinkedHashMap<>();
        private final Set<String> removed = new LinkedHashSet<>();
        private String queue = Timer.DEFAULT_QUEUE;

        private Builder() {}

        /**
         * Sets the queue; {@value Timer#DEFAULT_QUEUE} by default. Several queues need several {@link Handlers}.
         *
         * @throws IllegalArgumentException if it is null, empty, longer than 64 characters or has control characters
         */
        public Builder queue(String queue) {
            this.queue = Limits.name("queue", queue, Limits.QUEUE_LENGTH);
            return this;
        }

        /**
         * Calls a handler for each timer of a type.
         *
         * @param type as given to {@link Timer.Builder#type}: 1 to 255 characters, without control characters
         * @throws IllegalArgumentException if an argument is null, or the type is out of bounds or has a handler
         *     already
         */
        public Builder on(String type, Handler handler) {
            Limits.given("handler", handler);
            if (handlers.putIfAbsent(Limits.text("type", type, Limits.NAME_LENGTH), handler) != null) {
                throw new LimitException("type", "type must have one handler but has another: " + Limits.shown(type));
            }
            return this;
        }

        /**
         * Calls a handler with the payload of each timer of a type; otherwise like {@link #on(String, Handler)}.
         *
         * @param payload the class that the scheduler's codec reads payloads as
         */
        public <P> Builder on(String type, Class<P> payload, PayloadHandler<? super P> handler) {
            Limits.given("handler", handler);
            return on(type, payload, (read, envelope) -> handler.handle(read));
        }

        /**
         * Calls a handler with the payload and the envelope of each timer of a type; otherwise like {@link #on(String,
         * Handler)}.
         *
         * @param payload the class that the scheduler's codec reads payloads as
         */
        public <P> Builder on(String type, Class<P> payload, EnvelopeHandler<? super P> handler) {
            Limits.given("payload", payload);
            Limits.given("handler", handler);
            return on(type, envelope -> handler.handle(envelope.payload(payload), envelope));
        }

        /**
         * Calls a handler again and again. All nodes declare the same recurring timer, and each occurrence is handled
         * once for all nodes, at least once through crashes and restarts. A started scheduler stores the timer, and
         * stores it again once a minute if it is missing or recurs otherwise. A failed occurrence is retried until the
         * next one is due, or as {@link Recurrence#catchUp} says.
         *
         * <p>If you remove the declaration, name it in {@link #removed}, or cancel the timer by {@link #keyOf}.
         *
         * @param name the type of the timer, which identifies it across deploys: 1 to 100 characters, without control
         *     characters
         * @throws IllegalArgumentException if an argument is null, or the name is out of bounds or has a handler
         *     already
         */
        public Builder recurring(String name, Recurrence recurrence, Handler handler) {
            Limits.given("recurrence", recurrence);
            on(Limits.text("name", name, NAME_LENGTH), handler);
            recurring.put(name, recurrence);
            return this;
        }

        /**
         * Names recurring timers that were declared by earlier versions. A started scheduler cancels them. While a node
         * of an earlier version still runs, that node stores them again.
         *
         * @throws IllegalArgumentException if a name is null, empty, longer than 100 characters or has control
         *     characters
         */
        public Builder removed(String... names) {
            for (String each : Limits.given("names", names)) {
                removed.add(Limits.text("name", each, NAME_LENGTH));
            }
            return this;
        }

        /**
         * Returns the handlers, to be added to a scheduler.
         *
         * @throws IllegalArgumentException if there is none, or a recurring timer is both declared and removed
         */
        public Handlers build() {
            Limits.atLeastOne("handlers", handlers.size());
            removed.stream().filter(recurring::containsKey).findFirst().ifPresent(both -> {
                throw new LimitException(
                        "removed", "removed must not name a recurring timer that is declared but was " + both);
            });
            return new Handlers(this);
        }
    }
}

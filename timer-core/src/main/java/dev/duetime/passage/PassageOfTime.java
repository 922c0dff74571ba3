package dev.duetime.passage;

import dev.duetime.Publisher;
import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SchedulerExtension;
import dev.duetime.TimerKey;
import dev.duetime.internal.ArgumentLimits;
import dev.duetime.recurrence.CalendarRules;
import dev.duetime.recurrence.CatchUp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Month;
import java.time.ZoneId;
import java.util.Map;

/**
 * Tells subscribers that a minute, an hour, a day … has passed: each period once for all nodes that share a database, at
 * least once, through crashes and restarts.
 *
 * <pre>{@code
 * PassageOfTime time = PassageOfTime.builder()
 *         .zone(ZoneId.of("Europe/Berlin"))
 *         .on(MinuteHasPassed.class, "overdue-orders", minute -> orders.cancelOverdue(minute.now()))
 *         .on(DayHasPassed.class, "reports", CatchUp.ALL, day -> reports.of(day.date()))
 *         .build();
 * Scheduler scheduler = Scheduler.builder().store(store).extension(time).build();
 * }</pre>
 *
 * <p>A subscription is one recurring timer for each kind of period. So each handler fails, is tried again and catches up by
 * itself: one that fails neither stops another nor makes it run twice. Where periods end at the same time, a subscription is
 * told of the shorter one first, in whatever zones, and of intervals before all others. Handlers are called one after the
 * other by the thread of the queue: be quick, or give what takes long a {@linkplain Builder#queue queue} of its own, by
 * another passage of time.
 *
 * <p>Nodes schedule their subscriptions when they start, and once a minute make sure that they stand. One that no node
 * declares any more is cancelled when it has been due for a day.
 *
 * <p>Immutable and thread-safe, if the handlers are. It may be given to several schedulers.
 */
public final class PassageOfTime implements SchedulerExtension {
    /** The queue of ticks, if no other is given. */
    public static final String DEFAULT_QUEUE = "passage";

    private static final RetryPolicy WITHOUT_END =
            RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5));

    private final String queue;
    private final RetryPolicy retry;
    private final Map<TimerKey, Tick> ticks;
    private final UnknownTicks unknown = new UnknownTicks();
    private final TickReconciler keeper;

    private PassageOfTime(Builder given) {
        queue = given.queue;
        retry = given.retry;
        ticks = Tick.byKey(queue, given.subscriptions.all());
        keeper = new TickReconciler(queue, ticks, unknown);
    }

    /** Begins to subscribe. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String name() {
        return "passage of time on queue " + queue;
    }

    @Override
    public void configure(SchedulerBuilder builder) {
        builder.queue(
                queue,
                settings ->
                        settings.publisher(new TickPublisher(ticks, unknown)).retry(retry));
        ticks.values().stream()
                .filter(tick -> tick.action() instanceof Action.Published)
                .map(Tick::type)
                .distinct()
                .forEach(type -> builder.type(type, settings -> settings.retry(WITHOUT_END)));
    }

    @Override
    public void tend(Scheduler scheduler) {
        keeper.tend(scheduler);
    }

    /** Returns the queue of its ticks. */
    public String queue() {
        return queue;
    }

    /**
     * Handles one event. May be called again with the same event.
     *
     * @param <E> which events
     */
    @FunctionalInterface
    public interface Handler<E extends TimeHasPassed> {

        /**
         * Handles the event; returning means that it is done.
         *
         * @throws Exception if it failed, and is to be tried again
         */
        void handle(E event) throws Exception;
    }

    /**
     * Subscribes. Zone, first day of the week and start of the fiscal year hold for what is subscribed after they are set, so
     * that several calendars can stand side by side. Each method checks what it is given. Not thread-safe.
     */
    public static final class Builder {
        private static final RetryPolicy RETRY = RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1))
                .maxAttempts(10);

        private final Subscriptions subscriptions = new Subscriptions();
        private CalendarRules rules = CalendarRules.UTC;
        private String queue = DEFAULT_QUEUE;
        private RetryPolicy retry = RETRY;

        private Builder() {}

        /**
         * Sets where days, and all longer and shorter periods, begin; UTC by default. What holds for weeks and years stays.
         *
         * @throws IllegalArgumentException if {@code zone} is null
         */
        public Builder zone(ZoneId zone) {
            rules = CalendarRules.in(zone).weekFrom(rules.firstDayOfWeek()).yearFrom(rules.firstMonthOfYear());
            return this;
        }

        /**
         * Sets where weeks begin; Monday by default.
         *
         * @throws IllegalArgumentException if {@code first} is null
         */
        public Builder firstDayOfWeek(DayOfWeek first) {
            rules = rules.weekFrom(first);
            return this;
        }

        /**
         * Sets where quarters and years begin; January by default.
         *
         * @throws IllegalArgumentException if {@code first} is null
         */
        public Builder fiscalYearStart(Month first) {
            rules = rules.yearFrom(first);
            return this;
        }

        /**
         * Sets the queue of all its ticks; {@value PassageOfTime#DEFAULT_QUEUE} by default. Applications that share a database
         * need one each: a tick that an application does not know it takes for one that was removed.
         *
         * @throws IllegalArgumentException if it is null, empty, longer than 64 characters or has control characters
         */
        public Builder queue(String queue) {
            this.queue = ArgumentLimits.queue(queue);
            return this;
        }

        /**
         * Sets when a handler that failed is called again; exponential from 1 s to 1 min by default, 10 times in all, after
         * which that event is given up and the next one comes. Not for {@link #publish} and {@link #publishEvery}, which try
         * without end. A subscription that catches up with {@link CatchUp#LATEST} or {@link CatchUp#NONE} is told of the next
         * event instead as soon as that is due.
         *
         * @throws IllegalArgumentException if {@code retry} is null
         */
        public Builder retry(RetryPolicy retry) {
            this.retry = ArgumentLimits.given("retry", retry);
            return this;
        }

        /**
         * Calls a handler for each such event; after a time without a running node, once, with the last one that was missed.
         *
         * @param events one kind of event that calendars know, or {@link TimeHasPassed} for all of these
         * @param name the subscription's, by which it is known from one deploy to the next: 1 to 100 characters, no slashes or
         *     control characters; it may subscribe to several kinds
         * @throws IllegalArgumentException if an argument is null, the name is malformed, the events are of intervals, or the
         *     name subscribes to them already
         */
        public <E extends TimeHasPassed> Builder on(Class<E> events, String name, Handler<? super E> handler) {
            return on(events, name, CatchUp.LATEST, handler);
        }

        /**
         * Calls a handler for each such event; otherwise as {@link #on(Class, String, Handler)}.
         *
         * @param catchUp which events come that were missed while no node ran
         */
        public <E extends TimeHasPassed> Builder on(
                Class<E> events, String name, CatchUp catchUp, Handler<? super E> handler) {
            ArgumentLimits.given("handler", handler);
            subscriptions.add(
                    events, rules, name, catchUp, new Action.Handled(event -> handler.handle(events.cast(event))));
            return this;
        }

        /**
         * Calls a handler at all multiples of a duration, whatever calendars say; otherwise as {@link #on(Class, String,
         * Handler)}.
         *
         * @param length 1 s to 3,650,000 days, in whole microseconds
         */
        public Builder every(Duration length, String name, Handler<? super IntervalHasPassed> handler) {
            return every(length, name, CatchUp.LATEST, handler);
        }

        /**
         * Calls a handler at all multiples of a duration; otherwise as {@link #every(Duration, String, Handler)}.
         *
         * @param catchUp which events come that were missed while no node ran
         */
        public Builder every(
                Duration length, String name, CatchUp catchUp, Handler<? super IntervalHasPassed> handler) {
            ArgumentLimits.given("handler", handler);
            subscriptions.add(
                    length, name, catchUp, new Action.Handled(event -> handler.handle((IntervalHasPassed) event)));
            return this;
        }

        /**
         * Publishes an envelope for each such event, tried until it gets through or, unless all are wanted, the next one is
         * due: its type is the name of the event, such as {@code MinuteHasPassed}, and its payload the event's JSON. After a time without a running node the last one that was
         * missed comes. Otherwise as {@link #on(Class, String, Handler)}.
         *
         * @param events one or more
         */
        @SafeVarargs
        public final Builder publish(String name, Publisher publisher, Class<? extends TimeHasPassed>... events) {
            return publish(name, CatchUp.LATEST, publisher, events);
        }

        /**
         * Publishes an envelope for each such event; otherwise as {@link #publish(String, Publisher, Class[])}.
         *
         * @param catchUp which events come that were missed while no node ran
         */
        @SafeVarargs
        public final Builder publish(
                String name, CatchUp catchUp, Publisher publisher, Class<? extends TimeHasPassed>... events) {
            Action action = new Action.Published(ArgumentLimits.given("publisher", publisher));
            ArgumentLimits.atLeastOne("events", events.length);
            for (Class<? extends TimeHasPassed> each : events) {
                subscriptions.add(each, rules, name, catchUp, action);
            }
            return this;
        }

        /**
         * Publishes an envelope at all multiples of a duration, of the type {@code IntervalHasPassed}; otherwise as {@link
         * #publish(String, Publisher, Class[])}.
         *
         * @param length 1 s to 3,650,000 days, in whole microseconds
         */
        public Builder publishEvery(Duration length, String name, Publisher publisher) {
            return publishEvery(length, name, CatchUp.LATEST, publisher);
        }

        /**
         * Publishes an envelope at all multiples of a duration; otherwise as {@link #publishEvery(Duration, String,
         * Publisher)}.
         *
         * @param catchUp which events come that were missed while no node ran
         */
        public Builder publishEvery(Duration length, String name, CatchUp catchUp, Publisher publisher) {
            subscriptions.add(
                    length, name, catchUp, new Action.Published(ArgumentLimits.given("publisher", publisher)));
            return this;
        }

        /**
         * Returns the passage of time, to be given to a scheduler.
         *
         * @throws IllegalArgumentException if nothing is subscribed
         */
        public PassageOfTime build() {
            ArgumentLimits.atLeastOne("subscriptions", subscriptions.all().size());
            return new PassageOfTime(this);
        }
    }
}

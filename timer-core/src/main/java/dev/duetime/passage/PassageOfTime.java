package dev.duetime.passage;

import dev.duetime.Publisher;
import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SchedulerExtension;
import dev.duetime.TimerKey;
import dev.duetime.internal.Limits;
import dev.duetime.recurrence.CalendarRules;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.WorkingDays;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.Month;
import java.time.ZoneId;
import java.util.Map;

/**
 * Subscriptions to events such as "a minute, an hour, a day has passed". Each period has one event for all nodes that
 * share a database. It is delivered at least once, through crashes and restarts.
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
 * <p>A subscription is one recurring timer for each kind of period. So each handler fails, is retried and catches up
 * separately. A failing handler neither stops another one nor makes it run twice. If several periods end at once, a
 * subscription gets intervals first, then the shorter periods before the longer ones, in all zones. The thread of the
 * queue calls the handlers one after the other. So be quick, or give a slow handler its own {@linkplain Builder#queue
 * queue}, with another passage of time.
 *
 * <p>Nodes schedule their subscriptions when they start, and correct them once a minute. A subscription that no node
 * declares any more is cancelled when it has been due for a day.
 *
 * <p>Immutable and thread-safe, if the handlers are. It may be given to several schedulers.
 */
public final class PassageOfTime implements SchedulerExtension {
    /** The default queue of ticks. */
    public static final String DEFAULT_QUEUE = "passage";

    private static final RetryPolicy WITHOUT_END =
            RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5));

    private final String queue;
    private final RetryPolicy retry;
    private final Map<TimerKey, Tick> ticks;
    private final UnknownTicks unknown = new UnknownTicks();
    private final TickReconciler reconciler;

    private PassageOfTime(Builder given) {
        queue = given.queue;
        retry = given.retry;
        ticks = Tick.byKey(queue, given.subscriptions.all());
        reconciler = new TickReconciler(queue, ticks, unknown);
    }

    /** Returns a builder without subscriptions. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String name() {
        return "passage of time on queue " + queue;
    }

    @Override
    public void configure(SchedulerBuilder builder) {
        builder.queue(queue, settings -> {
            settings.publisher(new TickPublisher(ticks, unknown)).retry(retry);
            ticks.values().stream()
                    .filter(tick -> tick.action() instanceof Action.Published)
                    .forEach(tick -> settings.type(tick.type(), type -> type.retry(WITHOUT_END)));
        });
    }

    @Override
    public Instant maintain(Scheduler scheduler) {
        return reconciler.reconcile(scheduler);
    }

    /** Returns the queue of its ticks. */
    public String queue() {
        return queue;
    }

    /**
     * A handler of one kind of event. May be called again with the same event.
     *
     * @param <E> the kind of event
     */
    @FunctionalInterface
    public interface Handler<E extends TimeHasPassed> {

        /**
         * Handles the event. If it returns, the event is done.
         *
         * @throws Exception if it failed and must be retried
         */
        void handle(E event) throws Exception;
    }

    /**
     * A builder of subscriptions. Zone, first day of the week and start of the fiscal year apply to the subscriptions
     * after them, so several calendars can be used. Each method checks its arguments. Not thread-safe.
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
         * Sets the zone whose clock counts; UTC by default. The rules for weeks and years stay.
         *
         * @throws IllegalArgumentException if {@code zone} is null
         */
        public Builder zone(ZoneId zone) {
            rules = CalendarRules.in(zone).weekFrom(rules.firstDayOfWeek()).yearFrom(rules.firstMonthOfYear());
            return this;
        }

        /**
         * Sets the first day of a week; Monday by default.
         *
         * @throws IllegalArgumentException if {@code first} is null
         */
        public Builder firstDayOfWeek(DayOfWeek first) {
            rules = rules.weekFrom(first);
            return this;
        }

        /**
         * Sets the first month of a year and of its quarters; January by default.
         *
         * @throws IllegalArgumentException if {@code first} is null
         */
        public Builder fiscalYearStart(Month first) {
            rules = rules.yearFrom(first);
            return this;
        }

        /**
         * Sets the working days and their zone for later subscriptions to {@link WorkingDayHasPassed}; none by default.
         * The holidays are asked when a tick is delivered. If they throw, the handler has failed.
         *
         * @throws IllegalArgumentException if {@code days} is null
         */
        public Builder workingDays(WorkingDays days) {
            subscriptions.workingDays(days);
            return this;
        }

        /**
         * Sets the queue of all its ticks; {@value PassageOfTime#DEFAULT_QUEUE} by default. Applications that share a
         * database need different queues, because each treats ticks that it does not know as removed.
         *
         * @throws IllegalArgumentException if it is null, empty, longer than 64 characters or has control characters
         */
        public Builder queue(String queue) {
            this.queue = Limits.name("queue", queue, Limits.QUEUE_LENGTH);
            return this;
        }

        /**
         * Sets when a failed handler is called again. By default it is called up to 10 times, exponentially from 1 s to
         * 1 min; then the event is given up and the next one comes. {@link #publish} and {@link #publishEvery} ignore
         * this and retry without end. With {@link CatchUp#LATEST} or {@link CatchUp#NONE}, the next event replaces a
         * failing one as soon as it is due.
         *
         * @throws IllegalArgumentException if {@code retry} is null
         */
        public Builder retry(RetryPolicy retry) {
            this.retry = Limits.given("retry", retry);
            return this;
        }

        /**
         * Calls a handler for each such event. After a time without a running node, it is called once, with the last
         * missed event.
         *
         * @param events one kind of calendar event, or {@link TimeHasPassed} for all of them but {@link
         *     WorkingDayHasPassed}
         * @param name identifies the subscription across deploys: 1 to 100 characters, without slashes or control
         *     characters. It may subscribe to several kinds
         * @throws IllegalArgumentException if an argument is null, the name is malformed, the events are of intervals,
         *     the name is already subscribed to them, or {@link #workingDays} were not set and are wanted
         */
        public <E extends TimeHasPassed> Builder on(Class<E> events, String name, Handler<? super E> handler) {
            return on(events, name, CatchUp.LATEST, handler);
        }

        /**
         * Calls a handler for each such event; otherwise like {@link #on(Class, String, Handler)}.
         *
         * @param catchUp which events come that were missed while no node ran
         */
        public <E extends TimeHasPassed> Builder on(
                Class<E> events, String name, CatchUp catchUp, Handler<? super E> handler) {
            Limits.given("handler", handler);
            subscriptions.add(
                    events, rules, name, catchUp, new Action.Handled(event -> handler.handle(events.cast(event))));
            return this;
        }

        /**
         * Calls a handler at all multiples of a duration, independent of calendars; otherwise like {@link #on(Class,
         * String, Handler)}.
         *
         * @param length 1 s to 3,650,000 days, in whole microseconds
         */
        public Builder every(Duration length, String name, Handler<? super IntervalHasPassed> handler) {
            return every(length, name, CatchUp.LATEST, handler);
        }

        /**
         * Calls a handler at all multiples of a duration; otherwise like {@link #every(Duration, String, Handler)}.
         *
         * @param catchUp which events come that were missed while no node ran
         */
        public Builder every(
                Duration length, String name, CatchUp catchUp, Handler<? super IntervalHasPassed> handler) {
            Limits.given("handler", handler);
            subscriptions.add(
                    length, name, catchUp, new Action.Handled(event -> handler.handle((IntervalHasPassed) event)));
            return this;
        }

        /**
         * Publishes an envelope for each such event. Its type is the name of the event, such as {@code
         * MinuteHasPassed}, and its payload is the event's JSON. It is retried until it is accepted or, unless all
         * events are wanted, until the next one is due. After a time without a running node, the last missed event
         * comes. Otherwise like {@link #on(Class, String, Handler)}.
         *
         * @param events one or more
         */
        @SafeVarargs
        public final Builder publish(String name, Publisher publisher, Class<? extends TimeHasPassed>... events) {
            return publish(name, CatchUp.LATEST, publisher, events);
        }

        /**
         * Publishes an envelope for each such event; otherwise like {@link #publish(String, Publisher, Class[])}.
         *
         * @param catchUp which events come that were missed while no node ran
         */
        @SafeVarargs
        public final Builder publish(
                String name, CatchUp catchUp, Publisher publisher, Class<? extends TimeHasPassed>... events) {
            Action action = new Action.Published(Limits.given("publisher", publisher));
            Limits.atLeastOne("events", events.length);
            for (Class<? extends TimeHasPassed> each : events) {
                subscriptions.add(each, rules, name, catchUp, action);
            }
            return this;
        }

        /**
         * Publishes an envelope of the type {@code IntervalHasPassed} at all multiples of a duration; otherwise like
         * {@link #publish(String, Publisher, Class[])}.
         *
         * @param length 1 s to 3,650,000 days, in whole microseconds
         */
        public Builder publishEvery(Duration length, String name, Publisher publisher) {
            return publishEvery(length, name, CatchUp.LATEST, publisher);
        }

        /**
         * Publishes an envelope at all multiples of a duration; otherwise like {@link #publishEvery(Duration, String,
         * Publisher)}.
         *
         * @param catchUp which events come that were missed while no node ran
         */
        public Builder publishEvery(Duration length, String name, CatchUp catchUp, Publisher publisher) {
            subscriptions.add(length, name, catchUp, new Action.Published(Limits.given("publisher", publisher)));
            return this;
        }

        /**
         * Returns the passage of time, to be added to a scheduler.
         *
         * @throws IllegalArgumentException if there is no subscription
         */
        public PassageOfTime build() {
            Limits.atLeastOne("subscriptions", subscriptions.all().size());
            return new PassageOfTime(this);
        }
    }
}

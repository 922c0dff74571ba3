package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.PostponedException;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.Timers;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Methods of beans handle timers and recur. */
class HandlerMethodsTest {
    private static final List<String> HANDLED = new ArrayList<>();
    private static final Duration SOON = Duration.ofMinutes(15);

    private final ApplicationContextRunner application = Applications.runner();

    HandlerMethodsTest() {
        HANDLED.clear();
    }

    record Order(String id) {}

    static class Orders {
        private final Timers timers;

        Orders(Timers timers) {
            this.timers = timers;
        }

        void place(String id) {
            timers.schedule(
                    Timer.after(id, SOON).type("order").payload(new Order(id)).build());
        }

        @OnTimer("order")
        @Transactional
        public void handle(Envelope envelope, Order order, DueTimeReached event) {
            HANDLED.add(order.id() + " " + envelope.attempt() + " "
                    + event.key().timerId() + " " + TransactionSynchronizationManager.isActualTransactionActive());
            if (order.id().equals("fails") && envelope.attempt() == 1) {
                throw new IllegalStateException("once");
            }
            if (order.id().equals("later") && HANDLED.size() == 1) {
                throw new PostponedException(SOON);
            }
        }

        @OnTimer(value = "${orders.mail-type}", queue = "mails")
        void mail() {
            HANDLED.add("mail");
        }
    }

    @Test
    void aMethodGetsPayloadEnvelopeAndEventThroughTheProxy() {
        application
                .withBean(Orders.class)
                .withPropertyValues("orders.mail-type=mail")
                .run(context -> {
                    context.getBean(Orders.class).place("17");
                    context.getBean(Timers.class)
                            .schedule(Timer.after("m", SOON)
                                    .type("mail")
                                    .queue("mails")
                                    .build());

                    context.getBean(TestClock.class).advance(SOON);

                    assertThat(HANDLED).containsExactlyInAnyOrder("17 1 17 true", "mail");
                });
    }

    @Test
    void aMethodThatThrowsSpendsAnAttempt() {
        application
                .withBean(Orders.class)
                .withPropertyValues("orders.mail-type=mail")
                .run(context -> {
                    context.getBean(Orders.class).place("fails");

                    context.getBean(TestClock.class).advance(SOON.plusMinutes(1));

                    assertThat(HANDLED).containsExactly("fails 1 fails true", "fails 2 fails true");
                    assertThat(context.getBean(Timers.class)
                                    .find(TimerKey.of("fails"))
                                    .orElseThrow()
                                    .state())
                            .isEqualTo(TimerState.REACHED);
                });
    }

    @Test
    void aMethodThatPostponesSpendsNoAttempt() {
        application
                .withBean(Orders.class)
                .withPropertyValues("orders.mail-type=mail")
                .run(context -> {
                    context.getBean(Orders.class).place("later");

                    context.getBean(TestClock.class).advance(SOON.multipliedBy(2));

                    assertThat(HANDLED).containsExactly("later 1 later true", "later 1 later true");
                });
    }

    static class Reports {
        @OnSchedule(name = "reports", cron = "0 ${reports.hour} * * *", zone = "Europe/Berlin")
        void send(Envelope envelope) {
            HANDLED.add("reports " + envelope.event().dueAt());
        }

        @OnSchedule(name = "refresh", every = "5h", queue = "refreshes")
        void refresh() {
            HANDLED.add("refresh");
        }
    }

    @Test
    void aMethodRecursByCronAndByDuration() {
        application.withBean(Reports.class).withPropertyValues("reports.hour=8").run(context -> {
            context.getBean(TestClock.class).advance(Duration.ofHours(8));

            assertThat(HANDLED).containsExactly("refresh", "reports 2030-01-01T07:00:00Z");
        });
    }

    static class Placeholders {
        @OnTimer(value = "${names.type}", queue = "${names.queue}")
        void handle(Envelope envelope) {
            HANDLED.add(envelope.queue() + " " + envelope.type());
        }

        @OnSchedule(
                name = "${names.schedule}",
                queue = "${names.queue}",
                cron = "${names.cron}",
                zone = "${names.zone}")
        void byCron(Envelope envelope) {
            HANDLED.add(envelope.queue() + " " + envelope.type() + " "
                    + envelope.event().dueAt());
        }

        @OnSchedule(name = "every", every = "${names.every}")
        void every(DueTimeReached event) {
            HANDLED.add("every " + event.dueAt());
        }
    }

    @Test
    void everyTextMayHavePlaceholders() {
        application
                .withBean(Placeholders.class)
                .withPropertyValues(
                        "names.type=mail",
                        "names.queue=mails",
                        "names.schedule=nightly",
                        "names.cron=30 9 * * *",
                        "names.zone=Asia/Tokyo",
                        "names.every=40m")
                .run(context -> {
                    context.getBean(Timers.class)
                            .schedule(Timer.after("m", SOON)
                                    .type("mail")
                                    .queue("mails")
                                    .build());

                    context.getBean(TestClock.class).advance(Duration.ofHours(1));

                    assertThat(HANDLED)
                            .containsExactlyInAnyOrder(
                                    "mails mail", "mails nightly 2030-01-01T00:30:00Z", "every 2030-01-01T00:40:00Z");
                });
    }

    static class CatchesUp {
        @OnSchedule(name = "all", every = "5m", catchUp = CatchUp.ALL)
        void all() {
            HANDLED.add("all");
        }

        @OnSchedule(name = "latest", every = "5m")
        void latest() {
            HANDLED.add("latest");
        }
    }

    @Test
    void theCatchUpSaysWhatBecomesOfMissedOccurrences() {
        application.withBean(CatchesUp.class).run(context -> {
            TimerAdmin admin = context.getBean(Scheduler.class).admin();
            admin.pause("default");
            context.getBean(TestClock.class).advance(Duration.ofMinutes(15));
            admin.resume("default");
            context.getBean(TestClock.class).advance(Duration.ofMinutes(1));

            assertThat(HANDLED).containsExactlyInAnyOrder("all", "all", "all", "latest");
        });
    }

    static class BothRules {
        @OnSchedule(name = "both", every = "1h", cron = "0 8 * * *")
        void recur() {}
    }

    static class NoZone {
        @OnSchedule(name = "zone", zone = "Mars", cron = "0 8 * * *")
        void recur() {}
    }

    static class TwoPayloads {
        @OnTimer("two")
        void handle(Order one, String other) {}
    }

    static class PrivateMethod {
        @OnTimer("private")
        @SuppressWarnings("UnusedMethod") // called by its annotation, if it were not private
        private void handle() {}
    }

    @Test
    void aMalformedMethodIsRefusedByItsName() {
        refused(BothRules.class, "@OnSchedule must have cron or every, one of them, but has both: ");
        refused(NoZone.class, "@OnSchedule cannot be read at ");
        refused(TwoPayloads.class, "must have at most one payload, Envelope and DueTimeReached as parameters");
        refused(PrivateMethod.class, "must not be private or static");
    }

    private void refused(Class<?> bean, String message) {
        application.withBean(bean).run(context -> {
            Throwable failure = context.getStartupFailure();
            assertThat(failure).as(bean.getSimpleName()).isNotNull();
            assertThat(failure).hasStackTraceContaining(message);
            assertThat(failure).hasStackTraceContaining(bean.getName() + "#");
        });
    }
}

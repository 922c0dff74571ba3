package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.PostponedException;
import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.Timers;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Tests of delivery to handlers that are beans. */
class HandlersTest {
    private static final List<String> HANDLED = new ArrayList<>();

    private final ApplicationContextRunner application;

    HandlersTest() {
        HANDLED.clear();
        application = Applications.runner().withBean(PaymentTimeouts.class);
    }

    @Test
    void eachTypeGoesToItsHandlerOnItsQueue() {
        application.withBean(Mails.class).run(context -> {
            Timers timers = context.getBean(Timers.class);
            timers.schedule(Applications.timer("order-17", "payment-timeout"));
            timers.schedule(Timer.after("m", Duration.ofMinutes(15))
                    .type("mail")
                    .queue("mails")
                    .build());

            context.getBean(TestClock.class).advance(Duration.ofMinutes(15));

            assertThat(HANDLED).containsExactlyInAnyOrder("order-17", "mail m");
        });
    }

    @Test
    void aHandlerCanScheduleAnotherTimer() {
        application.run(context -> {
            context.getBean(Timers.class).schedule(Applications.timer("remind", "payment-timeout"));

            context.getBean(TestClock.class).advance(Duration.ofMinutes(15));
            assertThat(HANDLED).containsExactly("remind");

            context.getBean(TestClock.class).advance(Duration.ofHours(1));
            assertThat(HANDLED).containsExactly("remind", "remind-again");
        });
    }

    @Test
    void aTypeWithoutAHandlerWaitsForAnotherNodeAndDelaysNoOthers() {
        application.run(context -> {
            Timers timers = context.getBean(Timers.class);
            timers.schedule(Applications.timer("a", "unknown"));
            timers.schedule(Applications.timer("b", "payment-timeout"));

            context.getBean(TestClock.class).advance(Duration.ofMinutes(15));

            assertThat(HANDLED).containsExactly("b");
            assertThat(timers.find(TimerKey.of("a")).orElseThrow().state()).isEqualTo(TimerState.SCHEDULED);
            assertThat(timers.find(TimerKey.of("a")).orElseThrow().attempt()).isZero();
        });
    }

    @Test
    void aFailingHandlerSpendsAnAttemptEvenForASingleTimer() {
        application.run(context -> {
            Timers timers = context.getBean(Timers.class);
            timers.schedule(Applications.timer("fail", "payment-timeout"));

            context.getBean(TestClock.class).advance(Duration.ofMinutes(15));
            assertThat(timers.find(TimerKey.of("fail")).orElseThrow().attempt()).isEqualTo(1);
            assertThat(context.getBean(Scheduler.class)
                            .admin()
                            .health()
                            .queues()
                            .get(0)
                            .publisherOutage())
                    .isNull();

            context.getBean(TestClock.class).advance(Duration.ofMinutes(1));
            assertThat(HANDLED).hasSizeGreaterThan(1).containsOnly("fail");
        });
    }

    @Test
    void aPostponedTimerSpendsNoAttempt() {
        application.run(context -> {
            context.getBean(Timers.class).schedule(Applications.timer("later", "payment-timeout"));

            context.getBean(TestClock.class).advance(Duration.ofMinutes(15).plusSeconds(30));

            assertThat(HANDLED).containsExactly("later");
            assertThat(context.getBean(Timers.class)
                            .find(TimerKey.of("later"))
                            .orElseThrow()
                            .attempt())
                    .isZero();
        });
    }

    @Test
    void aPublisherAndHandlersOnOneQueueAreRefused() {
        application
                .withBean(Publisher.class, InMemoryPublisher::new)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("queue default must have a Publisher or handlers but has both")
                        .hasMessageContaining(PaymentTimeouts.class.getName()));
    }

    @Test
    void twoHandlersOfOneTypeAreRefused() {
        application
                .withBean("another", PaymentTimeouts.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining(
                                "timers of type payment-timeout on queue default must have one handler but have"));
    }

    static final class PaymentTimeouts implements TimerHandler {
        private final Timers timers;

        PaymentTimeouts(Timers timers) {
            this.timers = timers;
        }

        @Override
        public String type() {
            return "payment-timeout";
        }

        @Override
        public void handle(Envelope envelope) {
            HANDLED.add(envelope.key().timerId());
            switch (envelope.key().timerId()) {
                case "fail" -> throw new IllegalArgumentException("as told");
                case "later" -> throw new PostponedException(Duration.ofMinutes(1));
                case "remind" ->
                    timers.schedule(Timer.after("remind-again", Duration.ofHours(1))
                            .type(type())
                            .build());
                default -> {}
            }
        }
    }

    static final class Mails implements TimerHandler {
        @Override
        public String type() {
            return "mail";
        }

        @Override
        public String queue() {
            return "mails";
        }

        @Override
        public void handle(Envelope envelope) {
            HANDLED.add("mail " + envelope.key().timerId());
        }
    }
}

package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerState;
import dev.duetime.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Tests of closing an application while a handler is busy with a batch. */
class ShutdownTest {
    private static final int TIMERS = 40;
    private static final int BUSY_WITH = 3;

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(url, "sa", ""));

    @Test
    void handledTimersAreSettledAndNoFurtherTimerBegins() {
        SlowHandler handler = new SlowHandler();
        Applications.inRealTime(url).withBean(SlowHandler.class, () -> handler).run(context -> {
            Thread closing = closeWhileBusy(context, handler);
            awaitWaiting(closing);
            handler.goOn.countDown();
            closing.join(TimeUnit.SECONDS.toMillis(30));
        });

        assertThat(handler.handled).hasSize(BUSY_WITH);
        assertThat(states(TimerState.REACHED)).containsExactlyInAnyOrderElementsOf(handler.handled);
        assertThat(jdbc.queryForList("SELECT attempt FROM timer_schedules WHERE state = 'SCHEDULED'", Integer.class))
                .hasSize(TIMERS - BUSY_WITH)
                .containsOnly(0);
    }

    @Test
    void handledTimersAreSettledEvenIfAHandlerIsInterrupted() {
        SlowHandler handler = new SlowHandler();
        Applications.inRealTime(url)
                .withPropertyValues("duetime.close-timeout=50ms")
                .withBean(SlowHandler.class, () -> handler)
                .run(context -> closeWhileBusy(context, handler).join(TimeUnit.SECONDS.toMillis(30)));

        assertThat(handler.handled).hasSize(BUSY_WITH - 1);
        assertThat(states(TimerState.REACHED)).containsExactlyInAnyOrderElementsOf(handler.handled);
        assertThat(jdbc.queryForList("SELECT attempt FROM timer_schedules WHERE state = 'SCHEDULED'", Integer.class))
                .hasSize(TIMERS - BUSY_WITH + 1)
                .containsOnly(0);
    }

    /** Spring wraps what a listener throws, and the interrupt flag is clear then. */
    @Test
    void anInterruptedListenerOfEventsCostsItsTimerNoAttempt() {
        SlowHandler handler = new SlowHandler();
        Applications.inRealTime(url)
                .withPropertyValues("duetime.close-timeout=50ms", "duetime.publish-events=true")
                .withBean(SlowListener.class, () -> new SlowListener(handler))
                .run(context -> closeWhileBusy(context, handler).join(TimeUnit.SECONDS.toMillis(30)));

        assertThat(states(TimerState.REACHED)).containsExactlyInAnyOrderElementsOf(handler.handled);
        assertThat(jdbc.queryForList("SELECT attempt FROM timer_schedules WHERE state = 'SCHEDULED'", Integer.class))
                .hasSize(TIMERS - BUSY_WITH + 1)
                .containsOnly(0);
    }

    private static Thread closeWhileBusy(AssertableApplicationContext context, SlowHandler handler)
            throws InterruptedException {
        context.getBean(Timers.class)
                .scheduleAll(IntStream.range(0, TIMERS)
                        .mapToObj(i -> Timer.after("t" + i, Duration.ZERO)
                                .type(handler.type())
                                .build())
                        .toList());
        assertThat(handler.busy.await(30, TimeUnit.SECONDS)).isTrue();
        Thread closing = new Thread(context.getSourceApplicationContext()::close);
        closing.start();
        return closing;
    }

    /** Waits until the closing thread waits for the handler: by then the handler's batch was told to stop. */
    private static void awaitWaiting(Thread closing) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() < until && !isInLoopClose(closing)) {
            Thread.onSpinWait();
        }
    }

    private static boolean isInLoopClose(Thread closing) {
        return closing.getState() == Thread.State.TIMED_WAITING
                && List.of(closing.getStackTrace()).stream()
                        .anyMatch(each -> each.getMethodName().equals("close")
                                && each.getClassName().startsWith("dev.duetime."));
    }

    private List<String> states(TimerState state) {
        return jdbc.queryForList("SELECT timer_id FROM timer_schedules WHERE state = ?", String.class, state.name());
    }

    /** A handler that is quick with the first timers and then waits. */
    static final class SlowHandler implements TimerHandler {
        final List<String> handled = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch busy = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        private int begun;

        @Override
        public String type() {
            return "slow";
        }

        @Override
        public void handle(Envelope envelope) throws InterruptedException {
            begun++;
            if (begun == BUSY_WITH) {
                busy.countDown();
                goOn.await();
            }
            handled.add(envelope.key().timerId());
        }
    }

    /** A listener that passes events on to a handler. */
    record SlowListener(SlowHandler handler) {
        @EventListener
        void on(Envelope envelope) throws InterruptedException {
            handler.handle(envelope);
        }
    }
}

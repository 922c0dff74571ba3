package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.ScheduleResult;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.listener.TimerListener;
import dev.duetime.specification.LogLines;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** Tests of which keys the MDC contains while the engine works, and that it is restored afterwards. */
class LogContextTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Map<String, String> OF_QUEUE = Map.of("duetime.queue", "default");
    private static final Map<String, String> OF_BAD = Map.of(
            "duetime.queue", "default",
            "duetime.tenantId", "acme",
            "duetime.timerId", "bad",
            "duetime.correlationId", "c-1");

    private final LogLines lines = LogLines.ofDuetime();
    private final List<Map<String, String>> publishing = new ArrayList<>();
    private final List<Map<String, String>> listening = new ArrayList<>();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .listener(new Listening())
                    .retry(RetryPolicy.exponential(SECOND, SECOND).maxAttempts(2)))
            .build();

    @AfterEach
    void close() {
        lines.close();
        MDC.clear();
    }

    private static Map<String, String> context() {
        return new HashMap<>(MDC.getCopyOfContextMap() == null ? Map.of() : MDC.getCopyOfContextMap());
    }

    private void schedulePoisonAmongTwo() {
        kit.publisher().onEach(envelope -> publishing.add(context()));
        kit.publisher().failOn(envelope -> envelope.key().timerId().equals("bad"));
        kit.scheduler()
                .scheduleAll(List.of(
                        Timer.after(TimerKey.of("acme", "bad"), SECOND)
                                .correlationId("c-1")
                                .build(),
                        Timer.after("good", SECOND).build(),
                        Timer.after("later", SECOND.multipliedBy(2)).build()));
    }

    @Test
    void linesOfOneTimerNameItsQueueKeyAndCorrelation() {
        schedulePoisonAmongTwo();
        kit.advance(SECOND.multipliedBy(5));

        assertThat(lines.contextOf("failed in attempt 1")).isEqualTo(OF_BAD);
        assertThat(lines.contextOf("ends as DEAD")).isEqualTo(OF_BAD);
        assertThat(listening).contains(OF_BAD);
    }

    @Test
    void aBatchNamesItsQueueAndASingleEnvelopeItself() {
        kit.publisher().onEach(envelope -> publishing.add(context()));
        kit.scheduler()
                .scheduleAll(List.of(
                        Timer.after("a", SECOND).build(),
                        Timer.after("b", SECOND).build(),
                        Timer.after("c", SECOND.multipliedBy(2)).build()));
        kit.advance(SECOND.multipliedBy(2));

        assertThat(publishing)
                .containsExactly(
                        OF_QUEUE,
                        OF_QUEUE,
                        Map.of(
                                "duetime.queue", "default",
                                "duetime.tenantId", TimerKey.DEFAULT_TENANT,
                                "duetime.timerId", "c"));
    }

    @Test
    void outagesNameTheirQueue() {
        kit.publisher().failAlways();
        kit.scheduler()
                .scheduleAll(List.of(
                        Timer.after("a", SECOND).build(),
                        Timer.after("b", SECOND).build()));
        kit.advance(SECOND);

        assertThat(lines.contextOf("is unavailable")).isEqualTo(OF_QUEUE);
    }

    @Test
    void theMdcIsRestoredAfterwards() {
        Map<String, String> mine = Map.of("user", "u-1", "duetime.queue", "mine", "duetime.timerId", "mine");
        mine.forEach(MDC::put);

        schedulePoisonAmongTwo();
        kit.advance(SECOND.multipliedBy(5));

        assertThat(context()).isEqualTo(mine);
        assertThat(listening.get(0)).as("in the caller's thread").isEqualTo(mine);
    }

    private final class Listening implements TimerListener {
        @Override
        public void scheduled(ScheduleResult result, TimerContent content) {
            listening.add(context());
        }

        @Override
        public void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {
            listening.add(context());
        }
    }
}

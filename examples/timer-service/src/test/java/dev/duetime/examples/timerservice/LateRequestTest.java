package dev.duetime.examples.timerservice;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test of commands that the broker sends to a request whose client no longer waits. */
@Timeout(60)
class LateRequestTest {
    @TempDir
    Path directory;

    @Test
    void aCommandThatComesAfterTheWaitForItNeedsNoSecondDelivery() throws Exception {
        try (OwnStreams streams = OwnStreams.open();
                LateRequest late = new LateRequest(streams.url())) {
            Map<String, String> environment = streams.environment(directory);
            streams.create(environment);
            environment.put("TIMER_BROKER_URL", late.url());
            try (TimerService service = TimerService.start(Settings.of(environment))) {
                late.awaitArrival();
                streams.send(
                        environment, "{\"tenantId\":\"acme\",\"timerId\":\"a\",\"dueAt\":\"2026-01-01T00:00:00Z\"}");
                Await.until("its delivery", () -> streams.deliveries(environment) == 1);
                late.pass();

                assertThat(streams.await(environment, 1)).hasSize(1);
                assertThat(streams.deliveries(environment)).isEqualTo(1);
                assertThat(service.port()).isPositive();
            }
        }
    }
}

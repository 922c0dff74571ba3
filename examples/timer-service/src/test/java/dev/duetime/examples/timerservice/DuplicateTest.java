package dev.duetime.examples.timerservice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Publisher;
import dev.duetime.examples.timerservice.load.ServiceProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test that kills the process at the worst moment: the event is published, the timer not yet settled. */
@Timeout(60)
class DuplicateTest {
    private static final int KILLED = 137;

    @TempDir
    Path directory;

    @Test
    void theStreamHoldsOneEventThoughItWasPublishedTwice() throws Exception {
        try (OwnStreams streams = OwnStreams.open()) {
            Map<String, String> environment = streams.environment(directory);
            streams.create(environment);
            streams.send(environment, "{\"tenantId\":\"acme\",\"timerId\":\"a\",\"dueAt\":\"2026-01-01T00:00:00Z\"}");
            try (ServiceProcess killed =
                    ServiceProcess.start(Dying.class.getName(), directory.resolve("killed.log"), environment)) {
                assertThat(killed.await()).as(killed.said()).isEqualTo(KILLED);
            }
            List<Envelope> before = streams.await(environment, 1);

            try (ServiceProcess service =
                    ServiceProcess.start(TimerService.class.getName(), directory.resolve("service.log"), environment)) {
                service.awaitReady();
                Await.until(
                        "the settled repeat",
                        () -> service.get("/metrics")
                                .contains("timer_schedules_processed_total{outcome=\"delivered\"} 1.0"));
                assertThat(service.get("/metrics")).contains("\ntimer_events_repeated_total 1.0");
            }
            assertThat(streams.events(environment)).isEqualTo(before).hasSize(1);
        }
    }

    /** The service, which ends its process when the stream has acknowledged the first batch. */
    static final class Dying {
        private Dying() {}

        public static void main(String[] args) throws Exception {
            Settings settings = Settings.of(System.getenv());
            TimerService.start(settings, settings.database().open(), Dying::dieAfter);
        }

        private static Publisher dieAfter(Publisher publisher) {
            return batch -> {
                publisher.publish(batch);
                Runtime.getRuntime().halt(KILLED);
            };
        }
    }
}

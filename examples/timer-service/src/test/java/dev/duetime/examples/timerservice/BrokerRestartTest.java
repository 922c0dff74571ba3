package dev.duetime.examples.timerservice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.examples.timerservice.load.NatsServer;
import dev.duetime.examples.timerservice.load.ServiceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the service as a process, with a NATS server that is stopped and started again. */
@Timeout(60)
class BrokerRestartTest {
    private static final int SIGTERM = 143;

    @TempDir
    Path directory;

    private NatsServer broker;
    private Map<String, String> environment;

    @BeforeEach
    void prepare() throws IOException {
        if (NatsServer.program().isEmpty()) {
            String missing = "restarts of NATS are not tested: there is no program nats-server";
            if (Boolean.parseBoolean(System.getenv("DUETIME_TEST_REQUIRED"))) {
                Assertions.fail(missing);
            }
            Assumptions.abort(missing);
        }
        broker = new NatsServer(directory);
        environment = OwnStreams.environment(broker.url(), directory);
    }

    @Test
    void aBrokerThatIsAwayAtStartAndLaterCostsOneLineEachAndNoTimer() throws Exception {
        try (NatsServer server = broker;
                ServiceProcess service = ServiceProcess.start(
                        TimerService.class.getName(), directory.resolve("service.log"), environment)) {
            service.awaitReady();
            Await.until("its complaint", () -> count(service, "is away; retrying") == 1);
            assertThat(service.get("/health"))
                    .isEqualTo("503 {\"status\":\"DOWN\",\"broker\":\"AWAY\",\"scheduler\":\"HEALTHY\","
                            + "\"commands\":\"RUNNING\"}\n");

            server.start();
            Await.until("health", () -> service.get("/health").startsWith("200"));
            OwnStreams streams = OwnStreams.on(server.url());
            Await.until("the consumer", () -> service.said().contains("commands come from"));
            Instant due = Instant.now().plusSeconds(1);
            for (int i = 0; i < 20; i++) {
                streams.send(environment, command(i, due));
            }
            streams.awaitNoCommands(environment);
            server.stop();
            // The timers fall due while the broker is away, so their delivery fails.
            Await.until("a failed attempt", () -> service.said().contains("publisher of queue default is unavailable"));
            server.start();

            assertThat(streams.await(environment, 20))
                    .extracting(each -> each.key().timerId())
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, 20).mapToObj(i -> "t" + i).toList());
            Await.until("health", () -> service.get("/health").startsWith("200"));
            streams.close();

            assertThat(service.terminate()).isEqualTo(SIGTERM);
            assertThat(count(service, "is away; retrying")).as(service.said()).isEqualTo(2);
            assertThat(count(service, "publisher of queue default is unavailable"))
                    .isEqualTo(1);
            assertThat(count(service, " WARN ") + count(service, " ERROR "))
                    .as(service.said())
                    .isEqualTo(3);
            assertThat(service.said()).endsWith("TimerService: stopped\n");
        }
    }

    @Test
    void aWrongSettingEndsTheProcessWithOneLine() throws Exception {
        environment = new HashMap<>(environment);
        environment.put("TIMER_BATCH_SIZE", "0");
        try (ServiceProcess service =
                ServiceProcess.start(TimerService.class.getName(), directory.resolve("service.log"), environment)) {
            assertThat(service.await()).isEqualTo(2);
            assertThat(service.said())
                    .isEqualTo("TIMER_BATCH_SIZE must be a whole number from 1 to 10000 but was \"0\"\n");
        }
    }

    private static long count(ServiceProcess service, String text) throws IOException {
        return service.said().lines().filter(line -> line.contains(text)).count();
    }

    private static String command(int number, Instant due) {
        return "{\"tenantId\":\"acme\",\"timerId\":\"t%d\",\"dueAt\":\"%s\"}".formatted(number, due);
    }
}

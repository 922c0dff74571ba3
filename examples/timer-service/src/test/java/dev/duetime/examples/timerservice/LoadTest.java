package dev.duetime.examples.timerservice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.examples.timerservice.load.Load;
import dev.duetime.examples.timerservice.load.LoadPlan;
import dev.duetime.examples.timerservice.load.LoadReport;
import dev.duetime.examples.timerservice.load.NatsServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A short run of {@link Load}; a missing server fails in {@link BrokerRestartTest}. */
@Timeout(60)
class LoadTest {
    @TempDir
    Path directory;

    @Test
    void eachAcceptedCommandLeadsToExactlyOneEvent() throws Exception {
        Assumptions.assumeTrue(NatsServer.program().isPresent(), "load is not tested: there is no program nats-server");

        LoadReport report = Load.run(new LoadPlan(2_000, 1, false), directory, System.out);

        assertThat(report.accepted()).isEqualTo(2_000);
        assertThat(report.isExact()).as("%s", report).isTrue();
    }
}

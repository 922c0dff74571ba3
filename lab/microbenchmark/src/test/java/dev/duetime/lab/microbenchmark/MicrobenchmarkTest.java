package dev.duetime.lab.microbenchmark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

class MicrobenchmarkTest {

    /** Checks only that each measurement still runs. */
    @Test
    void eachMeasurementRuns() throws RunnerException {
        var options = new OptionsBuilder()
                .include(".*")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(1))
                .build();

        assertThat(new Runner(options).run())
                .extracting(
                        (RunResult result) -> result.getParams().getBenchmark().replaceAll(".*\\.(\\w+\\.\\w+)", "$1"))
                .containsExactlyInAnyOrder(
                        "InFlightBenchmark.beginAndSettle",
                        "InFlightBenchmark.others",
                        "CodecBenchmark.decodePayload",
                        "CodecBenchmark.encodePayload",
                        "CodecBenchmark.readEnvelope",
                        "CodecBenchmark.writeEnvelope",
                        "HashBenchmark.hash",
                        "HashBenchmark.hash",
                        "HashBenchmark.hash");
    }
}

package dev.duetime.lab.chaos.node;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The settings that a node's process is given.
 *
 * @param name its node id, and the name of its log
 * @param url the database
 * @param logs the directory of the logs
 * @param rate how many timers it schedules a second
 * @param lease its {@code leaseDuration}
 * @param delay the longest delay of a timer
 */
public record NodeSettings(String name, String url, Path logs, double rate, Duration lease, Duration delay) {

    static NodeSettings parse(String[] args) {
        return new NodeSettings(
                args[0],
                args[1],
                Path.of(args[2]),
                Double.parseDouble(args[3]),
                Duration.parse(args[4]),
                Duration.parse(args[5]));
    }

    List<String> toArguments() {
        return List.of(name, url, logs.toString(), String.valueOf(rate), lease.toString(), delay.toString());
    }

    NodeSettings named(String other) {
        return new NodeSettings(other, url, logs, rate, lease, delay);
    }

    Path log() {
        return logs.resolve(name + ".log");
    }
}

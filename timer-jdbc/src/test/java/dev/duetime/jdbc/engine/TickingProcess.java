package dev.duetime.jdbc.engine;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.passage.TimeHasPassed;
import dev.duetime.recurrence.CatchUp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/**
 * The program of a node that receives the event of each second and appends it to a log, one write a batch, so that the
 * log survives the process. It ends when its standard input ends.
 */
final class TickingProcess {
    static final String ALL = "all";
    static final String LATEST = "latest";

    /** Two files. The node that removes one of them stops, before or after it has logged the event of a second. */
    static final String STAND_STILL_BEFORE = "before";

    static final String STAND_STILL_AFTER = "after";
    static final String STANDS_STILL = "stands-still";

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(3);

    private final String name;
    private final Path folder;
    private final FileChannel log;

    private TickingProcess(String name, Path folder) throws IOException {
        this.name = name;
        this.folder = folder;
        log = FileChannel.open(log(folder), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    static Path log(Path folder) {
        return folder.resolve("log");
    }

    /** Runs a node: its name, the URL of a database with its tables, the folder of the log. */
    public static void main(String[] args) throws IOException {
        TickingProcess node = new TickingProcess(args[0], Path.of(args[2]));
        HikariDataSource pool = FreshDatabases.pool(args[1]);
        Scheduler.builder()
                .store(JdbcScheduleStore.builder(pool).migrate(false).build())
                .leaseDuration(LEASE)
                .extension(node.seconds())
                .build()
                .start();
        while (System.in.read() >= 0) {
            // The parent writes nothing.
        }
        Runtime.getRuntime().halt(1);
    }

    private PassageOfTime seconds() {
        Publisher all = batch -> {
            standStillIf(STAND_STILL_BEFORE);
            append(ALL, batch);
            standStillIf(STAND_STILL_AFTER);
        };
        Publisher latest = batch -> append(LATEST, batch);
        return PassageOfTime.builder()
                .publishEvery(SECOND, ALL, CatchUp.ALL, all)
                .publishEvery(SECOND, LATEST, latest)
                .build();
    }

    private void append(String subscription, List<Envelope> batch) {
        write(batch.stream().map(each -> line(subscription, each)).collect(Collectors.joining()));
    }

    private String line(String subscription, Envelope envelope) {
        TimeHasPassed event = TimeHasPassed.from(envelope);
        return "%s %s %s %s %s%n".formatted(name, subscription, envelope.id(), event.now(), event.previous());
    }

    private synchronized void write(String lines) {
        try {
            log.write(ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void standStillIf(String file) throws InterruptedException, IOException {
        if (Files.deleteIfExists(folder.resolve(file))) {
            write("%s %s - - -%n".formatted(name, STANDS_STILL));
            new CountDownLatch(1).await();
        }
    }
}

package dev.duetime.lab.chaos.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An append-only file. What {@link #append} has written survives the death of the process, but not necessarily that of
 * the machine. Thread-safe.
 */
public final class Log implements Closeable {
    private final FileChannel file;

    public Log(Path path) {
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the time, in microseconds since 1970. */
    public static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    public void append(Entry entry) {
        append(List.of(entry));
    }

    /** Appends the entries in one write. */
    public synchronized void append(List<? extends Entry> entries) {
        String lines = entries.stream().map(each -> each.line() + "\n").collect(Collectors.joining());
        ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

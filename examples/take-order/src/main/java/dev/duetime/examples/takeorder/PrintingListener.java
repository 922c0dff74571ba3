package dev.duetime.examples.takeorder;

import dev.duetime.Envelope;
import dev.duetime.StoredTimer;
import dev.duetime.listener.TimerListener;
import java.io.PrintStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A listener that prints how orders go from step to step, and what fails. Thread-safe. */
final class PrintingListener implements TimerListener {
    private final PrintStream out;

    PrintingListener(PrintStream out) {
        this.out = out;
    }

    @Override
    public void advanced(StoredTimer todo, StoredTimer next) {
        out.printf(
                "%s: %s -> %s%n",
                orderId(todo.key().timerId()),
                todo.content().step(),
                next.content().step());
    }

    @Override
    public void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {
        out.printf(
                "%s: %s, %s%n",
                orderId(envelope.event().key().timerId()),
                error.getMessage(),
                retryAt == null ? "given up" : "tried again");
    }

    private static String orderId(String todoId) {
        return todoId.replaceFirst("^take-", "");
    }
}

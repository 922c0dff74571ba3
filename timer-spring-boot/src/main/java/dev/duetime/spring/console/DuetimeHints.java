package dev.duetime.spring.console;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image must keep in addition to what Spring and our other jars name. Thread-safe. */
public final class DuetimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.reflection().registerTypeIfPresent(loader, ConsoleMount.SECURITY, type -> {});
    }
}

package dev.duetime.console;

import dev.duetime.Scheduler;
import dev.duetime.console.internal.action.Runs;
import dev.duetime.console.internal.page.Links;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Builds a {@link Console}. Each setting has a default. Not thread-safe. */
public final class ConsoleBuilder {
    private static final Pattern BASE = Pattern.compile("(/[A-Za-z0-9._~-]+)*");

    /** An open page asks every two seconds. */
    private static final Duration FRESH = Duration.ofSeconds(2);

    private final Scheduler scheduler;
    private @Nullable ConsoleAccess access;
    private final Set<String> hosts = new TreeSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
    private String basePath = "";
    private boolean showsPayloads;

    ConsoleBuilder(Scheduler scheduler) {
        this.scheduler = Objects.requireNonNull(scheduler, "scheduler must not be null");
    }

    /**
     * Sets who may see and do what. By default the console is served to this machine only, where everybody may do
     * everything as {@code local}.
     */
    public ConsoleBuilder access(ConsoleAccess function) {
        access = Objects.requireNonNull(function, "access must not be null");
        return this;
    }

    /**
     * Sets the names under which browsers reach the console, without ports, in addition to the names of this machine
     * itself; {@code *} for any. A request for another name is refused, so that a foreign site whose name points here
     * cannot use the console.
     */
    public ConsoleBuilder hosts(String... names) {
        for (String name : names) {
            hosts.add(name.toLowerCase(Locale.ROOT));
        }
        return this;
    }

    /**
     * Sets the path before each path of the console, as browsers see it; none by default.
     *
     * @param path for example {@code /ops/timers}
     * @throws IllegalArgumentException if the path does not begin with a slash, ends with one, or contains other
     *     characters than letters, digits, dots, dashes, underlines and tildes
     */
    public ConsoleBuilder basePath(String path) {
        if (!isBasePath(path)) {
            throw new IllegalArgumentException("basePath must be like /ops/timers but was " + path);
        }
        basePath = path;
        return this;
    }

    /** Lets the console show payloads. By default it shows only their size. */
    public ConsoleBuilder showPayloads() {
        showsPayloads = true;
        return this;
    }

    static boolean isBasePath(String path) {
        return BASE.matcher(path).matches();
    }

    /** Returns whether an access function is set. */
    boolean hasAccess() {
        return access != null;
    }

    /** Returns the console. */
    public Console build() {
        return build(Runs.threads(), FRESH);
    }

    /** Returns the console with other threads for operations on many timers, and answers shared for another time. */
    Console build(Executor executor, Duration fresh) {
        return new Console(
                scheduler, new Links(basePath), showsPayloads, access, new Guard(Set.copyOf(hosts)), executor, fresh);
    }
}

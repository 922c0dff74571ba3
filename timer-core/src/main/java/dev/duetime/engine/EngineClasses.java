package dev.duetime.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classes that loops need, ours and those of the JVM and of libraries, and that have something to initialize. If a
 * class is first used while the heap is full, its initialization fails, and the JVM never tries again. So they are
 * initialized before the loops begin. Thread-safe.
 */
final class EngineClasses {
    private static final Logger LOG = LoggerFactory.getLogger(EngineClasses.class);
    static final String OURS = "classes.txt";
    private static final String OTHERS = "classes-of-others.txt";

    private static final AtomicBoolean INITIALIZED = new AtomicBoolean();

    private EngineClasses() {}

    /** Initializes the classes, once in a JVM. */
    static void initialize() {
        if (INITIALIZED.compareAndSet(false, true)) {
            names(OURS).forEach(EngineClasses::initialize);
            names(OTHERS).forEach(EngineClasses::initialize);
        }
    }

    private static void initialize(String name) {
        try {
            Class.forName(name, true, EngineClasses.class.getClassLoader());
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            // An optional library is missing, or is of another version, and so nothing needs the class. That is usual:
            // a stack trace would look like an error in the first log of a program.
            LOG.debug("class {} is not initialized: it is not there, and so nothing needs it", name);
        }
    }

    /** Returns the names of the classes in a file. A native image has neither the file nor the problem. */
    static List<String> names(String list) {
        try (@Nullable InputStream file = EngineClasses.class.getResourceAsStream(list)) {
            return file == null
                    ? List.of()
                    : new String(file.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .toList();
        } catch (IOException e) {
            LOG.debug("the list {} cannot be read", list, e);
            return List.of();
        }
    }
}

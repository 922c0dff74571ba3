package dev.duetime.specification;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The log lines of all loggers below a name, down to TRACE, until closed. */
public final class LogLines implements AutoCloseable {
    private final Logger logger;
    private final @Nullable Level before;
    private final Collector collector = new Collector();

    LogLines(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        before = logger.getLevel();
        logger.setLevel(Level.TRACE);
        collector.setContext(logger.getLoggerContext());
        collector.start();
        logger.addAppender(collector);
    }

    public static LogLines ofDuetime() {
        return new LogLines("dev.duetime");
    }

    public static LogLines ofAll() {
        return new LogLines(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    Stream<ILoggingEvent> of(Level level) {
        return collector.events.stream().filter(each -> each.getLevel() == level);
    }

    public List<String> messages(Level level) {
        return of(level).map(ILoggingEvent::getFormattedMessage).toList();
    }

    public List<ILoggingEvent> all() {
        return List.copyOf(collector.events);
    }

    public Map<String, String> contextOf(String part) {
        return collector.events.stream()
                .filter(each -> each.getFormattedMessage().contains(part))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line says " + part))
                .getMDCPropertyMap();
    }

    @Override
    public void close() {
        logger.detachAppender(collector);
        logger.setLevel(before);
    }

    private static final class Collector extends AppenderBase<ILoggingEvent> {
        private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            event.prepareForDeferredProcessing();
            events.add(event);
        }
    }
}

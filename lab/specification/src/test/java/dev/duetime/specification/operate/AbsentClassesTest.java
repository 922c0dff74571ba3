package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.duetime.specification.LogLines;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/** A class of an optional library that is not on the class path is no error. */
class AbsentClassesTest {

    @Test
    void anAbsentClassIsNamedInTheLogWithoutAStackTrace() throws ReflectiveOperationException {
        // The engine does this once in a JVM, and another test may have been first.
        Method initialize =
                Class.forName("dev.duetime.engine.EngineClasses").getDeclaredMethod("initialize", String.class);
        initialize.setAccessible(true);

        try (LogLines log = LogLines.ofDuetime()) {
            initialize.invoke(null, "no.such.library.Type");

            assertThat(log.all())
                    .singleElement()
                    .satisfies(line -> assertThat(line.getFormattedMessage()).contains("no.such.library.Type"))
                    .extracting(ILoggingEvent::getThrowableProxy)
                    .isNull();
        }
    }
}

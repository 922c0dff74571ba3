package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The rule that no text from outside reaches the log of the console unescaped. */
class ConsoleLogTest extends ConsoleKit {
    private static final String FORGED = "anna\nERROR forged";

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.duetime.console");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    private String logged() {
        return List.copyOf(lines.list).stream()
                .map(each -> each.getFormattedMessage()
                        + (each.getThrowableProxy() == null
                                ? ""
                                : ThrowableProxyUtil.asString(each.getThrowableProxy())))
                .collect(Collectors.joining());
    }

    @Test
    void anAccessFunctionThatFailsForgesNoLine() {
        console = Console.of(kit.scheduler())
                .access(request -> {
                    throw new IllegalStateException("nobody is called " + FORGED);
                })
                .build();

        assertThat(get("/").status()).isEqualTo(403);

        assertThat(logged())
                .contains("the access function of the console failed", "IllegalStateException", "ConsoleLogTest")
                .doesNotContain("nobody is called");
    }

    @Test
    @SuppressWarnings("NullAway") // That is what the test is about.
    void anAccessFunctionThatReturnsNullGrantsNothing() {
        Map<String, Grant> known = Map.of();
        console =
                Console.of(kit.scheduler()).access(request -> known.get("anna")).build();

        assertThat(get("/").status()).isEqualTo(403);
        assertThat(logged()).contains("the access function of the console failed");
    }

    @Test
    void anOperatorWithALineBreakInTheNameForgesNoLine() {
        grant(Grant.operate(FORGED));

        post("/do/all", "action=cancel&tenant=acme&typed=cancel");

        assertThat(logged()).contains("anna\\u000aERROR forged").doesNotContain(FORGED);
    }
}

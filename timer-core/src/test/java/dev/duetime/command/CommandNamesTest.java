package dev.duetime.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.MalformedMessageException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The rule that nothing of a command stays in memory after it was refused. */
class CommandNamesTest {
    private static final int MESSAGES = 150;
    private static final int NAMES = 20;
    private static final int LENGTH = 49_000;

    private static byte[] withLongNames(int number) {
        StringBuilder command = new StringBuilder(
                "{\"tenantId\":\"a\",\"timerId\":\"1\",\"type\":\"t\",\"dueAt\":\"2030-01-01T00:00:00Z\","
                        + "\"headers\":{");
        for (int i = 0; i < NAMES; i++) {
            String name = number + "-" + i + "-";
            command.append(i == 0 ? "" : ",")
                    .append('"')
                    .append(name)
                    .append("n".repeat(LENGTH))
                    .append("\":\"\"");
        }
        return command.append("}}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void theLongNamesOfRefusedCommandsAreForgotten() {
        long before = usedBytes();
        for (int i = 0; i < MESSAGES; i++) {
            byte[] command = withLongNames(i);
            assertThatThrownBy(() -> ScheduleTimer.parse(command)).isInstanceOf(MalformedMessageException.class);
        }

        assertThat(usedBytes() - before).isLessThan((long) MESSAGES * NAMES * LENGTH / 3);
    }
}

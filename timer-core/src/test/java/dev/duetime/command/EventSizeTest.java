package dev.duetime.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.JacksonCodec;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.engine.schedule.ContentResolver;
import dev.duetime.engine.settings.ContentRules;
import dev.duetime.engine.settings.Deadlines;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * The rule that an event is at most 4 KiB larger than its command, however the command is written. So a service that
 * refuses commands up to 4 KiB below the limit of its broker can publish the event of each command that it accepts.
 */
class EventSizeTest {
    private static final int COMMANDS = 200;
    private static final int LARGER = 4 * 1024;
    private static final ContentResolver RESOLVER =
            new ContentResolver(new ContentRules(JacksonCodec.standard(), 1024 * 1024, Deadlines.NONE, Set.of()));
    private static final Instant LONGEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    /** Each as it is written in JSON. The forms of one character differ in length. */
    private static final String[] PIECES = {
        "a",
        "é",
        "€",
        "😀",
        "\\u00e9",
        "\\u20ac",
        "\\ud83d\\ude00",
        "\\\"",
        "\\u0022",
        "\\\\",
        "\\/",
        "/",
        "\\u002f",
        "\u2028",
        "<",
        "'",
        "\\u003c"
    };

    /** Some that only a payload may have, since they are control characters. */
    private static final String[] ANY = {"\\u0000", "\\u001f", "\\n", "\\t", "\\b", "\\u0085"};

    @RepeatedTest(10)
    void anEventIsLittleLargerThanItsCommand(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        for (int i = 0; i < COMMANDS; i++) {
            byte[] command = command(random).getBytes(StandardCharsets.UTF_8);

            Timer timer = ScheduleTimer.parse(command);

            assertThat(event(timer).getBytes(StandardCharsets.UTF_8).length - command.length)
                    .as(() -> new String(command, StandardCharsets.UTF_8))
                    .isLessThan(LARGER);
        }
    }

    /** Returns the largest event that the timer may have: with the longest times, and all that commands leave out. */
    private static String event(Timer timer) {
        TimerContent content = RESOLVER.content(timer, LONGEST.minusSeconds(60), null);
        return new Envelope(
                        UUID.randomUUID().toString(),
                        content.queue(),
                        Integer.MAX_VALUE,
                        content.priority(),
                        content.headers(),
                        new DueTimeReached(
                                timer.key(),
                                content.type(),
                                LONGEST,
                                LONGEST,
                                LONGEST,
                                LONGEST,
                                content.correlationId(),
                                content.payload()))
                .toJson();
    }

    private static String command(Random random) {
        StringBuilder command = new StringBuilder("{\"tenantId\":\"%s\",\"timerId\":\"%s\",\"delay\":\"PT1S\""
                .formatted(text(random, 120), text(random, 120)));
        if (random.nextBoolean()) {
            command.append(",\"correlationId\":\"%s\",\"type\":\"%s\"".formatted(text(random, 120), text(random, 120)));
        }
        if (random.nextBoolean()) {
            command.append(",\"queue\":\"%s\",\"priority\":-7".formatted(text(random, 30)));
        }
        if (random.nextBoolean()) {
            command.append(",\"headers\":{");
            for (int i = 0; i < 1 + random.nextInt(60); i++) {
                command.append(i == 0 ? "" : ",")
                        .append("\"%s%d\":\"%s\"".formatted(text(random, 40), i, text(random, 900)));
            }
            command.append('}');
        }
        return command.append(payload(random)).append('}').toString();
    }

    private static String payload(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> ",\"payload\":\"" + value(random) + "\"";
            case 1 -> ",\"payload\":[1e5,1E400,-0.0,1e-300,100000000000000000000,0.1,\"" + value(random) + "\"]";
            case 2 -> ",\"payload\":{\"" + value(random) + "\":null}";
            case 3 ->
                ",\"payloadBase64\":\""
                        + base64(Arrays.toString(random.ints(999).toArray()) + "\u0000") + "\"";
            case 4 -> ",\"payloadBase64\":\"" + base64("{\"a\" :\r\n[ 1 , \"" + value(random) + "\"] }") + "\"";
            default -> "";
        };
    }

    private static String base64(String text) {
        return Base64.getEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Random random, int most) {
        StringBuilder text = new StringBuilder("a");
        for (int i = random.nextInt(most); i > 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private static String value(Random random) {
        StringBuilder text = new StringBuilder(text(random, 500));
        for (int i = random.nextInt(500); i > 0; i--) {
            text.append(ANY[random.nextInt(ANY.length)]);
        }
        return text.toString();
    }
}

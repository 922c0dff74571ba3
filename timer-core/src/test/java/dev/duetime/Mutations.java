package dev.duetime;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Texts that are almost right, made from texts that are right, by one seed. Used by one thread. */
final class Mutations {
    private static final List<String> ODDITIES = List.of(
            "null",
            "true",
            "-0",
            "1e999999999",
            "1E-999999999",
            "[",
            "{",
            "}",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\\u0000",
            "\\ud800",
            "\u0000",
            "\n",
            "\r\n",
            "\t",
            " ",
            "\u2028",
            "\u202e",
            "\u00e9",
            "\ud83d\ude00",
            "\ud800",
            "'",
            "/",
            "-",
            "*",
            "*/0",
            "*/5 1-/ 1 1 1",
            "1-/",
            "0 0 30 2 *",
            "L",
            "W",
            "#",
            "?",
            "MON-",
            "@yearly",
            "cron \"* * * * *\" UTC",
            "UTC",
            "Z",
            "+18:00",
            "-18:00",
            "GMT0",
            "Europe/Berlin",
            "America/New_York",
            "SystemV/PST8",
            "catchUp=ALL",
            "first=",
            "fiscal=",
            "anchor=",
            "anchor=-1000000000-01-01T00:00:00Z",
            "PT0S",
            "-PT1S",
            "PT0.000000001S",
            "PT2562047788015215H30M8S",
            "P106751991167300D",
            "PT9223372036854775807S",
            "PT-9223372036854775808S",
            "0000-01-01T00:00:00Z",
            "-999999999-01-01T00:00:00+18:00",
            "+999999999-12-31T23:59:59.999999999-18:00",
            "9999-12-31T23:59:59.9999999Z",
            "+1000000000-12-31T23:59:59Z",
            "2147483648",
            "-2147483649",
            "9223372036854775808",
            "0.1",
            "\"a\":",
            "\"payload\":",
            "\"payloadBase64\":\"!\",",
            "\"headers\":{\"a\\nb\":1},",
            "\"recurrence\":",
            "\"dueAt\":",
            "\"delay\":",
            "\"event\":");

    private final SplittableRandom random;
    private final List<byte[]> seeds;

    Mutations(long seed, List<String> seeds) {
        random = new SplittableRandom(seed);
        this.seeds = seeds.stream()
                .map(each -> each.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    byte[] next() {
        byte[] text = any();
        for (int changes = random.nextInt(5); changes > 0; changes--) {
            text = changed(text);
        }
        return text;
    }

    private byte[] any() {
        return seeds.get(random.nextInt(seeds.size()));
    }

    private byte[] changed(byte[] text) {
        int from = random.nextInt(text.length + 1);
        int to = Math.min(text.length, from + random.nextInt(12));
        return switch (random.nextInt(8)) {
            case 0 -> replaced(text, from, from, oddity());
            case 1 -> replaced(text, from, to, oddity());
            case 2 -> replaced(text, from, to, new byte[0]);
            case 3 -> replaced(text, from, from, Arrays.copyOfRange(text, from, to));
            case 4 -> replaced(text, from, Math.min(text.length, from + 1), new byte[] {(byte) random.nextInt(256)});
            case 5 -> {
                byte[] other = any();
                int at = random.nextInt(other.length + 1);
                yield replaced(text, from, text.length, Arrays.copyOfRange(other, at, other.length));
            }
            case 6 -> replaced(text, from, to, String.valueOf(random.nextLong()).getBytes(StandardCharsets.UTF_8));
            default -> random.nextInt(40) > 0 ? changed(text) : replaced(text, from, from, tooMuch());
        };
    }

    private byte[] oddity() {
        return ODDITIES.get(random.nextInt(ODDITIES.size())).getBytes(StandardCharsets.UTF_8);
    }

    /** Texts that are valid but too large: too many levels or digits, or too long a name. */
    private byte[] tooMuch() {
        int length = 400 + random.nextInt(1_200);
        return switch (random.nextInt(4)) {
            case 0 -> ("[".repeat(length) + "]".repeat(length)).getBytes(StandardCharsets.UTF_8);
            case 1 -> "1".repeat(length).getBytes(StandardCharsets.UTF_8);
            case 2 -> ("\"" + "n".repeat(length * 50) + "\":1,").getBytes(StandardCharsets.UTF_8);
            default -> "1,".repeat(length).getBytes(StandardCharsets.UTF_8);
        };
    }

    private static byte[] replaced(byte[] text, int from, int to, byte[] by) {
        byte[] result = new byte[text.length - (to - from) + by.length];
        System.arraycopy(text, 0, result, 0, from);
        System.arraycopy(by, 0, result, from, by.length);
        System.arraycopy(text, to, result, from + by.length, text.length - to);
        return result;
    }
}

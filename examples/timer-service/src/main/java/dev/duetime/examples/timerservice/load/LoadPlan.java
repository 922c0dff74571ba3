package dev.duetime.examples.timerservice.load;

import java.time.Duration;

/**
 * The plan of a run.
 *
 * @param rate commands a second
 * @param seconds for how long they are sent
 * @param restart whether the broker is stopped in the middle, and started again after {@link #AWAY}
 */
public record LoadPlan(int rate, int seconds, boolean restart) {
    static final Duration AWAY = Duration.ofSeconds(5);
    static final String USAGE = "Load [--rate 1..100000] [--seconds 1..3600] [--restart]; 2000 a second for 60 s";

    /** @throws IllegalArgumentException if an argument is unknown or out of range */
    static LoadPlan parse(String... args) {
        int rate = 2_000;
        int seconds = 60;
        boolean restart = false;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--rate" -> rate = number(args, ++i, 100_000);
                case "--seconds" -> seconds = number(args, ++i, 3_600);
                case "--restart" -> restart = true;
                default -> throw new IllegalArgumentException("unknown argument " + args[i] + "; " + USAGE);
            }
        }
        return new LoadPlan(rate, seconds, restart);
    }

    int commands() {
        return rate * seconds;
    }

    /**
     * Returns the range of the due times of timers that are scheduled at one moment: 4 s, or as long as a shorter run.
     */
    int spreadMillis() {
        return 1_000 * Math.min(4, seconds);
    }

    private static int number(String[] args, int index, int most) {
        int number = index < args.length && args[index].matches("\\d{1,6}") ? Integer.parseInt(args[index]) : 0;
        if (number < 1 || number > most) {
            throw new IllegalArgumentException("%s must be from 1 to %d; %s".formatted(args[index - 1], most, USAGE));
        }
        return number;
    }
}

package dev.duetime.lab.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The two-sided test of Mann and Whitney: how likely ranks as uneven as these are if both samples have the same
 * distribution. The probability is exact for small samples, ties included. For larger ones it comes from 100,000 random
 * divisions, always the same ones.
 */
final class RankTest {
    /** Up to this number, all divisions are tried: 184,756 for two samples of ten. */
    private static final int SMALL = 20;

    private static final int DRAWS = 100_000;
    private static final long SEED = 42;
    private static final double TOLERANCE = 1e-9;

    private final double[] ranks;
    private final int size;
    private final double expected;
    private final double distance;
    private long asUneven;
    private long all;

    private RankTest(List<Double> first, List<Double> second) {
        ranks = ranks(Stream.concat(first.stream(), second.stream()).toList());
        size = first.size();
        expected = size * (ranks.length + 1) / 2.0;
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += ranks[i];
        }
        distance = Math.abs(sum - expected);
    }

    /**
     * Returns the probability of a difference as large as that of these samples by chance.
     *
     * @throws IllegalArgumentException if a sample is empty
     */
    static double probability(List<Double> first, List<Double> second) {
        if (first.isEmpty() || second.isEmpty()) {
            throw new IllegalArgumentException("samples must not be empty but were " + first + " and " + second);
        }
        RankTest test = new RankTest(first, second);
        if (test.ranks.length <= SMALL) {
            test.divide(0, test.size, 0);
        } else {
            test.draw();
        }
        return (double) test.asUneven / test.all;
    }

    private void divide(int from, int wanted, double sum) {
        if (wanted == 0) {
            count(sum);
            return;
        }
        for (int i = from; i <= ranks.length - wanted; i++) {
            divide(i + 1, wanted - 1, sum + ranks[i]);
        }
    }

    private void draw() {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] shuffled = ranks.clone();
        for (int i = 0; i < DRAWS; i++) {
            double sum = 0;
            for (int j = 0; j < size; j++) {
                int other = random.nextInt(j, shuffled.length);
                double drawn = shuffled[other];
                shuffled[other] = shuffled[j];
                shuffled[j] = drawn;
                sum += drawn;
            }
            count(sum);
        }
    }

    private void count(double sum) {
        all++;
        if (Math.abs(sum - expected) >= distance - TOLERANCE) {
            asUneven++;
        }
    }

    /** Returns the rank of each value, from 1; equal values share the mean of their ranks. */
    private static double[] ranks(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        sorted.sort(null);
        return values.stream()
                .mapToDouble(value -> (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2.0 + 1)
                .toArray();
    }
}

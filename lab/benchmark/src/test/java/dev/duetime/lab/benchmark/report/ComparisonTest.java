package dev.duetime.lab.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.duetime.lab.benchmark.report.Comparison.Line;
import dev.duetime.lab.benchmark.report.Comparison.Verdict;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of the comparison of two runs. The probabilities are those of the tables of Mann and Whitney. */
class ComparisonTest {
    private static final List<String> NAME = List.of("fire duetime", "deleted", "per_second");

    private static Line compare(List<Double> first, List<Double> second) {
        List<Line> lines =
                Comparison.compare(Map.of(NAME, first, List.of("other", "", ""), List.of(1.0)), Map.of(NAME, second));
        assertThat(lines).hasSize(1);
        return lines.get(0);
    }

    @Test
    void valuesThatDoNotOverlapAreDifferent() {
        Line line = compare(List.of(100.0, 101.0, 102.0, 103.0), List.of(200.0, 202.0, 204.0, 206.0));

        assertThat(line.verdict()).isEqualTo(Verdict.DIFFERENT);
        assertThat(line.probability()).isCloseTo(2 / 70.0, within(1e-9));
        assertThat(line.ratio()).isEqualTo(2.0);
        assertThat(line.low()).isBetween(1.9, 2.0);
        assertThat(line.high()).isBetween(2.0, 2.1);
    }

    @Test
    void valuesThatOverlapAreWithinNoise() {
        Line line = compare(List.of(90.0, 100.0, 110.0, 120.0), List.of(95.0, 105.0, 115.0, 125.0));

        assertThat(line.verdict()).isEqualTo(Verdict.WITHIN_NOISE);
        assertThat(line.probability()).isGreaterThan(0.5);
    }

    @Test
    void equalValuesSayNothing() {
        assertThat(compare(List.of(5.0, 5.0, 5.0, 5.0), List.of(5.0, 5.0, 5.0, 5.0))
                        .probability())
                .isEqualTo(1.0);
    }

    @Test
    void threeRepetitionsAreTooFew() {
        Line line = compare(List.of(1.0, 2.0, 3.0), List.of(10.0, 20.0, 30.0));

        assertThat(line.verdict()).isEqualTo(Verdict.TOO_FEW_REPETITIONS);
        assertThat(line.probability()).isCloseTo(2 / 20.0, within(1e-9));
    }

    @Test
    void largeSamplesAreComparedByRandomDivisions() {
        List<Double> low = IntStream.range(0, 15).mapToObj(i -> 100.0 + i).toList();
        List<Double> high = IntStream.range(0, 15).mapToObj(i -> 107.0 + i).toList();

        assertThat(compare(low, high).probability()).isBetween(0.0001, 0.02);
        assertThat(compare(low, low).probability()).isEqualTo(1.0);
    }

    @Test
    void aSampleIsNotEmpty() {
        assertThatThrownBy(() -> RankTest.probability(List.of(), List.of(1.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not be empty");
    }
}

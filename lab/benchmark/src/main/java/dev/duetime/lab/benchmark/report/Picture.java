package dev.duetime.lab.benchmark.report;

import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.run.Results;
import dev.duetime.lab.benchmark.run.Results.Line;
import dev.duetime.lab.benchmark.scenario.Scenario;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The picture of a scenario. It chooses the kind of chart. */
public final class Picture {

    private Picture() {}

    public static String of(Arguments arguments, Results results) {
        String of = " on " + arguments.database().label();
        return switch (arguments.scenario()) {
            case "lateness" ->
                LineChart.distribution("Percent of timers delivered at most so many ms late" + of, results.lines());
            case "backlog" ->
                LineChart.curve(
                        "Timers fired a second" + of + ", by timers that wait for later", curves(results.lines()));
            default -> boxes(arguments.scenario(), of, results);
        };
    }

    private static String boxes(String scenario, String of, Results results) {
        String metric = Scenario.named(scenario).pictured();
        return BoxPlot.draw(
                scenario + of + ": " + metric.replace('_', ' '),
                results.summary().stream()
                        .filter(result -> result.metric().equals(metric))
                        .sorted(Comparator.comparing(Results.Result::variant))
                        .toList());
    }

    /** Each variant measured one point of a contestant's curve. */
    private static List<Line> curves(List<Line> points) {
        Map<String, List<Line>> byContestant = new LinkedHashMap<>();
        for (Line point : points) {
            byContestant
                    .computeIfAbsent(point.contestant(), contestant -> new ArrayList<>())
                    .add(point);
        }
        List<Line> curves = new ArrayList<>();
        byContestant.forEach((contestant, of) -> curves.add(new Line(
                contestant,
                "",
                of.stream().flatMap(point -> point.points().stream()).toList())));
        return curves;
    }
}

package dev.duetime.lab.benchmark.report;

import dev.duetime.lab.benchmark.run.Results.Result;
import java.util.List;

/** A chart of one metric as bars on a logarithmic axis, with the median and the spread. */
final class BarChart {
    private static final int WIDTH = 760;
    private static final int LEFT = 250;
    private static final int TOP = 40;
    private static final int ROW = 22;

    private BarChart() {}

    static String draw(String title, List<Result> results) {
        int height = TOP + ROW * (results.size() + 2);
        Svg svg = new Svg(WIDTH, height);
        svg.text(10, 20, "start", title);
        double least =
                results.stream().mapToDouble(each -> each.value().min()).min().orElse(1);
        double most =
                results.stream().mapToDouble(each -> each.value().max()).max().orElse(1);
        Axis axis = Axis.of(least / 10, most, LEFT, WIDTH - 130);
        for (double mark : axis.marks()) {
            svg.grid(axis.at(mark), TOP, axis.at(mark), height - ROW);
            svg.text(axis.at(mark), height - 6, "middle", Axis.label(mark));
        }
        double y = TOP;
        for (Result each : results) {
            double end = axis.at(each.value().median());
            svg.text(LEFT - 8, y + 15, "end", each.contestant() + " " + each.variant());
            svg.box(
                    LEFT,
                    y + 4,
                    end - LEFT,
                    ROW - 8,
                    Svg.Color.of(each.contestant(), 0).paint());
            svg.grid(
                    axis.at(each.value().min()),
                    y + ROW / 2.0,
                    axis.at(each.value().max()),
                    y + ROW / 2.0);
            svg.text(end + 6, y + 15, "start", Report.number(each.value().median()));
            y += ROW;
        }
        return svg.toString();
    }
}

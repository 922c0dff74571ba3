package dev.duetime.examples.takeorder;

import dev.duetime.examples.takeorder.Faults.Moment;
import java.util.List;
import java.util.stream.Stream;

/**
 * A point at which an order stops.
 *
 * @param step the step
 * @param moment before the step has done anything, or after it has done everything and nothing is committed
 */
record Point(String step, Moment moment) {

    /** Returns all points, in their order. */
    static List<Point> all() {
        return TakeOrder.STEPS.stream()
                .flatMap(step -> Stream.of(Moment.values()).map(moment -> new Point(step, moment)))
                .toList();
    }

    /** Returns the id of the order that stops here. */
    String orderId() {
        return step + "-" + moment;
    }

    /** Returns how many steps are durable here. */
    int stepsDone() {
        return TakeOrder.STEPS.indexOf(step);
    }
}

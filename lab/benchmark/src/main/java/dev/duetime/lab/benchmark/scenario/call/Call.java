package dev.duetime.lab.benchmark.scenario.call;

import java.util.function.IntFunction;
import java.util.function.Supplier;

/** A call of the store that is made several times. What it needs is made before, and not measured. */
interface Call {

    /** Prepares one call and returns it. */
    Supplier<Object> prepare(int time);

    /** Returns a call that needs nothing. */
    static Call of(IntFunction<Object> call) {
        return time -> () -> call.apply(time);
    }
}

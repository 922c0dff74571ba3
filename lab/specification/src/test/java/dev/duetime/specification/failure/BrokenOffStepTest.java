package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule of {@link BrokenOffTurnTest}, for errors before any step of the engine, also those between two calls of the
 * clock or the store, and those in the threads of calls and of operators: what a turn takes is forgotten only after it
 * is done. {@link EachBrokenOffStepTest} leaves out no step.
 */
class BrokenOffStepTest {
    /** A prime number, so that each queue has errors in all classes. */
    private static final int STRIDE = 61;

    private static final Method RUN = runs();

    /** Returns how many steps later the heap is full in the next run. */
    int stride() {
        return STRIDE;
    }

    private static Method runs() {
        try {
            Class<?> queues = new EngineSteps.Loader().loadClass(BrokenOffQueue.class.getName());
            Method run = queues.getDeclaredMethod("run", String.class, IntPredicate.class, List.class);
            run.setAccessible(true);
            return run;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void run(BrokenOffQueue queue, IntPredicate fails, List<String> wrong) {
        try {
            RUN.invoke(null, queue.name(), fails, wrong);
        } catch (InvocationTargetException e) {
            wrong.add(Objects.requireNonNull(e.getCause()).toString());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<Integer, Integer> countSteps(BrokenOffQueue queue) {
        Map<Integer, Integer> counts = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        run(
                queue,
                step -> {
                    counts.merge(step, 1, Integer::sum);
                    return false;
                },
                wrong);
        assertThat(wrong).isEmpty();
        return counts;
    }

    @ParameterizedTest
    @EnumSource
    void anErrorBeforeAStepIsMadeGoodByTheNextTurn(BrokenOffQueue queue) {
        Map<Integer, Integer> counts = countSteps(queue);
        List<Integer> steps = List.copyOf(counts.keySet());
        assertThat(steps).hasSizeGreaterThan(500);
        List<String> wrong = new ArrayList<>();
        // Each queue begins at another step.
        int first = List.of(BrokenOffQueue.values()).indexOf(queue);
        for (int i = first % stride(); i < steps.size(); i += stride()) {
            int step = steps.get(i);
            // A step that is taken often meets the error at any of these times.
            int time = 1 + (i * 31) % counts.getOrDefault(step, 1);
            int[] left = {time};
            List<String> wrongHere = new ArrayList<>();
            run(queue, each -> each == step && --left[0] == 0, wrongHere);
            wrongHere.forEach(each -> wrong.add("%s (%s, time %d)".formatted(each, EngineSteps.name(step), time)));
        }
        assertThat(wrong).isEmpty();
    }
}

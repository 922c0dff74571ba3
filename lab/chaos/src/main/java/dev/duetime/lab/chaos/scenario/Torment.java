package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.log.Entry.Fault;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** A fault that can be inflicted on a trial. */
interface Torment {

    /** Inflicts the fault. A part that takes time, or that is undone later, continues in the background. */
    void inflict(Scene scene) throws Exception;

    /** The things that faults work with. */
    record Scene(Trial trial, ScheduledExecutorService later) {
        RandomGenerator random() {
            return trial.random;
        }

        /** Returns a random time between zero and the given one. */
        Duration upTo(Duration most) {
            return Duration.ofMillis(random().nextLong(most.toMillis() + 1));
        }

        /** Logs a fault, when it is over. */
        void log(Fault fault) {
            trial.log.append(fault);
            trial.say("%s of %s, %d ms".formatted(fault.kind(), fault.node(), (fault.to() - fault.from()) / 1_000));
        }

        /** Runs an action later, in another thread. */
        void later(Duration delay, Runnable action) {
            @SuppressWarnings("unused") // the executor would hide an exception
            Future<?> done = later.schedule(() -> tell(action), delay.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void tell(Runnable action) {
            try {
                action.run();
            } catch (RuntimeException e) {
                trial.say("a torment failed: " + e);
            }
        }
    }
}

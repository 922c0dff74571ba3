package dev.duetime.specification.failure;

import dev.duetime.Publisher;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A kit for tests of dead letters. Its publisher fails as a test demands, and notes what got through. */
abstract class DyingTimers {
    static final Duration SECOND = Duration.ofSeconds(1);
    static final RetryPolicy RETRY = RetryPolicy.fixed(Duration.ofSeconds(10));

    final RecordingListener listener = new RecordingListener();
    final List<String> published = new ArrayList<>();
    int calls;

    final TimerKit kit(RetryPolicy retry, Publisher publisher) {
        return TimerKit.builder()
                .configure(scheduler -> scheduler
                        .listener(listener)
                        .retry(retry)
                        .publisher(batch -> {
                            calls++;
                            publisher.publish(batch);
                            batch.forEach(
                                    envelope -> published.add(envelope.key().timerId()));
                        }))
                .build();
    }

    static StoredTimer stored(TimerKit kit, String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow();
    }

    static List<StoredTimer> dead(TimerKit kit) {
        return kit.scheduler().query(TimerQuery.all().state(TimerState.DEAD).limit(10_000));
    }

    static void schedule(TimerKit kit, int count, Duration apart) {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i ->
                                Timer.after("t-" + i, apart.multipliedBy(i)).build())
                        .toList());
    }
}

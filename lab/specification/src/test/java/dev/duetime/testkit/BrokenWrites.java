package dev.duetime.testkit;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleDecision;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Stores that schedule or settle wrongly. */
final class BrokenWrites {

    private BrokenWrites() {}

    @SuppressWarnings("ThreadPriorityCheck") // It only widens the gap that the contract must find.
    static void letOthersRun() {
        for (int i = 0; i < 500; i++) {
            Thread.yield();
        }
    }

    static final class StaleOutcomes extends PassThroughStore {
        StaleOutcomes(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public int settle(List<Settlement> settlements) {
            return intact.settle(settlements.stream().map(this::ofStanding).toList());
        }

        private Settlement ofStanding(Settlement given) {
            long generation =
                    intact.find(given.key()).map(StoredTimer::generation).orElse(given.generation());
            if (given instanceof Settlement.Ended ended) {
                return new Settlement.Ended(
                        ended.key(), generation, ended.state(), ended.at(), ended.attempt(), ended.failure());
            }
            if (given instanceof Settlement.Retried retried) {
                return new Settlement.Retried(
                        retried.key(), generation, retried.wakeAt(), retried.attempt(), retried.failure());
            }
            if (given instanceof Settlement.Moved moved) {
                return new Settlement.Moved(
                        moved.key(),
                        generation,
                        moved.nextGeneration(),
                        moved.dueAt(),
                        moved.expiresAt(),
                        moved.previousAt(),
                        moved.failure());
            }
            return new Settlement.Deleted(given.key(), generation);
        }
    }

    static final class MovesInPlace extends PassThroughStore {
        MovesInPlace(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public int settle(List<Settlement> settlements) {
            return intact.settle(settlements.stream().map(MovesInPlace::inPlace).toList());
        }

        private static Settlement inPlace(Settlement given) {
            return given instanceof Settlement.Moved moved
                    ? new Settlement.Moved(
                            moved.key(),
                            moved.generation(),
                            moved.generation(),
                            moved.dueAt(),
                            moved.expiresAt(),
                            moved.previousAt(),
                            moved.failure())
                    : given;
        }
    }

    abstract static class Changed extends PassThroughStore {
        Changed(ScheduleStore intact) {
            super(intact);
        }

        abstract NewTimer change(NewTimer timer);

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            return intact.schedule(timers.stream().map(this::change).toList());
        }

        @Override
        public TimerWrites in(Transaction transaction) {
            TimerWrites joined = intact.in(transaction);
            return new PassThroughStore(intact) {
                @Override
                public List<ScheduleResult> schedule(List<NewTimer> timers) {
                    return joined.schedule(
                            timers.stream().map(Changed.this::change).toList());
                }
            };
        }
    }

    static final class EndedAgain extends Changed {
        EndedAgain(ScheduleStore intact) {
            super(intact);
        }

        @Override
        NewTimer change(NewTimer timer) {
            return new NewTimer(
                    timer.key(), timer.shard(), timer.content(), timer.generation(), timer.registeredAt(), true);
        }
    }

    static final class RepeatsWritten extends PassThroughStore {
        RepeatsWritten(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            List<ScheduleResult> results = new ArrayList<>();
            for (NewTimer timer : timers) {
                boolean replaced = intact.find(timer.key())
                                .filter(standing -> standing.state() == TimerState.SCHEDULED)
                                .map(standing -> new Settlement.Deleted(standing.key(), standing.generation()))
                                .map(deleted -> intact.settle(List.of(deleted)))
                                .orElse(0)
                        > 0;
                ScheduleResult result = intact.schedule(List.of(timer)).get(0);
                results.add(
                        replaced
                                ? new ScheduleResult(
                                        result.key(), ScheduleOutcome.RESCHEDULED, result.state(), result.generation())
                                : result);
            }
            return results;
        }
    }

    static final class TraceIsContent extends PassThroughStore {
        TraceIsContent(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            for (NewTimer timer : timers) {
                intact.find(timer.key())
                        .filter(standing -> !standing.content().equals(timer.content()))
                        .map(standing -> new Settlement.Deleted(standing.key(), standing.generation()))
                        .ifPresent(deleted -> intact.settle(List.of(deleted)));
            }
            return intact.schedule(timers);
        }
    }

    static final class OneByOne extends PassThroughStore {
        OneByOne(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            List<ScheduleResult> results = new ArrayList<>();
            for (NewTimer timer : timers) {
                results.addAll(intact.schedule(List.of(timer)));
                letOthersRun();
            }
            return results;
        }
    }

    static final class FirstWins extends PassThroughStore {
        FirstWins(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            Map<TimerKey, NewTimer> first = new LinkedHashMap<>();
            timers.forEach(timer -> first.putIfAbsent(timer.key(), timer));
            Map<TimerKey, ScheduleResult> results = new LinkedHashMap<>();
            intact.schedule(List.copyOf(first.values())).forEach(result -> results.put(result.key(), result));
            return timers.stream().map(timer -> results.get(timer.key())).toList();
        }
    }

    static final class Guesses extends PassThroughStore {
        Guesses(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            if (timers.size() != 1) {
                return intact.schedule(timers);
            }
            NewTimer timer = timers.get(0);
            ScheduleResult guess =
                    ScheduleDecision.of(timer, intact.find(timer.key()).orElse(null));
            letOthersRun();
            intact.schedule(timers);
            return List.of(guess);
        }
    }

    static final class CountsAll extends PassThroughStore {
        CountsAll(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public int settle(List<Settlement> settlements) {
            intact.settle(settlements);
            return settlements.size();
        }
    }

    static final class KeysIgnoreCase extends Changed {
        KeysIgnoreCase(ScheduleStore intact) {
            super(intact);
        }

        @Override
        NewTimer change(NewTimer timer) {
            return new NewTimer(
                    lower(timer.key()),
                    timer.shard(),
                    timer.content(),
                    timer.generation(),
                    timer.registeredAt(),
                    timer.rearm());
        }

        @Override
        public Optional<StoredTimer> find(TimerKey key) {
            return intact.find(lower(key));
        }

        static TimerKey lower(TimerKey key) {
            return TimerKey.of(key.tenantId(), key.timerId().toLowerCase(Locale.ROOT));
        }
    }

    static final class Milliseconds extends Changed {
        Milliseconds(ScheduleStore intact) {
            super(intact);
        }

        @Override
        NewTimer change(NewTimer timer) {
            TimerContent given = timer.content();
            TimerContent rounded = new TimerContent(
                    given.queue(),
                    given.dueAt().truncatedTo(ChronoUnit.MILLIS),
                    given.expiresAt(),
                    given.type(),
                    given.payload(),
                    given.headers(),
                    given.priority(),
                    given.correlationId(),
                    given.parallelKey(),
                    given.correlationKey(),
                    given.recurrence(),
                    given.catchUp(),
                    given.step());
            return new NewTimer(
                    timer.key(), timer.shard(), rounded, timer.generation(), timer.registeredAt(), timer.rearm());
        }
    }

    static final class OwnTransaction extends PassThroughStore {
        OwnTransaction(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public TimerWrites in(Transaction transaction) {
            return intact;
        }
    }
}

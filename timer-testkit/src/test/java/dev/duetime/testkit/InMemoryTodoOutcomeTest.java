package dev.duetime.testkit;

import dev.duetime.store.ScheduleStore;

class InMemoryTodoOutcomeTest extends TodoOutcomeContract {
    private final InMemoryScheduleStore store = new InMemoryScheduleStore(new TestClock());

    @Override
    protected ScheduleStore store() {
        return store;
    }
}

package dev.duetime.testkit;

import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.contract.TodoOutcomeContract;
import dev.duetime.testkit.memory.InMemoryScheduleStore;

class InMemoryTodoOutcomeTest extends TodoOutcomeContract {
    private final InMemoryScheduleStore store = new InMemoryScheduleStore(new TestClock());

    @Override
    protected ScheduleStore store() {
        return store;
    }
}

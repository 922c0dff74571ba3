package dev.duetime.passage;

import dev.duetime.Publisher;

/** Is what a subscription does with its events. Immutable and thread-safe, if what it calls is. */
sealed interface Action {

    /** Calls a handler in this process. */
    record Handled(PassageOfTime.Handler<TimeHasPassed> handler) implements Action {}

    /** Hands envelopes to a publisher. */
    record Published(Publisher publisher) implements Action {}
}

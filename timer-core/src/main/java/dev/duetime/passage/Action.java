package dev.duetime.passage;

import dev.duetime.Publisher;

/** The action of a subscription for its events. Immutable and thread-safe, if the code that it calls is. */
sealed interface Action {

    /** An action that calls a handler in this process. */
    record Handled(PassageOfTime.Handler<TimeHasPassed> handler) implements Action {}

    /** An action that passes envelopes to a publisher. */
    record Published(Publisher publisher) implements Action {}
}

package dev.duetime.console;

/**
 * Decides what the sender of a request may do. It is asked for each request and each action. Must be thread-safe.
 *
 * <pre>{@code request -> ops.contains(user(request)) ? Grant.operate(user(request)) : Grant.read(user(request))}</pre>
 */
@FunctionalInterface
public interface ConsoleAccess {

    /** Returns what the sender may do. If it throws, the request is refused. */
    Grant of(ConsoleRequest request);
}

package dev.duetime.listener;

/**
 * A listener that also learns what operators do on this node, for example to keep it in a log of audits. It is added to
 * a scheduler and called like any {@link TimerListener}, in the thread of the operator.
 */
public interface OperatorListener extends TimerListener {

    /** Called once after each call of an operator that changed something, or failed. */
    void operated(OperatorAction action);
}

package dev.duetime.lab.chaos.judge;

import java.util.List;
import java.util.Map;

/** The findings of the checker. */
public record Verdict(Calls calls, Deliveries deliveries, Findings findings) {

    /**
     * The numbers of calls.
     *
     * @param accepted schedules that were answered, each with an envelope id of its own
     * @param rescheduled accepted schedules that moved a timer
     * @param cancelled timers
     * @param ambiguous calls with a lost reply, which may or may not have taken effect
     */
    record Calls(int accepted, int rescheduled, int cancelled, int ambiguous) {}

    /**
     * The numbers of deliveries.
     *
     * @param delivered distinct envelopes
     * @param duplicates deliveries of an envelope after the first
     * @param inFlightAtFaults how many deliveries were under way when a fault hit their node. Faults explain at most
     *     this many duplicates
     * @param duplicatesByCause how many duplicates each kind of fault explains
     * @param overtaken deliveries that were under way while their timer was rescheduled or cancelled
     */
    public record Deliveries(
            int delivered,
            int duplicates,
            int inFlightAtFaults,
            Map<String, Integer> duplicatesByCause,
            int overtaken) {}

    /**
     * The violations.
     *
     * @param lost accepted, neither moved nor cancelled, and never delivered
     * @param early delivered before the due time
     * @param unexplained duplicates that no fault explains
     * @param wrong delivered although no call had scheduled it, or long after it was moved or cancelled
     */
    public record Findings(List<String> lost, List<String> early, List<String> unexplained, List<String> wrong) {}

    public boolean isSound() {
        return findings.lost().isEmpty()
                && findings.early().isEmpty()
                && findings.unexplained().isEmpty()
                && findings.wrong().isEmpty()
                && deliveries.duplicates() <= deliveries.inFlightAtFaults();
    }
}

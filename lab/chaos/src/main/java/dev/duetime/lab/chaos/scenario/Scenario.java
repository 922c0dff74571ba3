package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Measures;
import dev.duetime.lab.chaos.node.NodeMain;
import java.util.List;

/** A kind of trouble, and the claims that hold for it in addition to those for every trial. */
public interface Scenario {

    /** Makes the trouble for the time that the arguments give, and leaves every node running. */
    void run(Trial trial) throws Exception;

    /** Returns the rate of each node, so that all together keep the rate that was asked for. */
    double ratePerNode(Arguments.Load load);

    /** Judges the claims of this scenario. */
    List<Claim> claims(Arguments.Load load, History history, Measures measures);

    static Scenario of(String name) {
        return switch (name) {
            case "takeover" -> new TakeoverScenario(false);
            case "future-leases" -> new TakeoverScenario(true);
            case "held-rows" -> new HeldRowsScenario();
            case "full-heap" -> new OrderScenario(NodeMain.HEAP);
            case "rude-code" -> new OrderScenario(NodeMain.RUDE);
            case "rolling" -> new RollingScenario();
            case "prompt" -> new PromptScenario();
            case UpgradeScenario.NAME -> new UpgradeScenario();
            default -> new TormentScenario();
        };
    }
}

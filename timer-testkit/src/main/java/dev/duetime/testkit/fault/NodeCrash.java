package dev.duetime.testkit.fault;

import dev.duetime.Beta;
import dev.duetime.testkit.KitNode;

/**
 * An error that ends the current work of a {@link KitNode} when it crashes. The kit catches it in the loops of the
 * node. A caller of the node's scheduler gets it; in a real crash the caller would be killed too.
 */
@Beta
public final class NodeCrash extends VirtualMachineError {
    private static final long serialVersionUID = 1L;

    /**
     * Ends what a node is doing.
     *
     * @param nodeId its name
     */
    public NodeCrash(String nodeId) {
        super("node " + nodeId + " crashed");
    }
}

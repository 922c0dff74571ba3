package dev.duetime.testkit.fault;

import dev.duetime.testkit.KitNode;

/**
 * Ends what a {@link KitNode} is doing when it crashes. The kit catches it where a loop of the node was running; a
 * caller of the node's scheduler sees it, as a caller in a killed process would see nothing any more.
 */
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

package dev.duetime.engine.settings;

/**
 * The identity of one process among the owners of shards: the node's name and a part that no other process has. So two
 * schedulers that were given the same name by mistake are two owners, and share the shards.
 *
 * @param name readable, for the operator
 * @param stable whether the next process on this node will have the same name
 * @param process the part that no other process has
 */
public record NodeId(String name, boolean stable, String process) {
    private static final String SEPARATOR = "-";

    /** Returns the node that a process with this number is. */
    public static NodeId of(String name, boolean stable, int process) {
        return new NodeId(name, stable, "%08x".formatted(process));
    }

    /** Returns whether the owner was, or by mistake is, another process on this node. */
    public boolean isOtherProcess(String owner) {
        String prefix = name + SEPARATOR;
        return stable
                && owner.startsWith(prefix)
                && owner.length() == prefix.length() + process.length()
                && !owner.equals(toString());
    }

    @Override
    public String toString() {
        return name + SEPARATOR + process;
    }
}

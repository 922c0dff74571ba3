package dev.duetime.lab.chaos.log;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A line of a log: a word and fields without spaces. Times are microseconds since 1970 by this machine's clock, which
 * the nodes and the server share.
 */
public sealed interface Entry {
    /** Means every node in a {@link Fault}, and no node in a {@link Moved}. */
    String ALL = "*";

    /** The kinds of calls that a node makes. */
    enum Kind {
        SCHEDULE,
        CANCEL
    }

    /** Returns the fields, the word first. */
    Stream<Object> fields();

    default String line() {
        return fields().map(String::valueOf).collect(Collectors.joining(" "));
    }

    /** A call begins; {@code op} counts the calls for one key. */
    record Asked(long at, String key, int op, Kind kind, long due) implements Entry {
        @Override
        public Stream<Object> fields() {
            return Stream.of("asked", at, key, op, kind, due);
        }
    }

    /** A call has returned, after a number of tries. */
    record Answered(long at, String key, int op, String outcome, String state, String id, int tries) implements Entry {
        @Override
        public Stream<Object> fields() {
            return Stream.of("answered", at, key, op, outcome, state, id, tries);
        }
    }

    /** An envelope was published; {@code at} is when its batch was handed over. */
    record Delivered(long at, String node, long batch, String key, int op, String id, long due) implements Entry {
        @Override
        public Stream<Object> fields() {
            return Stream.of("delivered", at, node, batch, key, op, id, due);
        }
    }

    /**
     * A fault that was inflicted on a node, or on {@link #ALL}; {@code shards} are those that a killed or closed node
     * owned.
     */
    record Fault(long from, long to, String kind, String node, Set<Integer> shards) implements Entry {
        public Fault(long from, long to, String kind, String node) {
            this(from, to, kind, node, Set.of());
        }

        /** Returns whether it may have kept a node from settling; one that is closed in good order settles first. */
        public boolean hits(String other) {
            return !kind.equals(Measures.CLOSE) && (node.equals(ALL) || node.equals(other));
        }

        @Override
        public Stream<Object> fields() {
            String list = shards.stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
            return Stream.of("fault", from, to, kind, node, "[" + list + "]");
        }
    }

    /** A shard got another owner, between two reads at {@code from} and {@code to}. */
    record Moved(long from, long to, int shard, String before, String after) implements Entry {
        @Override
        public Stream<Object> fields() {
            return Stream.of("moved", from, to, shard, before, after);
        }
    }

    /** A phase of the trial begins. */
    record Phase(long at, String name, String nodes) implements Entry {
        @Override
        public Stream<Object> fields() {
            return Stream.of("phase", at, name, nodes);
        }
    }

    /** A todo runs: written when it begins, then with {@code to} 0, and again when it ends. */
    record Ran(long from, long to, String node, String key, int number) implements Entry {
        @Override
        public Stream<Object> fields() {
            return Stream.of("ran", from, to, node, key, number);
        }
    }

    /** A todo that may be merged was enqueued; {@code into} is the one that waits now. */
    record Added(long from, long to, String key, String id, long startAt, int amount, String outcome, String into)
            implements Entry {
        @Override
        public Stream<Object> fields() {
            return Stream.of("added", from, to, key, id, startAt, amount, outcome, into);
        }
    }

    /** A todo that others may have been merged into has run. */
    record Counted(long at, String key, String id, int amount) implements Entry {
        @Override
        public Stream<Object> fields() {
            return Stream.of("counted", at, key, id, amount);
        }
    }

    /** The shard of a key. */
    record Placed(String key, int shard) implements Entry {
        @Override
        public Stream<Object> fields() {
            return Stream.of("placed", key, shard);
        }
    }

    static Entry parse(String line) {
        String[] f = line.split(" ", -1);
        return switch (f[0]) {
            case "asked" -> new Asked(time(f[1]), f[2], count(f[3]), Kind.valueOf(f[4]), time(f[5]));
            case "answered" -> new Answered(time(f[1]), f[2], count(f[3]), f[4], f[5], f[6], count(f[7]));
            case "delivered" -> new Delivered(time(f[1]), f[2], time(f[3]), f[4], count(f[5]), f[6], time(f[7]));
            case "fault" -> new Fault(time(f[1]), time(f[2]), f[3], f[4], shards(f[5]));
            case "moved" -> new Moved(time(f[1]), time(f[2]), count(f[3]), f[4], f[5]);
            case "phase" -> new Phase(time(f[1]), f[2], f[3]);
            case "ran" -> new Ran(time(f[1]), time(f[2]), f[3], f[4], count(f[5]));
            case "added" -> new Added(time(f[1]), time(f[2]), f[3], f[4], time(f[5]), count(f[6]), f[7], f[8]);
            case "counted" -> new Counted(time(f[1]), f[2], f[3], count(f[4]));
            case "placed" -> new Placed(f[1], count(f[2]));
            default -> throw new IllegalArgumentException("unknown line: " + line);
        };
    }

    private static long time(String field) {
        return Long.parseLong(field);
    }

    private static int count(String field) {
        return Integer.parseInt(field);
    }

    private static Set<Integer> shards(String field) {
        List<String> all = Arrays.asList(field.substring(1, field.length() - 1).split(","));
        return all.stream()
                .filter(each -> !each.isEmpty())
                .map(Integer::valueOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

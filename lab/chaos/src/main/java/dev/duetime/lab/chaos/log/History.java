package dev.duetime.lab.chaos.log;

import dev.duetime.lab.chaos.log.Entry.Answered;
import dev.duetime.lab.chaos.log.Entry.Asked;
import dev.duetime.lab.chaos.log.Entry.Delivered;
import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.Entry.Moved;
import dev.duetime.lab.chaos.log.Entry.Phase;
import dev.duetime.lab.chaos.log.Entry.Placed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The events in all logs of a trial, in order of time. Immutable. */
public final class History {
    private final Map<String, List<Operation>> operations;
    private final List<Delivered> deliveries;
    private final List<Fault> faults;
    private final List<Moved> moves;
    private final List<Phase> phases;
    private final Map<String, Integer> shards;
    private final List<Entry> entries;

    /** A call and its answer. There is no answer if the process died before it arrived. */
    public record Operation(Asked asked, @Nullable Answered answer) {}

    private record Call(String key, int op) {}

    private History(Collection<Entry> entries) {
        this.entries = List.copyOf(entries);
        Map<Call, Answered> answers = of(entries, Answered.class)
                .collect(Collectors.toMap(each -> new Call(each.key(), each.op()), each -> each));
        operations = of(entries, Asked.class)
                .sorted(Comparator.comparingInt(Asked::op))
                .map(each -> new Operation(each, answers.get(new Call(each.key(), each.op()))))
                .collect(Collectors.groupingBy(each -> each.asked().key(), TreeMap::new, Collectors.toList()));
        deliveries = of(entries, Delivered.class)
                .sorted(Comparator.comparingLong(Delivered::at))
                .toList();
        faults = of(entries, Fault.class)
                .sorted(Comparator.comparingLong(Fault::from))
                .toList();
        moves = of(entries, Moved.class)
                .sorted(Comparator.comparingLong(Moved::to))
                .toList();
        phases = of(entries, Phase.class)
                .sorted(Comparator.comparingLong(Phase::at))
                .toList();
        shards = of(entries, Placed.class).collect(Collectors.toMap(Placed::key, Placed::shard));
    }

    private static <T extends Entry> Stream<T> of(Collection<Entry> entries, Class<T> type) {
        return entries.stream().filter(type::isInstance).map(type::cast);
    }

    public static History of(Collection<Entry> entries) {
        return new History(entries);
    }

    /** Reads all logs of a directory. The end of a line that a kill cut off counts as never written. */
    public static History read(Path directory) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".log")).toList()) {
                String text = Files.readString(file, StandardCharsets.UTF_8);
                text.substring(0, text.lastIndexOf('\n') + 1)
                        .lines()
                        .map(Entry::parse)
                        .forEach(entries::add);
            }
        }
        return new History(entries);
    }

    /** Returns the calls for each key, in order. */
    public Map<String, List<Operation>> operations() {
        return operations;
    }

    public List<Delivered> deliveries() {
        return deliveries;
    }

    public List<Fault> faults() {
        return faults;
    }

    List<Moved> moves() {
        return moves;
    }

    /** Returns all entries of a kind, in no order. */
    public <T extends Entry> List<T> all(Class<T> kind) {
        return of(entries, kind).toList();
    }

    /** Returns when a phase began. */
    public OptionalLong phase(String name) {
        return phases.stream()
                .filter(each -> each.name().equals(name))
                .mapToLong(Phase::at)
                .findFirst();
    }

    /** Returns the nodes that ran when a phase began. */
    public List<String> nodes(String phase) {
        return phases.stream()
                .filter(each -> each.name().equals(phase))
                .flatMap(each -> Stream.of(each.nodes().split(",")))
                .toList();
    }

    /** Returns the shard of a key; -1 if it is unknown. */
    int shard(String key) {
        return shards.getOrDefault(key, -1);
    }
}

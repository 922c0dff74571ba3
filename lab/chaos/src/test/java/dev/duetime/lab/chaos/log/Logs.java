package dev.duetime.lab.chaos.log;

import dev.duetime.lab.chaos.judge.Checker;
import dev.duetime.lab.chaos.judge.Verdict;
import dev.duetime.lab.chaos.log.Entry.Answered;
import dev.duetime.lab.chaos.log.Entry.Asked;
import dev.duetime.lab.chaos.log.Entry.Delivered;
import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.Entry.Kind;
import dev.duetime.lab.chaos.log.Entry.Moved;
import dev.duetime.lab.chaos.log.Entry.Placed;
import java.util.ArrayList;
import java.util.List;

/** A maker of logs for tests. Calls take 10 us, and a timer's envelope is named by key and schedule. */
public final class Logs {
    public static final String KEY = "k";

    private final List<Entry> entries = new ArrayList<>();

    public Logs schedule(int op, long at, long due, String outcome) {
        return schedule(op, at, due, outcome, id(op), 1);
    }

    public Logs schedule(int op, long at, long due, String outcome, String id, int tries) {
        entries.add(new Asked(at, KEY, op, Kind.SCHEDULE, due));
        String state = outcome.equals("IGNORED") ? "REACHED" : "SCHEDULED";
        entries.add(new Answered(at + 10, KEY, op, outcome, state, id, tries));
        return this;
    }

    public Logs cancel(int op, long at, String outcome, int tries) {
        entries.add(new Asked(at, KEY, op, Kind.CANCEL, 0));
        entries.add(new Answered(at + 10, KEY, op, outcome, Entry.ALL, Entry.ALL, tries));
        return this;
    }

    /** A call whose reply never came. */
    public Logs unanswered(int op, long at, Kind kind, long due) {
        entries.add(new Asked(at, KEY, op, kind, due));
        return this;
    }

    public Logs delivered(int op, long at, long due, String node, long batch) {
        entries.add(new Delivered(at, node, batch, KEY, op, id(op), due));
        return this;
    }

    /** Another delivery of the same batch. */
    public Logs other(long at, String node, long batch) {
        String key = "other-" + entries.size();
        entries.add(new Asked(0, key, 1, Kind.SCHEDULE, at));
        entries.add(new Answered(10, key, 1, "CREATED", "SCHEDULED", key, 1));
        entries.add(new Delivered(at, node, batch, key, 1, key, at));
        return this;
    }

    public Logs fault(long from, long to, String kind, String node) {
        entries.add(new Fault(from, to, kind, node));
        return this;
    }

    public Logs moved(long from, long to, String before, String after) {
        entries.add(new Placed(KEY, 7));
        entries.add(new Moved(from, to, 7, before, after));
        return this;
    }

    public Logs add(Entry entry) {
        entries.add(entry);
        return this;
    }

    static String id(int op) {
        return "id-" + op;
    }

    /** Writes and reads the log as text, as the program does. */
    History history() {
        return History.of(entries.stream().map(Entry::line).map(Entry::parse).toList());
    }

    public Verdict check() {
        return Checker.check(history());
    }
}

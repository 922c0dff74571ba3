package dev.duetime.specification.cluster;

import dev.duetime.store.Permits;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.PassThroughStore;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A store where another node writes its share between the read and the write of each node that gives up units, so that
 * this write is refused. The next one is written.
 */
final class OvertakenStore extends PassThroughStore {
    private final Set<Permits.Limit> overtaken = new HashSet<>();
    private int count;

    OvertakenStore(ScheduleStore intact) {
        super(intact);
    }

    /** Returns how many writes were refused. */
    int count() {
        return count;
    }

    @Override
    public Permits permits() {
        Permits permits = intact.permits();
        return new Permits() {
            @Override
            public List<Ledger> ledgers() {
                return permits.ledgers();
            }

            @Override
            public Set<Limit> change(Collection<Change> changes) {
                for (Change each : changes) {
                    permits.ledgers().stream()
                            .filter(ledger -> ledger.limit().equals(each.limit()) && givesUp(each, ledger))
                            .forEach(ledger -> overtake(permits, ledger));
                }
                return permits.change(changes);
            }
        };
    }

    private static boolean givesUp(Permits.Change change, Permits.Ledger ledger) {
        Permits.Share share = change.share();
        return share != null
                && ledger.shares().stream()
                        .anyMatch(each -> each.node().equals(share.node()) && each.units() > share.units());
    }

    private void overtake(Permits permits, Permits.Ledger ledger) {
        if (overtaken.remove(ledger.limit())) {
            return;
        }
        overtaken.add(ledger.limit());
        count++;
        permits.change(
                List.of(new Permits.Change(ledger.limit(), ledger.version(), ledger.freeSince(), null, Set.of())));
    }
}

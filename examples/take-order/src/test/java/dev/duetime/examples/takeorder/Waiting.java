package dev.duetime.examples.takeorder;

import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.examples.takeorder.Mails.Mail;
import dev.duetime.examples.takeorder.VendorReports.Report;
import dev.duetime.store.ScheduleStore;
import java.util.List;
import java.util.stream.Stream;

/** The ids of orders whose enqueued mails, reports and approvals have not run yet, repeats included. */
record Waiting(ScheduleStore store) {
    private static final TimerQuery SCHEDULED =
            TimerQuery.all().state(TimerState.SCHEDULED).limit(1_000);

    List<String> reported() {
        return todos(SCHEDULED.queue("vendor-reports"))
                .flatMap(each -> each.content().payload().as(Report.class).orderIds().stream())
                .toList();
    }

    List<String> mailed() {
        return todos(SCHEDULED.queue("mails"))
                .flatMap(each -> each.content().payload().as(Mail.class).orderIds().stream())
                .toList();
    }

    List<String> approvals() {
        return todos(SCHEDULED.type("approve-order"))
                .map(each -> each.content().payload().as(Order.class).id())
                .toList();
    }

    private Stream<StoredTimer> todos(TimerQuery query) {
        return store.query(query).stream();
    }
}

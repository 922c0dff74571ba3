package dev.duetime.examples.takeorder;

import dev.duetime.SchedulerBuilder;

/** All todo queues of the shop. Thread-safe. */
final class Shop {
    final Mails mails;
    final Likes likes;
    final VendorReports reports;
    final TakeOrder orders;

    Shop(Outside outside, Faults faults, Times times) {
        mails = new Mails(outside, times.mail());
        likes = new Likes(times.likes());
        reports = new VendorReports(outside, times.report());
        orders = new TakeOrder(outside, faults, mails, reports, times.approval());
    }

    void addTo(SchedulerBuilder scheduler) {
        scheduler
                .todoQueue(mails.queue())
                .todoQueue(likes.queue())
                .todoQueue(reports.queue())
                .todoQueue(orders.queue());
    }
}

package dev.duetime.examples.takeorder;

import java.time.Duration;

/**
 * The waiting times.
 *
 * @param mail for how long mails of a customer are collected
 * @param likes how often likes are written
 * @param report how often a vendor gets a report
 * @param approval when an order is approved if nobody has objected
 */
record Times(Duration mail, Duration likes, Duration report, Duration approval) {
    static final Times REAL =
            new Times(Duration.ofMinutes(10), Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofHours(24));
}

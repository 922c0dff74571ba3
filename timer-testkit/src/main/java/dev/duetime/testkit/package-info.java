/**
 * What tests of timers need: virtual time, in-memory ports and a harness that runs the real engine; and
 * {@link dev.duetime.testkit.contract.ScheduleStoreContract}, the suite that every store must pass.
 */
@NullMarked
package dev.duetime.testkit;

import org.jspecify.annotations.NullMarked;

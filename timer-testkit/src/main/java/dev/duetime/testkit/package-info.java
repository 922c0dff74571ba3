/**
 * Tools for tests of timers: virtual time, a publisher and a store in memory, and a harness that runs the real engine.
 * See also {@link dev.duetime.testkit.contract.ScheduleStoreContract}, the suite that every store must pass.
 */
@NullMarked
package dev.duetime.testkit;

import org.jspecify.annotations.NullMarked;

/** The schedulers that are compared: Duetime, its peers, and hand-written SQL as the upper limit. */
@NullMarked
package dev.duetime.lab.benchmark.contestant;

import org.jspecify.annotations.NullMarked;

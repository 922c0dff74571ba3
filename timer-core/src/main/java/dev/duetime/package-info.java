/**
 * What a user touches: {@link dev.duetime.Scheduler}, {@link dev.duetime.Timer}, {@link dev.duetime.Publisher} and the
 * words that cross them. All of it but the scheduler itself is vocabulary and depends on nothing else here.
 */
@NullMarked
package dev.duetime;

import org.jspecify.annotations.NullMarked;

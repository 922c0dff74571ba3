/**
 * The API for users: {@link dev.duetime.Scheduler}, {@link dev.duetime.Timer}, {@link dev.duetime.Publisher}, and the
 * types that they take and return. The scheduler and its builders use the engine. The other types do not: all packages
 * share them.
 */
@NullMarked
package dev.duetime;

import org.jspecify.annotations.NullMarked;

/** Limits, times, hashes, texts and JSON fields that several of our packages and modules share. Not for users. */
@NullMarked
package dev.duetime.internal;

import org.jspecify.annotations.NullMarked;

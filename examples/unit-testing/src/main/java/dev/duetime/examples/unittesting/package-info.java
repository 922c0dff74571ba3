/** Orders that must be paid within fifteen minutes: code that schedules, and what a unit test of it looks like. */
@NullMarked
package dev.duetime.examples.unittesting;

import org.jspecify.annotations.NullMarked;

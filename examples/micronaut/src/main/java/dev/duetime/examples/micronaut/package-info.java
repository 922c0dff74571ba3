/** Orders that are cancelled if they are not paid in time, in a Micronaut application. */
@NullMarked
package dev.duetime.examples.micronaut;

import org.jspecify.annotations.NullMarked;

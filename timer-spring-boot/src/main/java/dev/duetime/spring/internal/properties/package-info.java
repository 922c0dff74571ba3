/** The conversion of properties to settings of a scheduler and a store. */
@NullMarked
package dev.duetime.spring.internal.properties;

import org.jspecify.annotations.NullMarked;

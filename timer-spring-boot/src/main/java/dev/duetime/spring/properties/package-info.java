/** The properties below {@code duetime}. */
@NullMarked
package dev.duetime.spring.properties;

import org.jspecify.annotations.NullMarked;

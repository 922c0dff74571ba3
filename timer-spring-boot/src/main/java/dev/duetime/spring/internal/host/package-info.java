/** The check that the libraries of the application have versions with which Duetime runs. */
@NullMarked
package dev.duetime.spring.internal.host;

import org.jspecify.annotations.NullMarked;

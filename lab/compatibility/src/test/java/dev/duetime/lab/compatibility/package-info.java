/** Compares the API with that of the previous release. */
@NullMarked
package dev.duetime.lab.compatibility;

import org.jspecify.annotations.NullMarked;

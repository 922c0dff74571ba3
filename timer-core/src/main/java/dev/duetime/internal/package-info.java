/** What several packages and modules of ours share and no user needs; exported to our own modules only. */
@NullMarked
package dev.duetime.internal;

import org.jspecify.annotations.NullMarked;

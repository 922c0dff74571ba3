/** The checks of a trial's logs: no timer lost or early, and a fault that explains each repeat. */
@NullMarked
package dev.duetime.lab.chaos.judge;

import org.jspecify.annotations.NullMarked;

package dev.duetime.store;

/**
 * A transaction that a caller owns; each store knows its own kinds and refuses the others. As thread-safe as what it
 * is made of.
 */
public interface Transaction {}

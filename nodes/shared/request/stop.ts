/** Ends waits or requests. An alias, because most files mean a signal without caring about its kind. */
export type StopSignal = AbortSignal;

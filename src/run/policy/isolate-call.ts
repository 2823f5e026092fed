/** What `PolicyIsolate.evaluate` is asked. */
export interface IsolateCall {
  readonly calls: readonly (readonly [policy: number, ...rest: readonly unknown[]])[]
  readonly [key: string]: unknown
}

/** Takes a call apart for asking its members one by one. It is of our own making; no schema, for threads start without one. */
export function callOf(text: string): IsolateCall {
  // oxlint-disable-next-line no-unsafe-assignment -- of our own making, as said
  const call: IsolateCall = JSON.parse(text)
  return call
}

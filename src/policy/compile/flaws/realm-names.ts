/**
 * INVARIANT: the globals of the realm that policies run in, all of them and no other. A test holds it against the realm.
 * What `Object.prototype` has is there as well, since the global object inherits it.
 */
const realmGlobals: ReadonlySet<string> = new Set(
  `globalThis Infinity NaN undefined isFinite isNaN parseFloat parseInt
  decodeURI decodeURIComponent encodeURI encodeURIComponent
  Object Array Number Boolean String Symbol BigInt Date RegExp JSON Math
  Map Set WeakMap WeakSet Iterator Proxy Reflect DisposableStack SuppressedError
  Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError`.split(/\s+/),
)

/** Whether a policy has a name without declaring it. */
export function isRealmName(name: string): boolean {
  return realmGlobals.has(name) || name in Object.prototype
}

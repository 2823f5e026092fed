/**
 * INVARIANT: exactly the globals of the realm that policies run in; a test compares them. The properties of
 * `Object.prototype` exist there as well, because the global object inherits them.
 */
const realmGlobals: ReadonlySet<string> = new Set(
  `globalThis Infinity NaN undefined isFinite isNaN parseFloat parseInt
  decodeURI decodeURIComponent encodeURI encodeURIComponent
  Object Array Number Boolean String Symbol BigInt Date RegExp JSON Math
  Map Set WeakMap WeakSet Iterator Proxy Reflect DisposableStack SuppressedError
  Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError`.split(/\s+/),
)

/** Returns true if a name exists in the realm without a declaration. */
export function isRealmName(name: string): boolean {
  return realmGlobals.has(name) || name in Object.prototype
}

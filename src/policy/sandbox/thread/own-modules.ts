/**
 * Source of `hookgate:freeze`, which every policy module calls at its end to freeze what it holds but does not export.
 * The realm's `harden` function is handed over once, through `use`.
 */
export const freezeModule = `let harden
export const freeze = (...values) => harden(...values)
export const use = (own) => { harden ??= own }`

/**
 * Source of `hookgate:counters`, which records coverage for `hookgate test`; policies import it only there. It is the one
 * module that keeps state, and is not frozen.
 */
export const countersModule = `export const hits = []
export const holds = (n, value) => { hits[value ? n + 1 : n] = 1; return value }
export const present = (n, value) => { hits[value === undefined || value === null ? n : n + 1] = 1; return value }
export const taken = () => { let text = ''; for (let n = 0; n < hits.length; n++) text += hits[n] ? '1' : '0'; return text }`

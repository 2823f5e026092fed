/**
 * `hookgate:freeze`, with which every module of a policy ends: it freezes what the module holds and does not export. The
 * realm's function for that is handed over once.
 */
export const freezeModule = `let harden
export const freeze = (...values) => harden(...values)
export const use = (own) => { harden ??= own }`

/**
 * `hookgate:counters`, which only `hookgate test` has policies import: where the code went, for coverage. It is the one
 * module that keeps something, and is not frozen.
 */
export const countersModule = `export const hits = []
export const holds = (n, value) => { hits[value ? n + 1 : n] = 1; return value }
export const present = (n, value) => { hits[value === undefined || value === null ? n : n + 1] = 1; return value }
export const taken = () => { let text = ''; for (let n = 0; n < hits.length; n++) text += hits[n] ? '1' : '0'; return text }`

/**
 * Whose file it is. `hookgate`: our own `hooks.json`, where an unknown key is a misspelt one. The others are Claude
 * Code's format in somebody else's file, where unknown keys are let pass, as Claude Code lets them pass. A `copy` is one
 * by nothing but its name: it is ours as soon as it uses a word that is.
 */
export type Format = 'hookgate' | 'settings' | 'copy' | 'cline' | 'plugin'

/**
 * The format of a rules file. `hookgate` is hookgate's own `hooks.json`, in which an unknown key is a mistake.
 *
 * The others are Claude Code's format in another program's file, where unknown keys are accepted, as Claude Code does.
 * A `copy` is such a file by its name alone: it counts as hookgate's as soon as it uses a key that only hookgate has.
 */
export type Format = 'hookgate' | 'settings' | 'copy' | 'cline' | 'plugin'

import { extname } from 'node:path'

export type ScriptLanguage = 'sh' | 'node' | 'python' | 'other'

/** Returns the language by the `#!` line, else by the file's extension. */
export function languageOf(file: string, text: string): ScriptLanguage {
  const shebang = /^#!.*/.exec(text)?.[0] ?? ''
  if (/\b(ba|da|z|k)?sh\b/.test(shebang)) return 'sh'
  if (/\b(node|bun|deno|tsx)\b/.test(shebang)) return 'node'
  if (/\bpython[\d.]*\b/.test(shebang)) return 'python'
  return shebang === '' ? (extensions[extname(file)] ?? 'other') : 'other'
}

const extensions: Readonly<Record<string, ScriptLanguage>> = {
  '': 'sh',
  '.sh': 'sh',
  '.bash': 'sh',
  '.zsh': 'sh',
  '.js': 'node',
  '.mjs': 'node',
  '.cjs': 'node',
  '.ts': 'node',
  '.mts': 'node',
  '.py': 'python',
}

/** Returns whether a file is a script by its extension. */
export const isScriptName = (name: string): boolean => extname(name) !== '' && extname(name) in extensions

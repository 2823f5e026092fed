import { extname } from 'node:path'

export type Language = 'sh' | 'node' | 'python' | 'other'

/** Returns the language by the `#!` line, else by the file's extension. */
export function languageOf(file: string, text: string): Language {
  const shebang = /^#!.*/.exec(text)?.[0] ?? ''
  if (/\b(ba|da|z|k)?sh\b/.test(shebang)) return 'sh'
  if (/\b(node|bun|deno|tsx)\b/.test(shebang)) return 'node'
  if (/\bpython[\d.]*\b/.test(shebang)) return 'python'
  if (shebang !== '') return 'other'
  switch (extname(file)) {
    case '.sh':
    case '.bash':
    case '.zsh':
    case '':
      return 'sh'
    case '.js':
    case '.mjs':
    case '.cjs':
    case '.ts':
    case '.mts':
      return 'node'
    case '.py':
      return 'python'
    default:
      return 'other'
  }
}

const prints: Readonly<Record<Language, RegExp>> = {
  sh: /^[ \t]*(?:echo|printf)[ \t]+(.*)$/gm,
  node: /\bconsole\.(?:log|info)\((.*)$/gm,
  python: /^[ \t]*print\((.*)$/gm,
  other: /(?!)/g,
}

/**
 * Finds where a script that prints a JSON object also prints other text on stdout, as indexes into its source. Output
 * that is redirected, piped, or not a plain quoted text is skipped.
 */
export function printsText(text: string, language: Language): readonly number[] {
  const printed = [...text.matchAll(prints[language])].map((match) => ({
    at: match.index + match[0].search(/\S/),
    what: match[1] ?? '',
  }))
  if (!printed.some(({ what }) => isJson(what)) && !/\bjq -n/.test(text)) return []
  return printed.filter(({ what }) => !isJson(what) && !elsewhere(what) && isText(what)).map(({ at }) => at)
}

const isJson = (what: string) => /^\(?['"]?(%s\\n['"]? )?['"]?\s*\{|JSON\.stringify|json\.dumps/.test(what)
const elsewhere = (what: string) => /[>|]|file\s*=\s*sys\.stderr/.test(what.replace(/(["'])(?:\\.|(?!\1).)*\1/g, ''))
const isText = (what: string) => /^["'`][^{"'`$]/.test(what) && !/\{\\?["']/.test(what)

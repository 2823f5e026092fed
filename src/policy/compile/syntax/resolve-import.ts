import { basename, dirname, extname, resolve } from 'node:path'
import { quoted } from '../../../model/text.ts'
import { realPath } from '../../../files/real-path.ts'
import type { Unreadable } from '../../../model/disk.ts'
import { isBelow } from '../../../words/machine-paths.ts'

/** Reads a file's text; returns `undefined` if there is no such file. */
export type ReadText = (path: string) => string | Unreadable | undefined

/** The target of an import, or the reason why it is refused, with the remedy. */
type ResolvedImport =
  | { readonly kind: 'library' }
  /** The coverage counters of instrumented code. */
  | { readonly kind: 'counters' }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'refused'; readonly message: string; readonly remedy: string }

export const libraryName = 'hookgate/policy'
export const countersName = 'hookgate:counters'
const extensions = ['.ts', '.js', '.mts', '.mjs']

/**
 * Resolves an import as Node does: relative to the importing file's real path, with the extension written out.
 *
 * INVARIANT: nothing outside the folder is read, whatever links lead there.
 */
export function resolveImport(
  specifier: string,
  importer: string,
  { folder, isInstrumented }: { readonly folder: string; readonly isInstrumented: boolean },
): ResolvedImport {
  if (specifier === libraryName) return { kind: 'library' }
  if (specifier === countersName && isInstrumented) return { kind: 'counters' }
  if (!/^\.\.?\//.test(specifier)) {
    const meant = specifier === 'hookgate' ? `write \`${libraryName}\`` : undefined
    const remedy = meant ?? `import \`${libraryName}\` and files by relative paths (\`./names.ts\`) only`
    return { kind: 'refused', message: `a policy cannot import ${quoted(specifier)}`, remedy }
  }
  // An import is a URL: Node would decode `%`, cut at `?` and `#`, and convert or drop the other characters.
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what this pattern is for
  if (/[%?#\\\u0000-\u001f]/.test(specifier)) {
    const message = `the path ${quoted(specifier)} has a character with a special meaning in an import`
    return { kind: 'refused', message, remedy: 'write a plain path, without `%`, `?`, `#` and `\\`' }
  }
  const file = resolve(dirname(realPath(importer)), specifier)
  if (!isBelow(file, folder) || !isBelow(realPath(file), folder)) {
    const message = `${quoted(specifier)} leads outside ${quoted(folder)}`
    return { kind: 'refused', message, remedy: 'move the file into that folder: a policy can use no other files' }
  }
  return { kind: 'file', file }
}

export const isModuleName = (file: string) => extensions.includes(extname(file))

/** Returns a remedy for a path without a file, if the same name exists with an extension or with another one. */
export function nearPath(specifier: string, file: string, readText: ReadText): string | undefined {
  const extension = extname(file)
  const stems = extension === '' || !isModuleName(file) ? [''] : ['', extension]
  for (const stem of stems.toReversed()) {
    for (const end of [...extensions, ...extensions.map((one) => `/index${one}`)]) {
      const candidate = `${stem === '' ? file : file.slice(0, -stem.length)}${end}`
      if (candidate === file || typeof readText(candidate) !== 'string') continue
      const written = stem === '' ? specifier : specifier.slice(0, -stem.length)
      return `write ${quoted(`${written.replace(/\/$/, '')}${end}`)}`
    }
  }
  return undefined
}

export function nameRemedy(file: string): string {
  return `name it ${quoted(`${basename(file, extname(file))}.ts`)} or ${quoted(`${basename(file, extname(file))}.js`)}`
}

import { type Search, spend } from './carried-fields.ts'
import { saysReads } from './carried-use.ts'
import type { ToolKind } from './event.ts'
import { isJsonObject, type Json, type JsonObject } from './json.ts'
import { shellLimits } from './limits.ts'
import { fileOfUrl } from './text.ts'
import { toolWords } from './tool-words.ts'

/** A file or folder that a call's input names, and what a tool that no table has is taken to do there. */
export interface CarriedPlace {
  readonly path: string
  readonly access: 'read' | 'write'
}

/**
 * Returns what the input of a tool that no table has names besides its files. Nobody knows what the tool does there: it is
 * taken to write, unless it is known to read.
 *
 * @param inputs several where it is not known which of them the tool reads
 *
 * @throws HookgateError `eventMalformed` if the input is too large to be searched
 */
export function carriedPlaces(
  kind: ToolKind,
  name: string,
  files: readonly string[],
  ...inputs: readonly JsonObject[]
): readonly CarriedPlace[] {
  const reads = kind === 'read' || kind === 'search' || kind === 'list' || saysReads(toolWords(name))
  const known = new Set(files)
  return placesIn(inputs).flatMap(({ path, isTarget }) => {
    if (isTarget) return [{ path, access: 'write' }]
    // Beside a command, a folder is where that runs.
    if (kind === 'shell' || known.has(path)) return []
    return [{ path, access: reads ? 'read' : 'write' }]
  })
}

/** A text of an input that may name a file or folder. */
interface NamedPlace {
  readonly path: string
  /** Set if its key says that something is put there. */
  readonly isTarget: boolean
}

/**
 * Returns the texts of an input that look like paths, at any depth and under any key, since servers name their keys
 * freely. A key itself may be one: `{files: {'a.ts': '…'}}`.
 *
 * A relative path counts if one of its names begins with a dot, or if its key says that something is put there: other
 * texts with a slash are as often branches, media types or repositories.
 */
function placesIn(inputs: readonly JsonObject[]): readonly NamedPlace[] {
  const search: Search = { steps: 0 }
  const found = new Map<string, NamedPlace>()
  const add = (text: string, isTarget: boolean) => {
    const path = pathIn(text)
    if (isPlaced.test(path) || (isTarget && isRelative.test(path))) found.set(`${isTarget} ${path}`, { path, isTarget })
  }
  const queue: (readonly [value: Json, use: KeyUse])[] = inputs.map((input) => [input, 'any'])
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [value, use] = next
    if (typeof value === 'string' && use !== 'words') add(value, use === 'target')
    if (Array.isArray(value)) {
      const parts = value.filter((one: Json) => typeof one === 'string' || typeof one === 'object')
      spend(search, parts.length)
      for (const one of parts) queue.push([one, use])
    }
    if (!isJsonObject(value)) continue
    const entries = Object.entries(value)
    spend(search, entries.length)
    for (const [key, one] of entries) {
      add(key, typeof one === 'string')
      queue.push([one, useOf(key, use)])
    }
  }
  return [...found.values()]
}

/** What a key says of its value: `target`, something is put there; `words`, it is a text that may quote a path. */
type KeyUse = 'target' | 'words' | 'any'

function useOf(key: string, around: KeyUse): KeyUse {
  const words = toolWords(key)
  if (words.some((word) => targetWords.has(word))) return 'target'
  if (words.some((word) => textWords.has(word))) return 'words'
  return around === 'target' ? 'target' : 'any'
}
const targetWords: ReadonlySet<string> = new Set(
  'dst dest destination to out output outfile outdir outpath save saved into download export dump'.split(' '),
)
const textWords: ReadonlySet<string> = new Set(
  'query queries pattern regex title message description body prompt question questions subject comment text content contents string str code summary label topic'.split(
    ' ',
  ),
)

/** Returns the path in a text: behind the `=` of an option, or of a `file:` URL; `''` where the text can be none. */
function pathIn(text: string): string {
  if (text.length > shellLimits.pathCharactersMax || /[\n\r\0]/.test(text)) return ''
  return fileOfUrl(text.replace(/^--?[\w-]+=/, ''))
}

const isPlaced = /^(?:~|\$HOME|\$\{HOME\}|\.{1,2})(?:[\\/]|$)|^[\\/]|^[a-z]:[\\/]|^(?:[^\s:]*[\\/])?\.[^\\/\s]\S*$/i
const isRelative = /^[^@:\s]*[./][^@:\s]*$/

import type { CarriedPlace } from '../model/tool-facts.ts'
import { type Search, spend, saysReads } from './carried-use.ts'
import type { ToolKind } from '../model/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { shellLimits } from '../model/limits.ts'
import { fileOfUrl } from '../model/text.ts'
import { toolWords } from '../words/names.ts'
import { setOf } from '../model/look-ups.ts'

/**
 * Returns what the input of a tool names besides its files. Nobody knows what a server's tool does there: it is taken to
 * write, unless its name says that it only looks. An agent's own tool is taken to read. A key may say that something is
 * put there, whatever the tool; and what a server gets as a text may be a file to send.
 *
 * @param inputs several where it is not known which of them the tool reads
 *
 * @throws HookgateError `eventMalformed` if the input is too large to be searched
 */
export function carriedPlaces(
  { kind, name, isServer }: { readonly kind: ToolKind; readonly name: string; readonly isServer: boolean },
  files: readonly string[],
  ...inputs: readonly JsonObject[]
): readonly CarriedPlace[] {
  const looks = kind === 'read' || kind === 'search' || kind === 'list' || saysReads(toolWords(name))
  const known = new Set(files)
  return placesIn(inputs).flatMap(({ path, use }) => {
    const recursive = kind !== 'shell' && use !== 'words'
    if (use === 'target') return [{ path, access: 'write', recursive }]
    // Beside a command, a folder is where that runs.
    if (known.has(path) || (kind === 'shell' && use === 'folder') || (use === 'words' && !isServer)) return []
    const access = isServer && !looks && recursive ? 'write' : 'read'
    return [{ path, access, recursive }]
  })
}

/** What a key says of its value: something is put there, a command runs there, or it is a text that may quote a path. */
type KeyUse = 'target' | 'folder' | 'words' | 'any'

interface NamedPlace {
  readonly path: string
  readonly use: KeyUse
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
  const add = (text: string, use: KeyUse) => {
    if (text.length > shellLimits.pathCharactersMax) return
    for (const part of text.split(/[,\r\n]/)) {
      const path = fileOfUrl(part.trim().replace(/^--?[\w-]+=/, ''))
      if ((use === 'words' ? isRooted : use === 'target' ? isPath : isPlaced).test(path))
        found.set(`${use} ${path}`, { path, use })
    }
  }
  const queue: (readonly [value: Json, use: KeyUse])[] = inputs.map((input) => [input, 'any'])
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [value, use] = next
    if (typeof value === 'string') {
      add(value, use)
    } else if (isJsonObject(value)) {
      const entries = Object.entries(value)
      spend(search, entries.length)
      for (const [key, one] of entries) {
        add(key, typeof one === 'string' ? 'target' : 'any')
        queue.push([one, useOf(key, use)])
      }
    } else if (Array.isArray(value)) {
      const parts = value.filter((one: Json) => typeof one === 'string' || typeof one === 'object')
      spend(search, parts.length)
      for (const one of parts) queue.push([one, use])
    }
  }
  return [...found.values()]
}

function useOf(key: string, around: KeyUse): KeyUse {
  const words = toolWords(key)
  if (words.some((word) => targetWords.has(word))) return 'target'
  if (words.some((word) => textWords.has(word))) return 'words'
  if (words.some((word) => folderWords.has(word))) return 'folder'
  return around === 'target' ? 'target' : 'any'
}
const targetWords = setOf(
  'dst dest destination to out output outfile outdir outpath save saved into download export dump',
)
const textWords = setOf(
  'query queries pattern regex title message description body prompt question questions subject comment text content contents string str code summary label topic',
)
const folderWords = setOf('cwd dir directory folder workdir workspace root')

const isRooted = /^(?:~|\$HOME|\$\{HOME\}|\.{0,2})[\\/][^\s:]*$/
// What a name must not have is looked for first: else each of its dots and slashes would be tried as the last one.
const isPlaced =
  /^(?:~|\$HOME|\$\{HOME\}|\.{1,2})(?:[\\/][^:]*)?$|^(?:[a-z]:)?[\\/][^:]*$|^(?=[^\s:]*$)(?:[^\s:]*[\\/])?\.[^\\/]/i
const isPath = new RegExp(`${isPlaced.source}|^(?=[^@:\\s]*$)[^./]*[./]`, 'i')

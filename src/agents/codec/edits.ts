import { applyPatchFiles, isPatch } from './patch.ts'
import type { ToolFields } from '../tools.ts'
import { toolRow } from '../tool-names.ts'
import type { AgentName, ToolUse } from '../../model/event.ts'
import { type JsonObject, objectsIn, textAt } from '../../model/json.ts'
import type { FileTexts } from '../../model/tool-facts.ts'
import { carriedUse } from '../../tools/carried-use.ts'
import { toolWords } from '../../words/names.ts'

/** The text that an edit removes from a file and the text it adds; the parts of several edits are on separate lines. */
export interface EditTexts {
  readonly removed: string
  readonly added: string
  /** Set if the added text stands where the removed one was, and this is all. */
  readonly exact?: true
}

/**
 * Returns what another agent's edit changes in one of its files.
 *
 * The tool determines how its text is read, never the text: otherwise new content that looks like a block or a patch
 * could hide what is outside of it.
 *
 * @param fields the keys of the calling agent's tool
 */
export function textsOfEdit(tool: EditUse, file: string, fields: ToolFields): EditTexts {
  return textsByFile(tool, fields).get(file) ?? noTexts
}

/** Returns what a tool that writes or edits files puts into each of them, and what it takes out as far as it says so. */
export function fileTexts(agent: AgentName, tool: EditUse, files: readonly string[]): readonly FileTexts[] {
  const row = toolRow(agent, tool.name, tool.kind)
  if (tool.kind === 'write') return files.map((path) => ({ path, before: '', after: tool.content ?? '', whole: true }))
  if (tool.kind !== 'edit') return []
  const texts = textsByFile({ ...tool, paths: files }, row?.fields[agent] ?? {})
  return files.flatMap((path) => {
    const { removed: before, added: after, exact } = texts.get(path) ?? noTexts
    const cell = before === '' ? cellOf(tool.input) : undefined
    if (before === '' && after === '' && cell === undefined) return []
    const isProse = /^(?:markdown|raw)$/.test(textAt(tool.input, 'cell_type') ?? textAt(tool.input, 'language') ?? '')
    return [
      {
        path,
        before,
        after,
        ...(exact && { exact }),
        ...(cell && { cell }),
        ...(isProse && { isProse: true as const }),
      },
    ]
  })
}

/** Returns the cell of a notebook that a tool replaces, and does not insert. */
function cellOf(input: JsonObject): string | undefined {
  const mode = textAt(input, 'edit_mode') ?? textAt(input, 'editType') ?? 'replace'
  return mode === 'insert' ? undefined : (textAt(input, 'cell_id') ?? textAt(input, 'cellId'))
}

type EditUse = Pick<ToolUse, 'kind' | 'name' | 'input' | 'content' | 'path' | 'paths'>
const noTexts: EditTexts = { removed: '', added: '' }

function textsByFile(tool: EditUse, fields: ToolFields): ReadonlyMap<string, EditTexts> {
  const { name, input, content = '', path = '', paths = [path] } = tool
  if (fields.edits !== undefined) return joinedByFile(objectsIn(input[fields.edits]), fields)
  if (isPatchCall(tool, fields)) return patched(content)
  const texts = oneFile(input, content, name, fields)
  return new Map(paths.map((file) => [file, texts]))
}

/** Tells whether a call is a patch: by its tool, or since it names no file but in a patch. */
const isPatchCall = ({ name, input, content }: EditUse, fields: ToolFields): boolean =>
  name === 'apply_patch' || fields.patch !== undefined || (isPatch(content) && textAt(input, fields.path) === undefined)

function oneFile(input: JsonObject, content: string, name: string, fields: ToolFields): EditTexts {
  if (name === 'replace_in_file') return searchReplaceBlocks(content) ?? { removed: '', added: content }
  const edits = objectsIn(input['edits'])
  if (fields.content === undefined && edits.length > 0) return joined(edits.map((edit) => textsIn(edit, fields)))
  const { removed } = textsIn(input, fields)
  return { removed, added: content, exact: true }
}

/** The keys of an edit's texts, which tools that no table has choose freely but alike. */
const removedKeys = ['old_text', 'old_string', 'old_str', 'oldText', 'oldString', 'oldStr']
const addedKeys = ['new_text', 'new_string', 'new_str', 'newText', 'newString', 'newStr']

function textsIn(edit: JsonObject, { replaced, content }: ToolFields): EditTexts {
  const first = (keys: readonly string[]) => keys.map((key) => textAt(edit, key)).find((text) => text !== undefined)
  return {
    removed: first(replaced === undefined ? removedKeys : [replaced]) ?? '',
    added: first(content === undefined ? addedKeys : [content]) ?? '',
  }
}

const joined = (edits: readonly EditTexts[]): EditTexts => ({
  removed: edits.map(({ removed }) => removed).join('\n'),
  added: edits.map(({ added }) => added).join('\n'),
})

/** Returns the edits of one file, for a tool whose list holds edits of several. */
export function editsOf({ input }: ToolUse, file: string, fields: ToolFields): readonly EditTexts[] {
  const edits = fields.edits === undefined ? [] : objectsIn(input[fields.edits])
  return edits.filter((edit) => textAt(edit, fields.path) === file).map((edit) => textsIn(edit, fields))
}

function joinedByFile(edits: readonly JsonObject[], fields: ToolFields): ReadonlyMap<string, EditTexts> {
  const byFile = Map.groupBy(edits, (edit) => textAt(edit, fields.path) ?? '')
  return new Map([...byFile].map(([file, own]) => [file, joined(own.map((edit) => textsIn(edit, fields)))]))
}

// Cline's own delimiters, current and former (its `diff.ts`): at least three signs, on a line alone.
const search = /^(?:-{3,}|<{3,}) SEARCH>?$/
const divider = /^={3,}$/
const replace = /^(?:\+{3,}|>{3,}) REPLACE>?$/

/** @returns undefined if the text has no such block */
function searchReplaceBlocks(diff: string): EditTexts | undefined {
  const removed: string[] = []
  const added: string[] = []
  let into: string[] | undefined
  let blocks = 0
  for (const line of diff.split(/\r?\n/)) {
    if (into === undefined && search.test(line)) {
      into = removed
      blocks += 1
    } else if (into === removed && divider.test(line)) into = added
    else if (into === added && replace.test(line)) into = undefined
    else into?.push(line)
  }
  return blocks === 0 ? undefined : { removed: removed.join('\n'), added: added.join('\n') }
}

/** Returns the lines that a patch in the format of `apply_patch` removes from and adds to each file. */
function patched(patch: string): ReadonlyMap<string, EditTexts> {
  const named = applyPatchFiles(patch).flatMap((file) => file.names.map((name) => ({ name, file })))
  const byName = Map.groupBy(named, ({ name }) => name)
  return new Map([...byName].map(([name, own]) => [name, joined(own.map(({ file }) => file))]))
}

/** Returns all files that a patch in the format of `apply_patch` touches, as its parsers find them. */
export const patchPaths = (patch: string): readonly string[] => applyPatchFiles(patch).flatMap(({ names }) => names)

/** Returns a patch that replaces one text of a file by another. Without a text to replace, the file is new. */
export function patchOf(file: string, removed: string | undefined, added: string): string {
  const body =
    removed === undefined
      ? [`*** Add File: ${file}`, ...lines('+', added)]
      : [`*** Update File: ${file}`, '@@', ...lines('-', removed), ...lines('+', added)]
  return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n')
}

const lines = (sign: string, text: string) => text.split('\n').map((line) => `${sign}${line}`)

type UnknownUse = Pick<ToolUse, 'kind' | 'inferred' | 'paths' | 'path' | 'command' | 'url' | 'content'>

/**
 * Returns what a call of a tool does that the agent's table does not have: a tool of a newer version, of an extension,
 * or of another agent that runs hooks written for this one. It is judged by what its input carries.
 *
 * INVARIANT: this only tightens. An inferred kind subjects the call to more rules; whatever allows a call must name its
 * tool.
 */
export function unknownToolUse(name: string, input: JsonObject): UnknownUse {
  const use = carriedUse(name, input)
  // A shell runs the lines of a patch too, unless the tool says that it takes patches.
  const isShell = use?.kind === 'shell' && !(toolWords(name).includes('patch') && isPatch(use.command))
  const patch = isShell ? undefined : Object.values(input).find(isPatch)
  // What a file is to hold may look like a patch, so the files that the input itself names count as well.
  if (patch !== undefined) {
    return { kind: 'edit', inferred: true, ...pathsOf([...(use?.paths ?? []), ...patchPaths(patch)]), content: patch }
  }
  if (use === undefined) {
    const { url } = input
    return typeof url === 'string' && url.trim() !== '' ? { kind: 'fetch', inferred: true, url } : { kind: 'other' }
  }
  const { kind, paths, ...carried } = use
  return { ...(kind === undefined ? { kind: 'other' } : { kind, inferred: true }), ...pathsOf(paths), ...carried }
}

function pathsOf(paths: readonly string[]): Pick<ToolUse, 'paths' | 'path'> {
  const [path] = paths
  return path === undefined ? {} : { paths, path }
}

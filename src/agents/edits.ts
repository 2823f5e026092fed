import type { ToolFields } from './tools.ts'
import type { ToolUse } from '../model/event.ts'
import { objectsIn, textAt } from '../model/json.ts'

/** The text that an edit removes from a file and the text it adds; the parts of several edits are on separate lines. */
export interface EditTexts {
  readonly removed: string
  readonly added: string
}

/**
 * Returns what another agent's edit changes in one of its files.
 *
 * The tool determines how its text is read, never the text: otherwise new content that looks like a block or a patch
 * could hide what is outside of it.
 *
 * @param fields the keys of the calling agent's tool
 */
export function textsOfEdit(tool: ToolUse, file: string, fields: ToolFields): EditTexts {
  const { name, input, content = '' } = tool
  if (fields.edits !== undefined) {
    const edits = editsOf(tool, file, fields)
    return {
      removed: edits.map(({ removed }) => removed).join('\n'),
      added: edits.map(({ added }) => added).join('\n'),
    }
  }
  if (name === 'replace_in_file') return searchReplaceBlocks(content) ?? { removed: '', added: content }
  if (name === 'apply_patch' || fields.patch !== undefined) return patched(content, file)
  return { removed: textAt(input, fields.replaced ?? 'old_text') ?? '', added: content }
}

/** Returns the edits of one file, for a tool whose list holds edits of several. */
export function editsOf({ input }: ToolUse, file: string, fields: ToolFields): readonly EditTexts[] {
  const edits = fields.edits === undefined ? [] : objectsIn(input[fields.edits])
  return edits
    .filter((edit) => textAt(edit, fields.path) === file)
    .map((edit) => ({ removed: textAt(edit, fields.replaced) ?? '', added: textAt(edit, fields.content) ?? '' }))
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

const section = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/

/** Returns the lines that a patch in the format of `apply_patch` removes from and adds to one file. */
function patched(patch: string, file: string): EditTexts {
  const removed: string[] = []
  const added: string[] = []
  let current: string | undefined
  for (const line of patch.split(/\r?\n/)) {
    current = section.exec(line)?.[1]?.trim() ?? current
    if (current !== file) continue
    if (line.startsWith('-')) removed.push(line.slice(1))
    else if (line.startsWith('+')) added.push(line.slice(1))
  }
  return { removed: removed.join('\n'), added: added.join('\n') }
}

/** Returns all files that a patch in the format of `apply_patch` touches, as its parser finds them. */
export function patchPaths(patch: string): readonly string[] {
  return patch.split('\n').flatMap((line) => {
    const path = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.*)$/s.exec(line)?.[1]?.trim() ?? ''
    return path === '' ? [] : [path]
  })
}

/** Returns a patch that replaces one text of a file by another. Without a text to replace, the file is new. */
export function patchOf(file: string, removed: string | undefined, added: string): string {
  const body =
    removed === undefined
      ? [`*** Add File: ${file}`, ...lines('+', added)]
      : [`*** Update File: ${file}`, '@@', ...lines('-', removed), ...lines('+', added)]
  return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n')
}

const lines = (sign: string, text: string) => text.split('\n').map((line) => `${sign}${line}`)

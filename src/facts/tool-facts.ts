import type { ToolKind } from '../model/event.ts'
import { escapeGlob } from '../model/text.ts'
import { memoize } from '../model/lazy.ts'
import { type PathAccess, pathsHere, type ShellSurroundings, type ShellWord } from '../model/shell.ts'
import { noShellFacts, type ToolCall, type ToolFacts } from '../model/tool-facts.ts'
import { shellTexts } from './shell-texts.ts'
import { type OldText, textChanges } from './text-changes.ts'
import { placeOf, touchedPath, type TouchedHow } from './paths/index.ts'

/** Loads the analysis of shell commands with the first of them: it is most of what the facts of a call have to load. */
const analysis = memoize(() => import('./shell/shell-facts.ts'))
const powershell = memoize(() => import('./shell/powershell-tool.ts'))

/**
 * Derives from a tool call's own text what it would do. Runs nothing.
 *
 * @param oldText reads a file that the call writes whole; by default nothing is read from the disk
 */
export async function toolFacts(
  { kind, command, isPowershell, paths, globs = [], texts = [] }: ToolCall,
  around: ShellSurroundings,
  oldText: OldText = async () => undefined,
): Promise<ToolFacts> {
  const shell = kind === 'shell' && command !== undefined ? await factsOf(command, around, isPowershell) : noShellFacts
  const place = placeOf(around)
  const { access, ...how } = uses[kind]
  const own = paths.map((written) => {
    const touched = touchedPath({ value: fromHome(written, around.home) }, access, place, how)
    return { ...touched, written }
  })
  for (const glob of globs) own.push(touchedPath(globbed(kind, glob, paths[0], around.home), access, place, how))
  const absoluteOf = new Map(own.map(({ written, absolute }) => [written, absolute]))
  const located = texts.map((one) => ({ ...one, path: absoluteOf.get(one.path) ?? one.path }))
  const changes = await textChanges(kind === 'shell' ? shellTexts(shell) : located, oldText)
  return {
    shell,
    changes,
    paths: [...own, ...shell.commands.flatMap(pathsHere)],
  }
}

async function factsOf(command: string, around: ShellSurroundings, isPowershell = false) {
  const { shellFacts } = await analysis()
  return isPowershell ? (await powershell()).powershellFacts(command, around) : shellFacts(command, around)
}

/** How each kind of tool uses the files that its input names. Unknown tools are assumed to write. */
const uses: Readonly<Record<ToolKind, TouchedHow & { readonly access: PathAccess }>> = {
  shell: { access: 'read' },
  read: { access: 'read' },
  write: { access: 'write' },
  edit: { access: 'write' },
  search: { access: 'read', recursive: true },
  list: { access: 'read', metadata: true },
  fetch: { access: 'read' },
  websearch: { access: 'read' },
  browser: { access: 'read' },
  agent: { access: 'read' },
  mcp: { access: 'write' },
  other: { access: 'write' },
}

/**
 * Builds the word for a glob of a tool's input. A search matches at any depth unless its glob has a `/`; the glob of any
 * other tool states its depth itself.
 */
function globbed(kind: ToolKind, glob: string, folder: string | undefined, home: string | undefined): ShellWord {
  const own = fromHome(glob, home)
  if (own.startsWith('/')) return { value: own, pattern: own }
  const base = fromHome(folder ?? '.', home)
  const between = kind === 'search' && !own.includes('/') ? '/**/' : '/'
  return { value: `${base}${between}${own}`, pattern: `${escapeGlob(base)}${between}${own}` }
}

/** Expands a leading `~`. No shell runs between an agent and its file tools, but some of them expand it themselves. */
function fromHome(written: string, home: string | undefined): string {
  return home !== undefined && /^~(?=\/|$)/.test(written) ? home + written.slice(1) : written
}

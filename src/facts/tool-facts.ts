import { inTurns, turn } from '../files/turns.ts'
import type { ToolKind } from '../model/event.ts'
import type { Impact } from '../model/impact.ts'
import { escapeGlob } from '../model/text.ts'
import { memoize } from '../model/lazy.ts'
import { limits } from '../model/limits.ts'
import { type PathAccess, pathsHere, type ShellFacts, type ShellSurroundings, type ShellWord } from '../model/shell.ts'
import {
  type CarriedCommands,
  noShellFacts,
  type TextChange,
  type ToolCall,
  type ToolFacts,
} from '../model/tool-facts.ts'
import type { FoundFacts } from './shell/shell-facts.ts'
import { asShells, isStreamEditor, type OldText, shellTexts, textChanges } from './text-changes.ts'
import { ordersIn } from './carried/orders-in.ts'
import { expandBraces } from './shell/expand/fields.ts'
import { placeOf, touchedPath, type TouchedHow } from './paths/index.ts'
import { type RealPaths, withRealPaths } from './paths/real-paths.ts'

/** Loads the analysis of shell commands with the first of them: it is most of what the facts of a call have to load. */
const analysis = memoize(() => import('./shell/shell-facts.ts'))
const impacts = memoize(() => import('./impacts/read-impacts.ts'))
const noImpacts: readonly Impact[] = []
const edits = memoize(() => import('./impacts/edits/read-edits.ts'))
const searches = memoize(() => import('./impacts/mcp/tool.ts'))
const namedTools = memoize(() => import('./impacts/mcp/read-tool.ts'))

/** Loads every analysis at once. */
export const loadAnalyses = async (): Promise<unknown> =>
  Promise.all([analysis(), impacts(), edits(), searches(), namedTools()])

/** Asks a disk about the files of a call. */
interface DiskLooks {
  /** Reads a file that the call writes whole, or a patch that it applies. */
  readonly oldText: OldText
  /** Looks up where paths really lead. Never rejects. */
  readonly realPaths: (paths: ToolFacts['paths']) => Promise<RealPaths>
}

/**
 * Derives from a tool call's own text what it would do. Runs nothing.
 *
 * @param disk by default nothing is read from any, and paths lead where they say
 */
export async function toolFacts(
  call: ToolCall,
  around: ShellSurroundings,
  { oldText, realPaths }: DiskLooks = noDisk,
): Promise<ToolFacts> {
  const { kind, command, isPowershell, prompt, texts = [] } = call
  const found: FoundFacts =
    kind === 'shell' && command !== undefined ? await factsOf(command, around, oldText, isPowershell) : noShellFacts
  const { texts: edited = [], unread: _, ...shell } = found
  const own = pathsOf(call, around)
  const absoluteOf = new Map(own.toReversed().map(({ written, absolute }) => [written, absolute]))
  const located = texts.map((one) => Object.assign({}, one, { path: absoluteOf.get(one.path) ?? one.path }))
  await turn()
  const { changes, carried } = await textChanges(
    kind === 'shell' ? [...edited, ...shellTexts(shell)] : located,
    oldText,
  )
  const facts = {
    shell,
    changes,
    carried: [...carried, ...(prompt === undefined ? [] : orderedBy(prompt))],
    paths: [...own, ...shell.commands.flatMap(pathsHere)],
  }
  // The disk looks while this thread works: impacts are read from what the paths say.
  const looking = realPaths(facts.paths)
  const impactsFound = call.withoutImpacts === true ? noImpacts : await impactsOf(call, facts, own, around)
  await turn()
  return withRealPaths({ ...facts, impacts: impactsFound }, await looking)
}
const noDisk: DiskLooks = {
  oldText: async () => undefined,
  realPaths: async (found) => ({ found, isCut: false }),
}

/** Finds what a call would do to what others depend on. @param own paths that its input names */
async function impactsOf(
  call: ToolCall,
  { shell, changes }: Pick<ToolFacts, 'shell' | 'changes'>,
  own: ToolFacts['paths'],
  around: ShellSurroundings,
): Promise<readonly Impact[]> {
  const ofCommands = shell.commands.length === 0 ? noImpacts : await (await impacts()).impactsInTurns(shell)
  const ofTool = call.named === undefined ? noImpacts : (await namedTools()).impactsOfTool(call.named)
  const ofFetch = call.fetched === undefined ? noImpacts : (await impacts()).impactsOfFetch(call.fetched)
  const ofSearch = call.search === undefined ? noImpacts : (await searches()).findToolSearches(call.search, own)
  const runLater = changes.filter(({ path }) => fileRunLater.test(path))
  const ofFiles = runLater.length === 0 ? noImpacts : (await impacts()).impactsOfFiles(runLater)
  const ofEdits = await impactsOfEdits(changes, shell, around)
  return [...ofCommands, ...ofTool, ...ofFetch, ...ofSearch, ...ofFiles, ...ofEdits]
}

/** Returns what edits take away from checks and guards. */
async function impactsOfEdits(
  changes: readonly TextChange[],
  shell: ShellFacts,
  { workspaceRoots }: ShellSurroundings,
): Promise<readonly Impact[]> {
  if (changes.length === 0 && !shell.commands.some(isStreamEditor)) return noImpacts
  const { editPieces } = await edits()
  return inTurns(editPieces(changes, workspaceRoots, shell), (piece) => piece())
}

/** Files whose statements or cells somebody runs later. */
const fileRunLater = /\.(?:p?sql|psql|mysql|pgsql|ddl|ipynb)$/i

/** Returns the commands that another agent is told to run. */
function orderedBy(prompt: string): readonly CarriedCommands[] {
  const command = asShells(ordersIn(prompt))
  return command === '' ? [] : [{ place: 'prompt', command, before: '' }]
}

async function factsOf(command: string, around: ShellSurroundings, oldText: OldText, isPowershell = false) {
  const { shellFacts } = await analysis()
  if (isPowershell) return (await analysis()).powershellFacts(command, around)
  const found = shellFacts(command, around)
  if (found.unread !== true) return found
  const files = await filesReadBy(found, oldText)
  await turn()
  return files.size === 0 ? found : shellFacts(command, { ...around, files })
}

/**
 * Returns the files of the workspace that commands read by their names, as they are now.
 *
 * @throws Error if the disk does not answer in time: the patch that a command applies may be in them
 */
async function filesReadBy({ commands }: FoundFacts, oldText: OldText): Promise<ReadonlyMap<string, string>> {
  const named = commands
    .filter(({ elsewhere }) => elsewhere !== true)
    .flatMap(({ paths }) => paths)
    .flatMap(({ access, absolute, metadata, recursive, unresolved, pattern }) =>
      access === 'read' && metadata !== true && recursive !== true && unresolved !== true && pattern === undefined
        ? (absolute ?? [])
        : [],
    )
  const some = [...new Set(named)].slice(0, limits.patchesReadMax)
  const read = await Promise.all(some.map(async (path) => [path, await oldText(path, true)] as const))
  return new Map(read.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])))
}

/** Returns the paths that the input names, first those under the keys of files. */
function pathsOf({ kind, paths, globs = [], places = [], isUnlisted }: ToolCall, around: ShellSurroundings) {
  const { home } = around
  const place = placeOf(around)
  const { access, ...how } = uses[kind]
  const touched = (written: string, use: PathAccess, below: TouchedHow, folder = '') => ({
    ...touchedPath({ value: fromHome(folder, home) + fromHome(written, home) }, use, place, below),
    written,
  })
  const own = paths.map((path) => touched(path, access, isUnlisted && kind === 'read' ? everything : how))
  // Of several files at once, each may be a folder.
  const globHow = kind === 'read' ? everything : how
  const folders = paths.length === 0 ? [undefined] : paths
  for (const glob of globs.flatMap(alternativesOf))
    for (const folder of folders) own.push(touchedPath(globbed(kind, glob, folder, home), access, place, globHow))
  for (const { path, access: use, recursive } of places) {
    own.push(touched(path, use, { recursive }))
    // The folder that it starts from may stand beside it.
    if (paths[0] !== undefined && isRelative.test(path)) own.push(touched(path, use, { recursive }, `${paths[0]}/`))
  }
  // Servers take patterns where they take files.
  const takesPatterns = isUnlisted || kind === 'search'
  const wild = takesPatterns ? [...paths, ...places.map(({ path }) => path)].filter((path) => /[*?{]/.test(path)) : []
  for (const glob of wild) own.push(touchedPath(globbed('read', glob, undefined, home), 'read', place, everything))
  // A search that names no folder is one of the working directory.
  if (kind === 'search' && own.length === 0) own.push(touched('.', access, how))
  return own
}

/** Returns the patterns that one with braces stands for; itself, if there are more than a person writes. */
function alternativesOf(glob: string): readonly string[] {
  const all = glob.includes('{') ? expandBraces(glob) : undefined
  return all === undefined || all.length > alternativesMax ? [glob] : all
}
const alternativesMax = 32

const everything: TouchedHow = { recursive: true }
const isRelative = /^(?![\\/~$]|[a-z]:)/i

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

/** Expands a leading `~`. No shell runs between an agent and its file tools, but some of them expand it, or a variable, themselves. */
function fromHome(written: string, home: string | undefined): string {
  return home === undefined ? written : written.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home)
}

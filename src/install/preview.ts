import { basename, dirname, join, relative } from 'node:path'
import { isBelow } from '../words/machine-paths.ts'
import { type FileChange, changesNothing } from './files/change.ts'
import { checkFolder, checkParses, checkReplaceable } from './files/settings-file.ts'
import type { InstallContext, InstallPlan } from './install-context.ts'
import { parseJsonObject } from '../model/json.ts'
import { isOfSession } from '../service/server/gate-environment.ts'
import { checkPlaces } from '../files/state/own-folder.ts'

/** Checks that plans could be carried out at all, without doing it. @throws HookgateError `unavailable`, `settingsUnwritable` */
export function checkOwnFolder({ places }: Pick<InstallContext, 'places'>): void {
  checkPlaces(places)
  checkFolder(places.folder)
}

/** The planned writes into hookgate's own folder and removals from it, as names or as counts of files in a folder below. */
export interface OwnWrites {
  readonly folder: string
  readonly written: readonly string[]
  readonly removed: readonly string[]
  /** A gate would be started, which writes files of its own. */
  readonly startsGate: boolean
}

/** True for hookgate's own hook files. An agent's files may lie in the same folder, where a person named the home for it. */
export const isOwn = ({ places }: Pick<InstallContext, 'places'>, file: string) =>
  isBelow(file, join(places.folder, 'hooks'))

/**
 * Lists what carrying out a plan would write beside the agent's own files; `undefined` where it would change nothing.
 *
 * @throws HookgateError as carrying it out would, as far as that is known without doing it
 */
export function wouldWrite(
  verb: 'enable' | 'disable',
  context: InstallContext,
  planned: InstallPlan,
): OwnWrites | undefined {
  const { places, scope, platform, env } = context
  const changes = planned.changes.filter((change) => !changesNothing(change))
  if (changes.length === 0) return undefined
  for (const { looked, after, format } of changes) {
    if (after === undefined) continue
    checkParses(looked.real, after, format)
    checkReplaceable(looked.real, looked.present)
  }
  const own = changes.filter(({ file }) => isOwn(context, file))
  const theirs = changes.filter(({ file }) => !isOwn(context, file))
  const isKept = theirs.some(({ looked, worthKeeping }) => looked.present !== undefined && worthKeeping)
  const hasClient = verb === 'enable' && scope === 'user' && platform !== 'win32'
  return {
    folder: places.folder,
    written: [
      ...(isKept ? ['backups'] : []),
      ...(hasClient ? ['clients'] : []),
      'enable.lock',
      ...(theirs.length > 0 ? ['enabled'] : []),
      ...(verb === 'enable' && !isOfSession(env) ? ['environment.json'] : []),
      ...counted(own.filter(({ after }) => after !== undefined)),
    ],
    removed: counted(own.filter(({ after }) => after === undefined)),
    startsGate: planned.startsGate === true,
  }

  function counted(some: readonly FileChange[]): readonly string[] {
    const folders = Map.groupBy(some, ({ file }) => dirname(file))
    return [...folders].map(([folder, files]) => {
      const name = relative(places.folder, folder)
      const [only] = files
      return files.length === 1 && only !== undefined
        ? join(name, basename(only.file))
        : `${files.length} files in ${name}`
    })
  }
}

/** Lines around a change that are shown with it. */
const around = 3

/** A file before and after a change. */
interface Compared extends Pick<FileChange, 'file' | 'after'> {
  readonly looked: { readonly present: { readonly bytes: Uint8Array } | undefined }
}

/**
 * Shows a change as `diff -u` does, without the token. Everything between the first and the last changed line is one hunk.
 *
 * JSON on one line is compared as if each value had its own, since one long line shows nothing; it is written on one.
 */
export function diffText({ file, looked: { present }, after }: Compared): string {
  const spread = [present?.bytes, after].map(spreadLines)
  const isSpread = !spread.includes(undefined)
  const [old = fileLines(present?.bytes), made = fileLines(after)] = isSpread ? spread : []
  const note = isSpread ? ' (all of it on one line)' : ''
  const head = [
    `--- ${present === undefined ? '/dev/null' : file}${note}`,
    `+++ ${after === undefined ? '/dev/null' : file}${note}`,
  ]
  return [...head, ...hunk(old, made), ''].join('\n').replace(/\bBearer [\w-]+/g, 'Bearer …')
}

function hunk(old: readonly string[], made: readonly string[]): readonly string[] {
  let same = 0
  while (same < old.length && same < made.length && old[same] === made[same]) same++
  let tail = 0
  while (tail < Math.min(old.length, made.length) - same && old.at(-1 - tail) === made.at(-1 - tail)) tail++
  const from = Math.max(0, same - around)
  const until = Math.max(0, tail - around)
  const [oldEnd, madeEnd] = [old.length - until, made.length - until]
  const range = (end: number) => `${end > from ? from + 1 : 0},${end - from}`
  return [
    `@@ -${range(oldEnd)} +${range(madeEnd)} @@`,
    ...old.slice(from, same).map((line) => ` ${line}`),
    ...old.slice(same, old.length - tail).map((line) => `-${line}`),
    ...made.slice(same, made.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, oldEnd).map((line) => ` ${line}`),
  ]
}

/** Returns the lines of a JSON object that is on one line, as if each value had its own; `undefined` for anything else. */
function spreadLines(bytes: Uint8Array | undefined): readonly string[] | undefined {
  const [line = '', ...more] = fileLines(bytes)
  const object = more.length === 0 ? parseJsonObject(line) : undefined
  return object === undefined ? undefined : JSON.stringify(object, undefined, 2).split('\n')
}

function fileLines(bytes: Uint8Array | undefined): readonly string[] {
  if (bytes === undefined) return []
  const lines = new TextDecoder().decode(bytes).split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

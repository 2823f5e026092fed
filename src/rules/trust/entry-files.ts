import { basename, dirname, join, resolve } from 'node:path'
import * as z from 'zod'
import { limits } from '../../model/limits.ts'
import { isBelow } from '../below.ts'
import { type Disk, isUnreadable } from '../disk.ts'
import { parseJson } from '../load/parse.ts'

/** A program that is given code by something else than the name of its file. */
interface Runtime {
  readonly program: RegExp
  /** What it tries behind a name. */
  readonly endings: readonly string[]
  /** What it looks for in a folder. */
  readonly inFolder: readonly string[]
  /** Whether a name may be that of a module: `python3 -m tools.guard`. */
  readonly dotted?: true
}

const javascript = ['.js', '.json', '.node']
const typescript = [...javascript, '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx']
const within = (endings: readonly string[]) => ['package.json', ...endings.map((ending) => `index${ending}`)]

const runtimes: readonly Runtime[] = [
  { program: /^node(?:js)?$/, endings: javascript, inFolder: within(javascript) },
  { program: /^(?:bun|bunx|tsx|ts-node|deno)$/, endings: typescript, inFolder: within(typescript) },
  {
    program: /^(?:python|pypy|py)[\d.]*$/,
    endings: ['.py'],
    inFolder: ['__main__.py', '__init__.py'],
    dotted: true,
  },
  { program: /^ruby[\d.]*$/, endings: ['.rb'], inFolder: [] },
]

/** Programs that run what a file of theirs says, which no word names. */
const byConvention: Readonly<Record<string, readonly string[]>> = {
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  gmake: ['GNUmakefile', 'makefile', 'Makefile'],
  just: ['justfile', '.justfile', 'Justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml'],
  rake: ['Rakefile', 'rakefile', 'Rakefile.rb'],
  invoke: ['tasks.py'],
  inv: ['tasks.py'],
  doit: ['dodo.py'],
  nox: ['noxfile.py'],
  gulp: ['gulpfile.js', 'gulpfile.mjs', 'gulpfile.cjs', 'gulpfile.ts'],
  grunt: ['Gruntfile.js', 'Gruntfile.cjs'],
  composer: ['composer.json'],
}

/**
 * Files of the workspace that a command runs though none of its words is their name: `node tools` is `tools/index.js`,
 * `python3 -m guard` is `guard.py`, `make guard` is what the Makefile says. What those load in turn is not followed, as
 * with any script.
 *
 * @param words of the command, as they may be paths
 * @param folders where they may be relative to
 */
export function entryFiles(words: readonly string[], folders: readonly string[], disk: Disk): readonly string[] {
  const programs = words.map((word) => basename(word))
  const conventional = programs.flatMap((name) => (Object.hasOwn(byConvention, name) ? (byConvention[name] ?? []) : []))
  const own = folders.flatMap((folder) => conventional.map((name) => join(folder, name)))
  const used = runtimes.filter(({ program }) => programs.some((name) => program.test(name)))
  if (used.length === 0) return own
  const places = folders.flatMap((folder) => words.map((word) => ({ folder, word })))
  // With a script of its own, a folder is for that to make something of: `node guard.js .`
  const hasScript = places.some(({ folder, word }) => disk.see(resolve(folder, word)) === 'file')
  const found = used.flatMap((runtime) =>
    places
      .filter(({ word }) => !word.startsWith('-'))
      .flatMap(({ folder, word }) =>
        [word, ...(runtime.dotted === true ? [word.replaceAll('.', '/')] : [])].flatMap((name) =>
          entriesOf(resolve(folder, name), runtime, hasScript, disk),
        ),
      ),
  )
  return [...own, ...found]
}

function entriesOf(path: string, { endings, inFolder }: Runtime, hasScript: boolean, disk: Disk): readonly string[] {
  switch (disk.see(path)) {
    case 'absent':
      return endings.map((ending) => path + ending)
    case 'folder': {
      if (hasScript) return []
      const { main } = manifestOf(path, disk)
      const mains = main === undefined ? [] : ['', ...endings].map((ending) => resolve(path, main) + ending)
      return [...inFolder.map((name) => join(path, name)), ...mains]
    }
    // A file is its own name, and what cannot be looked at is told where it is pinned.
    case 'file':
      return []
    default:
      return []
  }
}

/** The scripts of one `package.json` that a command names. */
export interface NamedScripts {
  readonly file: string
  readonly commands: readonly string[]
}

/**
 * What `npm run guard` and the like would run: every script that a word of the command names, with those before and
 * behind it. The file is told whether or not it has such a script: it may have none any more.
 *
 * @param top the folder above which nothing is looked for
 */
export function namedScripts(
  words: readonly string[],
  folders: readonly string[],
  top: string,
  disk: Disk,
): readonly NamedScripts[] {
  if (!runsScripts(words)) return []
  const manifests = new Set(folders.flatMap((folder) => nearestManifest(folder, top, disk) ?? []))
  return [...manifests].map((file) => {
    const { scripts = {} } = manifestOf(dirname(file), disk)
    const names = words.flatMap((word) => [word, `pre${word}`, `post${word}`])
    return { file, commands: names.flatMap((name) => (Object.hasOwn(scripts, name) ? (scripts[name] ?? []) : [])) }
  })
}

/** `npm` has a word for it; the others take any that is none of their own, of which these are the usual. */
function runsScripts(words: readonly string[]): boolean {
  const names = words.map((word) => basename(word))
  if (names.includes('npm') && names.some((name) => npmVerbs.has(name))) return true
  return names.some((name) => otherManagers.has(name)) && !names.some((name) => otherVerbs.has(name))
}

const npmVerbs = new Set('run run-script rum urn test tst t start stop restart'.split(' '))
const otherManagers = new Set(['pnpm', 'yarn', 'bun'])
const otherVerbs = new Set('exec dlx x create add install i ci audit outdated why list ls'.split(' '))

function nearestManifest(folder: string, top: string, disk: Disk): string | undefined {
  for (let at = folder; at === top || isBelow(at, top); at = dirname(at)) {
    const file = join(at, 'package.json')
    if (disk.see(file) === 'file') return file
  }
  return undefined
}

/** Whatever else a `package.json` holds. */
const Manifest = z.object({
  main: z.string().optional().catch(undefined),
  scripts: z.record(z.string(), z.string()).optional().catch(undefined),
})

function manifestOf(folder: string, disk: Disk): z.infer<typeof Manifest> {
  const file = join(folder, 'package.json')
  if (disk.see(file) !== 'file') return {}
  const bytes = disk.read(file, limits.manifestBytesMax)
  return (isUnreadable(bytes) ? undefined : Manifest.safeParse(parseJson(bytes, file).value).data) ?? {}
}

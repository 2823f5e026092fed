import { basename, dirname, join, resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import { isBelow } from '../../files/real-path.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
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
  // Which word is the script cannot be told without knowing all options: `node --env-file .env tools`. So any may be.
  const names = words.filter((word) => !word.startsWith('-'))
  const found = used.flatMap((runtime) => {
    const all = runtime.dotted === true ? [...names, ...names.map((name) => name.replaceAll('.', '/'))] : names
    return folders.flatMap((folder) => all.flatMap((name) => entriesOf(resolve(folder, name), runtime, disk)))
  })
  return [...own, ...found]
}

function entriesOf(path: string, { endings, inFolder }: Runtime, disk: Disk): readonly string[] {
  switch (disk.see(path)) {
    case 'absent':
      return endings.map((ending) => path + ending)
    case 'folder': {
      const main = manifestOf(join(path, 'package.json'), disk)?.['main']
      const mains = typeof main === 'string' ? ['', ...endings].map((ending) => resolve(path, main) + ending) : []
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
 * @returns `undefined` where what a `package.json` says cannot be read, as the manager may read it
 */
export function namedScripts(
  words: readonly string[],
  folders: readonly string[],
  top: string,
  disk: Disk,
): readonly NamedScripts[] | undefined {
  if (!runsScripts(words)) return []
  const manifests = new Set(folders.flatMap((folder) => nearestManifest(folder, top, disk) ?? []))
  const names = words.flatMap((word) => [word, `pre${word}`, `post${word}`])
  const found: NamedScripts[] = []
  for (const file of manifests) {
    const manifest = manifestOf(file, disk)
    if (manifest === undefined) return undefined
    const { scripts = {} } = manifest
    const commands = isJsonObject(scripts)
      ? names.map((name) => (Object.hasOwn(scripts, name) ? scripts[name] : null))
      : []
    // A manager passes over a script that is no text, and runs the others.
    found.push({ file, commands: commands.filter((command) => typeof command === 'string') })
  }
  return found
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

/** `undefined` where there is none, or none that can be understood. */
function manifestOf(file: string, disk: Disk): JsonObject | undefined {
  if (disk.see(file) !== 'file') return undefined
  const bytes = disk.read(file, limits.manifestBytesMax)
  if (isUnreadable(bytes)) return undefined
  const { value, problems } = parseJson(bytes, file)
  return problems.length === 0 && isJsonObject(value) ? value : undefined
}

import { hasShellTrait } from '../../model/shell-traits.ts'
import { isAbsolute, resolve } from 'node:path'
import { type ShellCommand, type ShellFacts, type ShellWord, type TouchedPath } from '../../model/shell.ts'
import { quoted } from '../../model/text.ts'
import { controlIn, controlsHookgate, isHookgate } from './own-commands.ts'
import { type Guarded, heldPart, isStateSecret } from './protected-paths.ts'

/**
 * Says that a command may control hookgate in a way that the facts do not follow: by the program that a search for it
 * names, a copy of it, a text that another program runs, or code that loads it. `undefined` if none is seen.
 */
export function mayControlHookgate(
  at: number,
  { commands, flows }: ShellFacts,
  guarded: Guarded,
  home: string,
): string | undefined {
  const command = commands[at]
  if (command === undefined) return undefined
  return (
    runsFound(command, commands) ??
    runsRead(at, { commands, flows }) ??
    startsLater(command, at, commands) ??
    copiesProgram(command) ??
    movesInCode(command, guarded, home) ??
    readsSecret(command, guarded) ??
    speaksToGate(command, guarded)
  )
}

const ownProgram = /(?:^|\/)hookgate(?:\/dist\/cli\/bin\.js)?$/

/** Finds a word that a search for hookgate has made: `$(which hookgate)`, `$(npm root -g)/hookgate/dist/cli/bin.js`. */
function runsFound(command: ShellCommand, all: readonly ShellCommand[]): string | undefined {
  const { program, args, redirections } = command
  const place = args.findIndex((word) => namesProgram(word, all))
  if (hasShellTrait(command, 'runsJavascript')) return undefined
  const writes = redirections.some(
    ({ operator, target }) => operator.startsWith('>') && target && namesProgram(target, all),
  )
  if (!writes && (place === -1 || onlyLooks(command))) return undefined
  return `${quoted(program)} would change or copy the program of hookgate`
}

/** Tells whether a program at most prints what its words name: a shell goes to a folder, or says what a name means. */
const onlyLooks = (command: ShellCommand): boolean =>
  command.program === '' ||
  hasShellTrait(command, 'locatesPrograms') ||
  (hasShellTrait(command, 'prints') && !command.paths.some(({ access }) => access !== 'read' && access !== 'execute'))

/** Finds a runtime that gets the program as its input, or whose code loads the file that a word names. */
function runsRead(at: number, { commands, flows }: Pick<ShellFacts, 'commands' | 'flows'>): string | undefined {
  const command = commands[at]
  if (command === undefined || !hasShellTrait(command, 'runsJavascript')) return undefined
  const names = (word: ShellWord) => word.value.endsWith('/hookgate/dist/cli/bin.js') || namesProgram(word, commands)
  const place = command.args.findIndex(names)
  const isInput =
    command.redirections.some(({ operator, target }) => operator === '<' && target && names(target)) ||
    flows.some(({ from, to, via }) => to === at && via === 'pipe' && commands[from]?.args.some(names) === true)
  if (place === -1 && !isInput) return undefined
  const args = command.args.slice(place + 1).filter(({ value }) => value !== '-')
  return controlsHookgate({ ...command, program: 'hookgate', args }, [])
}

function namesProgram({ value, unresolved, from }: ShellWord, all: readonly ShellCommand[], depth = 0): boolean {
  if (unresolved !== true || depth > searchesMax) return false
  if (value.endsWith('/hookgate/dist/cli/bin.js')) return true
  return (from ?? []).some((one) => {
    const search = all[one]
    return (
      search !== undefined &&
      hasShellTrait(search, 'locatesPrograms') &&
      search.args.some((word) => ownProgram.test(word.value) || namesProgram(word, all, depth + 1))
    )
  })
}
/** `readlink -f "$(which hookgate)"` is one search in another; real commands nest no deeper. */
const searchesMax = 4

/** Finds a command of hookgate that git keeps, or code of which the facts know only that it starts something, or loads it. */
function startsLater(command: ShellCommand, at: number, all: readonly ShellCommand[]) {
  const { program, args, stdin, code } = command
  // Git keeps an alias, and runs it later.
  const isKept =
    hasShellTrait(command, 'git') && args.some(({ value }) => value.startsWith('!') && controlIn(value) !== undefined)
  if (isKept) return `${quoted(program)} would keep a command that controls hookgate`
  if (code === undefined || code.language === 'sql') return undefined
  // What it is known to start is a command of its own, and judged as one.
  const isFollowed = all.some(({ startedBy }) => startedBy === at)
  const starts = !isFollowed && code.does.some((one) => one === 'starts' || one === 'evaluates')
  const texts = [code.text ?? '', stdin?.value ?? '', ...args.map(({ value }) => value)]
  const found = loadsProgram.test(code.text ?? '') || (starts && texts.some((text) => controlIn(text) !== undefined))
  return found ? `${quoted(program)} may run a command that controls hookgate` : undefined
}
const loadsProgram = /(?:import|require)[\s(]*["'`][^"'`]*\bhookgate\/dist\//

function copiesProgram({ program, output, copies, paths }: ShellCommand): string | undefined {
  const isMore = copies === true && paths.some(({ access }) => access === 'write')
  if (!isMore && output !== 'files' && output !== 'names' && output !== 'archive') return undefined
  const copied = paths.some(
    ({ access, absolute = '', root }) =>
      access === 'read' && root === undefined && /\/node_modules\/hookgate(?:\/|$)/.test(absolute),
  )
  return copied ? `${quoted(program)} would copy the program of hookgate` : undefined
}

/** Finds what inline code changes in a folder that it goes to first. */
function movesInCode({ program, code, paths }: ShellCommand, guarded: Guarded, home: string): string | undefined {
  const text = code?.text ?? ''
  const isKnown =
    paths.some(({ access, written }) => changes.has(access) && isAbsolute(written)) &&
    !/\b(?:rename|move|mv)/.test(text)
  if (!isKnown && changesIn.test(text)) {
    const names = [...text.matchAll(/["'`]((?:~|\/|\$|#\{|\.)[^"'`\n]*)["'`]/g)].slice(0, foldersMax)
    const held = names.find(([, name = '']) => {
      const way = name.replace(/^(?:~|\$\w*\{?\w+\}?|#\{[^}]*\})(?=\/)/, home)
      const isBelowHome = name.startsWith('.') && /HOME|homedir|expanduser|Path\.home|Dir\.home/.test(text)
      return (isAbsolute(way) || isBelowHome) && heldPart(resolve(home, way), guarded) !== undefined
    })
    if (held !== undefined) return `${quoted(program)} may change ${quoted(held[1] ?? '')}, which its code names`
  }
  if (!/chdir\b/.test(text)) return undefined
  const folders = [...text.matchAll(/["'`]((?:~|\/)[^"'`\n]*)["'`]/g)].slice(0, foldersMax)
  const found = paths.find(
    ({ access, written }) =>
      (access === 'write' || access === 'delete') &&
      !isAbsolute(written) &&
      folders.some(
        ([, folder = '']) => heldPart(resolve(folder.replace(/^~(?=\/|$)/, home), written), guarded) !== undefined,
      ),
  )
  return found === undefined
    ? undefined
    : `${quoted(program)} would change ${quoted(found.written)} in a folder that its code goes to`
}
const foldersMax = 8
const changes: ReadonlySet<string> = new Set(['write', 'delete'])
/** Calls that delete, move or write, in any language. */
const changesIn =
  /(?<!\bstd(?:out|err)\.)\b(?:remove(?:Sync|dirs)?|rm(?:Sync|tree|dir|_rf?|_f)?|unlink(?:Sync)?|rename(?:Sync)?|move|mv|delete|truncate|write(?:Sync|File|FileSync|_text|_bytes)?)\s*[("'\s]/

const readPathAt = (absolute: string): TouchedPath => ({ written: absolute, access: 'read', absolute })

export function readsSecret(command: ShellCommand, guarded: Guarded): string | undefined {
  if (isHookgate(command)) return undefined
  const { program, args, paths } = command
  const isRead =
    paths.some(
      (path) =>
        (path.access === 'read' || path.access === 'execute') && path.metadata !== true && isStateSecret(path, guarded),
    ) || args.some(({ value }) => value.startsWith('@') && isStateSecret(readPathAt(value.slice(1)), guarded))
  return isRead ? `${quoted(program)} would read a secret of hookgate` : undefined
}

/** Returns true for a path to a gate's socket in a folder of hookgate's. */
const isSocketOfGate = (path: string) => {
  const at = path.indexOf('hookgate')
  return at !== -1 && /\/(?:gate|[0-9a-f]{16})\.sock/.test(path.slice(at))
}

/** Finds a command that would speak to the gate at its socket: it could end it, or answer in a person's place. */
function speaksToGate(command: ShellCommand, guarded: Guarded): string | undefined {
  if (!hasShellTrait(command, 'opensSockets')) return undefined
  const { program, args, stdin } = command
  const sockets = guarded.paths.filter(({ part, path }) => part === 'state' && path.endsWith('.sock'))
  const isNamed = [...args, ...(stdin === undefined ? [] : [stdin])].some(
    ({ value }) =>
      (value.match(/[\w/.-]+/g)?.some(isSocketOfGate) ?? false) || sockets.some(({ path }) => value.includes(path)),
  )
  return isNamed ? `${quoted(program)} would speak to hookgate’s gate at its socket` : undefined
}

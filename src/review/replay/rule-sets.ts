import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { failureOf } from '../../gate/combine/weigh.ts'
import { type GateOptions, openGate } from '../../gate/gate.ts'
import { openMemory } from '../../gate/gate-memory.ts'
import { codeOf, errorText, HookgateError } from '../../model/errors.ts'
import type { HookEvent } from '../../model/event.ts'
import { memoize } from '../../model/lazy.ts'
import { limits } from '../../model/limits.ts'
import { looksBack } from '../../model/rule.ts'
import { firstLine, quoted } from '../../model/text.ts'
import { openPast } from '../../past/open-past.ts'
import { isAtOrBelow } from '../../words/machine-paths.ts'
import { isInside } from '../../words/paths.ts'
import { replayOutcome, type ReplayOutcome, undecided } from './outcome.ts'
import { judgesOutputs, type OutputOutcome, outputOutcome } from './outputs.ts'
import type { ReplayQuestion, ReplaySite } from './question.ts'

/** Names of the two sets of rules. */
export interface RulesNames {
  readonly now: string
  readonly before: string | undefined
}

/** The rules by which past calls are decided, ready to decide. */
interface RuleSets {
  readonly now: Decider
  /** Decides by the rules that are compared with, if there are any. */
  readonly before: Decider | undefined
  readonly names: RulesNames
  /** Ends everything that was started, at once, and removes what was written. */
  end(): void
}

/** @throws HookgateError if rules do not load, or there is no such revision */
export async function openRuleSets(question: ReplayQuestion, site: ReplaySite): Promise<RuleSets> {
  const { against, againstGit, againstCurrent, preset } = question
  const { env } = site
  const tried = preset === undefined ? undefined : rulesOfPreset(preset)
  const paths =
    tried?.paths ??
    question.rules ??
    (againstGit === undefined ? undefined : [join(await repositoryOf(site), '.hookgate')])
  // Rules in force include the one that protects hookgate, so that it must be on both sides or on none.
  const common: GateOptions = {
    env,
    runHooks: question.runHooks,
    ...(paths === undefined && { state: site.places.folder, keeps: false }),
  }
  const optionsFor = (rules: readonly string[] | undefined): GateOptions =>
    rules === undefined ? common : { ...common, rules, discover: false }
  const ends: (() => void)[] = tried === undefined ? [] : [tried.remove]
  const end = () => ends.splice(0).forEach((one) => one())
  const opened = async (rules: readonly string[] | undefined, named?: (text: string) => string) => {
    const decider = await openDecider(optionsFor(rules), named)
    ends.push(() => decider.kill())
    return decider
  }
  try {
    const now = await opened(paths, tried?.named)
    const nameOfNow = tried?.name ?? question.rules?.join(', ') ?? (paths === undefined ? currentRules : '.hookgate')
    if (against !== undefined) {
      return { now, before: await opened(against), names: { now: nameOfNow, before: against.join(', ') }, end }
    }
    if (againstCurrent) {
      return { now, before: await opened(undefined), names: { now: nameOfNow, before: currentRules }, end }
    }
    if (againstGit === undefined || paths === undefined) {
      return { now, before: undefined, names: { now: nameOfNow, before: undefined }, end }
    }
    const old = await rulesAtRevision(againstGit, paths, site)
    ends.push(() => old.remove())
    const before = await opened(old.paths, (text) => old.named(text))
    return { now, before, names: { now: nameOfNow, before: `the same at ${againstGit}` }, end }
  } catch (error) {
    end()
    throw error
  }
}

const currentRules = 'the rules in force'

/** Writes a rules file that turns on a preset and nothing else, into a private folder. */
function rulesOfPreset(preset: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-replay-')))
  const file = join(folder, 'hooks.json')
  const name = `the preset ${preset}`
  writeFileSync(file, JSON.stringify({ preset }))
  return {
    name,
    paths: [file],
    named: (text: string) => text.replaceAll(file, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** What rules are about beside calls. */
export interface Wants {
  /** Set if a rule looks at what happened before, so that the order of calls counts. */
  readonly looksBack: boolean
  readonly outputs: boolean
}
const nothing: Wants = Object.freeze({ looksBack: false, outputs: false })

/** Decides past calls by one set of rules. */
export interface Decider {
  /** Returns what the rules of an event's folders are about beside calls. They are read once: what they say may not change meanwhile. */
  wants(event: HookEvent): Promise<Wants>
  /**
   * Tells what became of a call, or that the person has said something.
   *
   * @returns what the rules make of the call's output; `undefined` if there is none
   */
  tell(event: HookEvent): Promise<OutputOutcome | undefined>
  /** Never rejects: what cannot be decided is `undecided`. */
  decide(event: HookEvent, isFolderGone: boolean): Promise<ReplayOutcome>
  close(): Promise<void>
  kill(): void
}

/**
 * Opens a gate that decides past calls. It keeps no refusals and no record, and runs hooks only if its options say so.
 *
 * @param options of the gate: which rules, and whether hooks are run
 * @param named returns a text with the names that files have for a person
 * @throws HookgateError `rulesMalformed` if the rules that apply everywhere do not load
 */
export async function openDecider(options: GateOptions, named = (text: string) => text): Promise<Decider> {
  const hooksRun = options.runHooks === true
  const all = { ...options, runHooks: hooksRun }
  // What happened before a past call is what came before it here, and not what this machine has seen since.
  const past = memoize(async () => openPast(undefined))
  const gate = openGate(all, { ...openMemory(all), past })
  try {
    await gate.rulesFor({ workspaceRoots: [] })
  } catch (error) {
    gate.kill()
    throw error instanceof HookgateError ? renamed(error, named) : error
  }

  /** Decides a call. `isDoubtful`: its sandbox ended, by this call or by something else. */
  async function decideOnce(event: HookEvent, isFolderGone: boolean) {
    try {
      const verdict = await gate.decide(event)
      const outcome = renamedOutcome(replayOutcome(verdict, await gate.rulesFor(event), isFolderGone, hooksRun), named)
      const isBlamed = verdict.evaluations.some((one) => failureOf(one)?.code === 'policyOutOfMemory')
      return { outcome, isDoubtful: isBlamed || outcome.answer === 'undecided' }
    } catch (error) {
      return { outcome: undecided(named(errorText(error))), isDoubtful: true }
    }
  }

  const known = new Map<string, Promise<Wants>>()
  return {
    wants(event) {
      const key = JSON.stringify(event.workspaceRoots)
      const before = known.get(key)
      if (before !== undefined) return before
      if (known.size >= limits.ruleSetsCachedMax) known.clear()
      const found = gate.rulesFor(event).then(
        (rules) => ({ looksBack: rules.rules.some(looksBack), outputs: judgesOutputs(rules) }),
        () => nothing,
      )
      known.set(key, found)
      return found
    },
    async tell(event) {
      try {
        const outcome = outputOutcome(event, await gate.decide(event))
        return outcome && { ...outcome, by: outcome.by.map(({ rule, reason }) => ({ rule: named(rule), reason })) }
      } catch (error) {
        return { answer: 'undecided', by: [{ rule: '', reason: named(errorText(error)) }] }
      }
    },
    async decide(event, isFolderGone) {
      const { outcome, isDoubtful } = await decideOnce(event, isFolderGone)
      // A sandbox that died is replaced; the call that it took along is no finding.
      return isDoubtful ? (await decideOnce(event, isFolderGone)).outcome : outcome
    },
    close: () => gate.close(),
    kill: () => gate.kill(),
  }
}

function renamed(error: HookgateError, named: (text: string) => string): HookgateError {
  const { code, message, place, remedy } = error
  return new HookgateError(code, named(message), {
    cause: error,
    ...(place !== undefined && { place: { ...place, file: named(place.file) } }),
    ...(remedy !== undefined && { remedy: named(remedy) }),
  })
}

function renamedOutcome(outcome: ReplayOutcome, named: (text: string) => string): ReplayOutcome {
  if (outcome.rules.length === 0) return outcome
  const rules = outcome.rules.map(({ id, name, file, reason }) => ({
    id: named(id),
    name,
    file: named(file),
    reason: named(reason),
  }))
  return { ...outcome, rules }
}

/** All output of one call of git: the names of the files of one revision. */
const gitOutputBytesMax = 16 * 1024 * 1024

/** The rules of a repository at one of its revisions, as files. */
interface RulesAtRevision {
  /** The same paths as those of today, in a private folder. */
  readonly paths: readonly string[]
  /** Returns a text with the files' own names, `REV:path`, in place of those in the private folder. */
  named(text: string): string
  remove(): void
}

/**
 * Writes the rules of a repository as they were at a revision into a private folder. Neither the repository nor its
 * working tree is changed, and none of its hooks run.
 *
 * @param paths of rules files and folders today, which need not exist; relative to `cwd`
 * @throws HookgateError `usage` if this is no repository, or there is no such revision or path in it
 */
export async function rulesAtRevision(
  revision: string,
  paths: readonly string[],
  { cwd, env: own }: GitPlace,
): Promise<RulesAtRevision> {
  const root = await repositoryOf({ cwd, env: own })
  const commit = await commitOf(revision, { cwd: root, env: own })
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-replay-')))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const tree = join(folder, 'tree')
    mkdirSync(tree)
    const within = paths.map((path) => pathWithin(root, resolve(cwd, path)))
    const env = { ...own, GIT_INDEX_FILE: join(folder, 'index') }
    for (const path of outermost(within.map((one) => writtenFolder(one, root)))) {
      const subtree = path === '' ? [commit] : [`--prefix=${path}/`, `${commit}:${path}`]
      // oxlint-disable-next-line no-await-in-loop -- both write the same index
      await git(
        ['read-tree', ...subtree],
        { cwd: root, env },
        { missing: `${quoted(revision)} has no ${quoted(path)}` },
      )
    }
    await git(['checkout-index', '--all', '--force', `--prefix=${tree}${sep}`], { cwd: root, env })
    return {
      paths: within.map((path) => join(tree, path)),
      named: (text) => text.replaceAll(`${tree}${sep}`, `${revision}:`).replaceAll(tree, `${revision}:`),
      remove,
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** Returns the top folder of the working tree. @throws HookgateError `usage` */
async function repositoryOf(place: GitPlace): Promise<string> {
  const printed = await git(['rev-parse', '--show-toplevel'], place, {
    missing: `${quoted(place.cwd)} is not in a git repository`,
    remedy: 'run it in one, or compare with rules in a folder by `--against PATH`',
  })
  return realpathSync(printed.trimEnd())
}

async function commitOf(revision: string, place: GitPlace): Promise<string> {
  const printed = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], place, {
    missing: `there is no revision ${quoted(revision)} in ${quoted(place.cwd)}`,
    remedy: 'name a branch, tag or commit that is there; in CI, fetch it first, with its history',
  })
  return printed.trim()
}

/** Returns a path relative to the repository, with `/`. @throws HookgateError `usage` */
function pathWithin(root: string, path: string): string {
  const real = realOf(path)
  const within = relative(root, real)
  if (!isAtOrBelow(real, root)) {
    throw new HookgateError('usage', `${quoted(path)} is outside of the repository ${quoted(root)}`, {
      remedy: 'name rules of the repository by `--rules PATH`',
    })
  }
  return within.replaceAll(sep, '/')
}

/** Resolves the links of a path, of which the last parts need not exist. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), path.slice(dirname(path).length))
  }
}

/** Returns the folder that is written: for a file the one it is in, since rules name files beside them. */
function writtenFolder(path: string, root: string): string {
  const isFile = statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true
  const folder = isFile ? dirname(path) : path
  return folder === '.' ? '' : folder
}

/** Returns the folders that are in none of the others, each once. */
function outermost(folders: readonly string[]): readonly string[] {
  const once = [...new Set(folders)]
  return once.filter((one) => !once.some((other) => other !== one && (other === '' || isInside(one, other))))
}

const run = promisify(execFile)

/**
 * Settings with which git runs no program of the repository, and writes a link as a file with its target in it: what the
 * link leads to is of this machine, and not of the revision.
 */
const harmless = ['-c', `core.hooksPath=${devNull}`, '-c', 'core.fsmonitor=false', '-c', 'core.symlinks=false']

/** The folder in which git runs, and its environment. */
type GitPlace = Pick<ReplaySite, 'cwd' | 'env'>

interface GitFailure {
  /** The message and remedy if git fails. Default: git's own output. */
  readonly missing?: string
  readonly remedy?: string
}

async function git(
  args: readonly string[],
  { cwd, env }: GitPlace,
  { missing, remedy }: GitFailure = {},
): Promise<string> {
  try {
    const options = { cwd, env, maxBuffer: gitOutputBytesMax }
    return (await run('git', [...harmless, ...args], options)).stdout
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') {
      throw new HookgateError('usage', 'git cannot be started', { remedy: 'install it, or put it on the PATH', cause })
    }
    const said = cause instanceof Error && 'stderr' in cause ? firstLine(String(cause.stderr)) : ''
    throw new HookgateError('usage', missing ?? `\`git ${args[0]}\` fails: ${said}`, {
      ...(remedy !== undefined && { remedy }),
      cause,
    })
  }
}

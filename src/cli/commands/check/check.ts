import { counted } from '../../../words/counted.ts'
import { existsSync } from 'node:fs'
import { basename, dirname, extname, resolve } from 'node:path'
import { agents, eventSpellings } from '../../../agents/registry.ts'
import { untrustedText } from '../../../changes/trust.ts'
import { makeDisk } from '../../../files/disk.ts'
import { homeFolder } from '../../../files/home-folder.ts'
import { languageOf } from '../../../files/script-language.ts'
import { noRulesRemedy, untrustedHooks } from '../../../install/rules-here.ts'
import { withPolicies } from '../../../install/with-policies.ts'
import { type Disk, isUnreadable } from '../../../model/disk.ts'
import { limits as sizes } from '../../../model/limits.ts'
import { byPlace } from '../../../model/errors.ts'
import { type Handler, isCommandRule, isPolicyRule, type Rule } from '../../../model/rule.ts'
import { printable } from '../../../model/text.ts'
import {
  leftOpen,
  managedFileHere,
  placesFor,
  type Problem,
  problemText,
  readRules,
  userRulesFile,
} from '../../../rules/index.ts'
import { agentGaps } from '../../../rules/agent-gaps.ts'
import { enabledAgents, parseFlags } from '../../args/flags.ts'
import { type Command, jsonText, printed, usage } from '../../command.ts'
import { loneScriptProblems, ruleProblems } from './rule-problems.ts'

export const checkCommand: Command = {
  help: `hookgate check: every mistake in rules, hooks and policies

  hookgate check [PATH…]

PATH is a hooks.json, a policy, a Cline hooks folder, a plugin's root, a folder of any of them, or a hook's script;
without one, everything that applies in this folder is checked. Policies are loaded into the sandbox, and their examples
are run: of hookgate's own packs only where a PATH is named. Each mistake is one line

  file:line:column: error: what is wrong; how to fix it

An error keeps the file from loading, and hookgate refuses every event until it is fixed. A warning is a common mistake:
exit code 1 to block, permissionDecision at the top level, text around the JSON, no hookEventName, guarding Edit and
Write but not the shell, a guard in an agent's own file that lets calls through when it is late, a guard on a variable
that no agent sets, an unquoted variable, a script without its execute bit, a program that is not on the PATH, a matcher
that no tool can match, an \`if\` that can never match what its matcher lets through, a policy without examples, a limit
on what an enabled agent never reports.

  --rules PATH              the same as PATH, as \`hookgate run\` takes it; repeatable
  --managed FILE            check this file as the managed one, for a repository that keeps it
  --json                    print the mistakes as JSON

The hooks of a project that nobody has trusted yet are named too: they do not run. What a managed file leaves open is
listed as well: that is a choice, and no mistake. Exits with 1 if there is any error or warning. If there is none, says
how many hooks, policies, permission rules and exceptions were checked.

  hookgate check                       everything that applies here
  hookgate check .hookgate/hooks.json
`,
  async run({ argv, env, cwd }) {
    const { values, positionals } = parseFlags('check', argv, flags, true)
    const disk = makeDisk()
    const [scripts, paths] = partition([...positionals, ...(values.rules ?? [])], (path) =>
      isLoneScript(resolve(cwd, path), disk),
    )
    const managed = values.managed === undefined ? undefined : managedFileIn(resolve(cwd, values.managed))
    const isAboutRules = managed !== undefined || paths.length > 0 || scripts.length === 0
    const rules = isAboutRules ? await checkedRules(paths, env, cwd, managed) : nothingChecked
    const problems = [...rules.problems, ...scripts.flatMap((path) => problemsOfScript(resolve(cwd, path), disk))]
    const exitCode = problems.length === 0 ? 0 : 1
    if (values.json === true) return printed(jsonText(problems, 2), exitCode)
    const off = rules.selfProtectionOff === undefined ? '' : `${printable(rules.selfProtectionOff)}\n`
    const clean = `${cleanText({ ...rules, hooks: rules.hooks + scripts.length })}${off}`
    const untrusted = rules.untrusted.map((one) => `${one}\n`).join('')
    const open = rules.leftOpen.map((one) => `the managed file leaves open: ${printable(one)}\n`).join('')
    return printed((problems.length === 0 ? clean : problems.map(problemLine).join('')) + untrusted + open, exitCode)
  },
}

const flags = {
  json: { type: 'boolean' },
  rules: { type: 'string', multiple: true },
  managed: { type: 'string' },
} as const

/** Returns the folder that a managed file is in. @throws HookgateError `usage` */
function managedFileIn(file: string): string {
  if (basename(file) !== 'hooks.json') throw usage('--managed takes a file that is named hooks.json', 'check')
  if (existsSync(file)) return dirname(file)
  throw usage(`there is no ${file}`, 'check')
}

/** The checked rules and their problems. */
interface CheckedRules {
  readonly problems: readonly Problem[]
  readonly hooks: number
  readonly policies: number
  readonly permissions: number
  readonly limits: number
  readonly exceptions: number
  /** The file that switches self-protection off: no mistake, but not to be forgotten. */
  readonly selfProtectionOff?: string | undefined
  /** Hooks of a project that is not trusted: no mistake, but they do not run yet. */
  readonly untrusted: readonly string[]
  /** A sentence for each thing that managed files leave open. */
  readonly leftOpen: readonly string[]
  /** What to do where there are no rules. */
  readonly noneRemedy: string
}
const nothingChecked: CheckedRules = {
  problems: [],
  hooks: 0,
  policies: 0,
  permissions: 0,
  limits: 0,
  exceptions: 0,
  untrusted: [],
  leftOpen: [],
  noneRemedy: '`hookgate init` turns rules on',
}

const permissionCount = (handler: Handler) =>
  handler.kind === 'builtin' && handler.builtin.kind === 'permissions' ? handler.builtin.entries.length : 0

const isLimit = ({ handler }: Rule) =>
  handler.kind === 'builtin' && (handler.builtin.kind === 'limit' || handler.builtin.kind === 'tokens')

/** Returns the report where nothing is wrong. It says if there are no rules: the folder may be the wrong one. */
function cleanText({
  hooks,
  policies,
  permissions,
  limits,
  exceptions,
  noneRemedy,
}: Omit<CheckedRules, 'problems' | 'selfProtectionOff' | 'untrusted' | 'leftOpen'>): string {
  if (hooks + policies + permissions + limits + exceptions === 0)
    return `there is nothing to check: no hooks, no policies, no permissions, no limits and no exceptions; ${noneRemedy}\n`
  const counts = [
    ...unlessNone(hooks, 'hook', 'hooks'),
    ...unlessNone(policies, 'policy', 'policies'),
    ...unlessNone(permissions, 'permission rule', 'permission rules'),
    ...unlessNone(limits, 'limit', 'limits'),
    ...unlessNone(exceptions, 'exception', 'exceptions'),
  ]
  return `no mistakes found in ${counts.join(' and ')}\n`
}

const unlessNone = (count: number, one: string, many: string) => (count === 0 ? [] : [counted(count, one, many)])

/** Checks rules. A warning that two rules share, of one script, is listed once; problems are in the order of their files. */
async function checkedRules(
  paths: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  managedFolder: string | undefined,
): Promise<CheckedRules> {
  // A managed file that is named stands alone: nothing of this machine's user belongs to it.
  const home = managedFolder ?? homeFolder(env['HOME'])
  const discover = managedFolder !== undefined || paths.length === 0
  const ofUser = managedFolder === undefined ? env : { ...env, XDG_CONFIG_HOME: managedFolder }
  const places = placesFor({ explicit: paths, discover, env: ofUser, cwd, home, managedFolder, drafts: true })
  // Packs that are only turned on were tested before they were shipped; a pack that is named may be of a clone.
  const runsPackExamples = paths.length > 0
  return withPolicies(async (policies) => {
    const read = await readRules(places, paths.length === 0 && managedFolder === undefined ? [cwd] : [], policies)
    const enabled = managedFolder === undefined ? await enabledAgents({ env, cwd }) : []
    const gaps = await agentGaps(read.ruleSet.rules, enabled)
    const found = [
      ...read.problems,
      ...ruleProblems(read.ruleSet, (ruleId) => read.placeOf(ruleId), { env, cwd, home }),
      ...gaps.map(({ rule, message, remedy }): Problem => {
        const place = read.placeOf(rule.id) ?? { file: rule.source.file }
        return { severity: 'warning', place, message, remedy }
      }),
    ]
    const once = new Map(found.map((problem) => [problemText(problem), problem]))
    const { rules, selfProtectionOff, bundle } = read.ruleSet
    const files = { file: userRulesFile(places), managedFile: managedFileHere(places) }
    return {
      problems: [...once.values()].toSorted(byPlace),
      hooks: rules.filter(isCommandRule).length,
      policies: rules.filter(isPolicyRule).length,
      permissions: rules.reduce((sum, { handler }) => sum + permissionCount(handler), 0),
      limits: rules.filter(isLimit).length,
      exceptions: read.ruleSet.exceptions.length,
      selfProtectionOff,
      leftOpen: leftOpen(read.loaded, bundle),
      noneRemedy: bundle === undefined ? nothingChecked.noneRemedy : noRulesRemedy({ ...files, bundle }),
      // Hooks that changed since the project was trusted are among the problems, and are not listed again.
      untrusted: untrustedHooks(rules.filter((rule) => !found.some(({ message }) => message === untrustedText(rule)))),
    }
  }, runsPackExamples)
}

/** Returns true for a script that is no policy and has no name of an event, by which an agent would run it in a folder. */
function isLoneScript(path: string, disk: Disk): boolean {
  if (extname(path) === '.json' || folderHookNames.has(basename(path, '.ps1'))) return false
  return disk.see(path) === 'file' && !isPolicy(path, disk)
}

/** The names of hooks for agents that run the files of a folder, each named as its event. */
const folderHookNames: ReadonlySet<string> = new Set(
  agents.flatMap(({ name, install }) => (install.kind === 'hook-folders' ? eventSpellings(name) : [])),
)

/** Recognises a policy by its content, since it may have any module name. */
function isPolicy(path: string, disk: Disk): boolean {
  if (!/\.m?[jt]s$/.test(path)) return false
  if (/\.policy\.m?[jt]s$/.test(path)) return true
  const text = disk.read(path, sizes.policyFileBytesMax)
  return !isUnreadable(text) && /from\s*['"]hookgate\/policy['"]/.test(new TextDecoder().decode(text))
}

function problemsOfScript(file: string, disk: Disk): readonly Problem[] {
  const bytes = disk.read(file, sizes.pinnedFileBytesMax)
  const failed = (message: string, remedy: string): readonly Problem[] => [
    { severity: 'error', place: { file }, message, remedy },
  ]
  if (isUnreadable(bytes)) return failed(`the script cannot be read: ${bytes.why}`, 'fix it, or name another')
  const text = new TextDecoder().decode(bytes)
  if (languageOf(file, text) !== 'other') return loneScriptProblems(file, text)
  return failed(
    'this is neither a rules file nor a script in a known language',
    'name a hooks.json, a hooks folder, or a script',
  )
}

function problemLine(problem: Problem): string {
  const { place, message, remedy, severity } = problem
  const text = problemText({ severity, place, message: `${severity}: ${message}`, remedy })
  return `${printable(text)}\n`
}

function partition<T>(items: readonly T[], belongs: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))]
}

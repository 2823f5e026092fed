import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { administratorsFolders, descriptorOf } from '../agents/registry.ts'
import { isShipped, shippedFolder } from '../files/policy-files.ts'
import { entryFile, smallHeap } from '../files/program-files.ts'
import { realPath } from '../files/real-path.ts'
import { type Disk, isUnreadable } from '../model/disk.ts'
import { limits } from '../model/limits.ts'
import type { BuiltinHandler, ProtectedPath, Rule, RuleSet, SelfProtection } from '../model/rule.ts'
import { enabledName, gateStateName, machineFolder, pageStateName } from '../files/state/places.ts'
import { isBelow } from '../words/machine-paths.ts'
import { machineSettings } from './machine-settings.ts'
import { changedSet, type Contribution } from './merge.ts'
import type { RulesPlaces } from './places.ts'

/** What self-protection needs of the record of one `hookgate enable`. */
const EnabledFile = z.looseObject({ file: z.string(), agent: z.string().optional() })
/** What it needs of the resident gate's state. */
const RunningGate = z.looseObject({ pid: z.int(), socket: z.string(), http: z.url().nullish() })

/** What it needs of the page of `hookgate ui`. */
const OpenPage = z.looseObject({ port: z.int() })

/**
 * Adds the rule that protects hookgate itself where agents are enabled, unless a person has switched it off.
 *
 * Only what managed and user files say counts: `machineSettings` has the order.
 */
export function withSelfProtection(
  set: RuleSet,
  contributions: readonly Contribution[],
  places: RulesPlaces,
  disk: Disk,
): RuleSet {
  const { unprotectedBy } = machineSettings(contributions)
  if (unprotectedBy !== undefined) {
    const note = `self-protection is switched off by ${unprotectedBy.source.id}: an agent may change hookgate itself`
    return changedSet(set, { notes: [note, ...set.notes], selfProtectionOff: note })
  }
  if (places.stateFolder === undefined) return set
  return changedSet(set, { rules: [selfProtectionRule(places.stateFolder, places, set.rules, disk), ...set.rules] })
}

/**
 * Makes the rule that protects hookgate itself.
 *
 * Everything that it reads is seen by `disk`, so that the rules are read again after another agent was enabled, or once
 * another gate runs.
 *
 * @param stateFolder hookgate's state folder, absolute
 * @param rules all other rules in force
 */
function selfProtectionRule(stateFolder: string, places: RulesPlaces, rules: readonly Rule[], disk: Disk): Rule {
  const { configFolder, managedFolder, home, platform, env } = places
  const enabled = enabledFiles(join(stateFolder, enabledName), disk)
  const gate = parsedAt(RunningGate, join(stateFolder, gateStateName), limits.gateFileBytesMax, disk)
  const installation = dirname(shippedFolder)
  const programs = [join(installation, 'dist', 'cli', 'bin.js'), entryFile('cli/bin')]
  const paths: readonly ProtectedPath[] = [
    ...[configFolder, managedFolder, ...new Set(rules.flatMap(filesOf))].map(
      (path) => ({ path, part: 'rules' }) as const,
    ),
    { path: stateFolder, part: 'state' },
    ...(gate === undefined ? [] : [{ path: gate.socket, part: 'state' } as const]),
    { path: installation, part: 'program' },
    { path: machineFolder(platform, env), part: 'state' },
    ...[...enabled.flatMap(settingsBeside), ...administratorsFolders(platform)].map(
      (path) => ({ path, part: 'settings' }) as const,
    ),
  ]
  const builtin: SelfProtection = {
    kind: 'self-protection',
    paths: paths.flatMap(({ path, part }) => withReal(path).map((one) => ({ path: one, part }))),
    programs: [...new Set(programs.flatMap(withReal))],
    node: process.execPath,
    nodeOptions: smallHeap,
    homes: withReal(home),
    agents: recordedAgents(places, disk),
    pid: gate?.pid,
    pagePort: parsedAt(OpenPage, join(stateFolder, pageStateName), limits.gateFileBytesMax, disk)?.port,
    port: gate?.http === undefined || gate.http === null ? undefined : Number(new URL(gate.http).port),
  }
  return builtinRule({
    id: 'hookgate:self-protection',
    // No other source has more authority, and none can except or disable it.
    source: {
      id: 'hookgate:',
      scope: 'managed',
      file: import.meta.filename,
      workspaceRoot: undefined,
      pluginRoot: undefined,
    },
    builtin,
    // Every other kind only lists, or names no files: these events stay without a rule, and so without facts.
    match: { subject: { kind: 'names', names: [...changing, ...looking] } },
    onFailure: 'block',
    mode: 'enforce',
  })
}

const changing = ['shell', 'write', 'edit', 'mcp', 'other']
const looking = ['read', 'search', 'fetch', 'browser']

/**
 * Returns the agents of which `enable` has kept what it changed. One that is registered by hand, by a file of somebody
 * else's project, or by an administrator alone, is none of them.
 */
export function recordedAgents({ stateFolder }: RulesPlaces, disk: Disk): readonly string[] {
  if (stateFolder === undefined) return []
  return [...new Set(enabledFiles(join(stateFolder, enabledName), disk).flatMap(({ agent }) => agent ?? []))]
}

/** The files that agents have been registered in. An unreadable record is left out: the descriptors name its file too. */
function enabledFiles(folder: string, disk: Disk): readonly z.infer<typeof EnabledFile>[] {
  const names = disk.list(folder)
  if (isUnreadable(names)) return []
  return names.flatMap((name) => parsedAt(EnabledFile, join(folder, name), limits.enableRecordBytesMax, disk) ?? [])
}

function parsedAt<T>(schema: z.ZodType<T>, file: string, bytesMax: number, disk: Disk): T | undefined {
  const bytes = disk.read(file, bytesMax)
  if (isUnreadable(bytes)) return undefined
  try {
    return schema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data
  } catch {
    return undefined
  }
}

/** Returns a registered file and the agent's other settings beside it, wherever its folder is. */
function settingsBeside({ file, agent = '' }: z.infer<typeof EnabledFile>): readonly string[] {
  const settings = descriptorOf(agent)?.hookSettings ?? []
  const folders = settings.filter((way) => basename(way) === basename(file)).map((way) => `${dirname(way)}/`)
  const names = [
    ...settings.map((way) => basename(way)).filter((name) => name.includes('.')),
    ...folders.flatMap((folder) =>
      settings.filter((way) => way.startsWith(folder)).map((way) => way.slice(folder.length)),
    ),
  ]
  return [file, ...[...new Set(names)].map((name) => join(dirname(file), name))]
}

/** Returns the files that a rule consists of, without those that hookgate ships. */
function filesOf({ source, handler }: Rule): readonly string[] {
  const own =
    handler.kind === 'policy'
      ? handler.files.filter((file) => !isShipped(file))
      : handler.kind === 'command' && handler.program.form === 'script'
        ? [handler.program.file]
        : []
  // A folder of policies or hooks may be a whole project.
  return own.some((file) => isBelow(file, source.file)) ? own : [source.file, ...own]
}

/** Returns a path, and where its links lead if that is elsewhere. */
function withReal(path: string): readonly string[] {
  const real = realPath(path)
  return real === path ? [path] : [path, real]
}

/** What rules that hookgate evaluates itself differ in. */
type BuiltinParts = Pick<Rule, 'id' | 'source' | 'onFailure' | 'mode'> & {
  readonly builtin: BuiltinHandler['builtin']
  /** Default: every tool call, before it is made. */
  readonly match?: Partial<Rule['match']>
}

/** Makes a rule that hookgate evaluates itself. */
export const builtinRule = ({ builtin, match, ...parts }: BuiltinParts): Rule => ({
  ...parts,
  match: {
    spelled: 'PreToolUse',
    events: ['PreToolUse'],
    triggers: undefined,
    matcher: { kind: 'any' },
    subject: { kind: 'any' },
    condition: undefined,
    ...match,
  },
  handler: { kind: 'builtin', builtin },
  timeoutMs: undefined,
  sequence: undefined,
  untrustedReason: undefined,
})

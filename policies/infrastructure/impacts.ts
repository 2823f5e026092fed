import {
  answerTo,
  type Impact,
  type ImpactArea,
  type ImpactThing,
  isLoopback,
  type PolicyAnswer,
  type ShellAssignment,
  type ShellFacts,
  type ShellWord,
  strictest,
} from 'hookgate/policy'
import type { Params } from './cli/judge.ts'

/** The parts of a command that rules read beside its impacts. */
export interface CallAt {
  readonly program: string
  readonly args: readonly ShellWord[]
  readonly environment: readonly ShellAssignment[]
}

/** Areas that the packs data-flow, git-safety, protected-paths, remote-execution, secrets and supply-chain judge. */
const ofOthers = [
  'git',
  'protection',
  'agents',
  'schedules',
  'programs',
  'environment',
  'secret-searches',
  'stages',
  'opened-access',
  'attacks',
  'reaching-others',
  'fetched-code',
  'decoded-code',
  'packages',
  'system-packages',
] as const
type AreaOfOthers = (typeof ofOthers)[number]
const isOfOthers = (area: ImpactArea): area is AreaOfOthers => ofOthers.some((one) => one === area)

/** The rule that judges an impact: that of its area, or one for what is the same in all areas. */
type RuleName =
  | Exclude<ImpactArea, AreaOfOthers | OfMachine>
  | 'fetched-manifests'
  | 'granted-rights'
  | 'inline-code'
  | 'payments-and-pipelines'
  | 'spending'

/** Areas that the pack destructive-commands judges: what a machine consists of. */
type OfMachine = 'machine' | 'privileges' | 'processes' | 'disks' | 'trash' | 'defences' | 'checks' | 'windows'

/** Of these areas, what others may depend on as well. */
const ofMachine: Readonly<Record<OfMachine, Partial<Record<ImpactThing, RuleName>>>> = {
  machine: {},
  privileges: {},
  processes: {},
  disks: { data: 'storage', code: 'devices' },
  trash: {},
  defences: { backup: 'backups' },
  checks: {},
  windows: { backup: 'backups' },
}
const isOfMachine = (area: ImpactArea): area is OfMachine => Object.hasOwn(ofMachine, area)

function ruleOf({ kind, thing, area, through, by, undo }: Impact): RuleName | undefined {
  if (isOfOthers(area) || kind === 'show') return undefined
  if (isOfMachine(area)) return ofMachine[area][thing]
  // A restart is asked about by the pack destructive-commands alone.
  if (area === 'system-services' && undo === 'easily') return undefined
  // Whose repository it is, only `others-repositories` knows.
  if (thing === 'repository' && undo === 'easily') return undefined
  // A message in a chat can be taken back.
  if (kind === 'send' && undo === 'easily') return undefined
  // Tools of servers have rules of their own.
  if (typeof by === 'string') return area
  if (through === 'file') return area
  if (kind === 'send') return 'outgoing-messages'
  if (through === 'code') return 'inline-code'
  if (through === 'request' && isByRequest(kind)) return 'payments-and-pipelines'
  if (kind === 'change' && thing === 'variable') return 'payments-and-pipelines'
  if (kind === 'pay') return 'payments-and-pipelines'
  if (through === 'request') return 'http-requests'
  if (area === 'sql' || area === 'key-value-and-documents') return area
  if (kind === 'grant') return 'granted-rights'
  if (kind === 'spend') return 'spending'
  if (kind === 'merge') return 'code-hosting'
  if (kind === 'run') return 'fetched-manifests'
  return area
}

const isByRequest = (kind: Impact['kind']) => kind === 'pay' || kind === 'merge' || kind === 'publish'

/** True if the rules file allows a command by its first words, or a tool by its name or by its server's. */
export const isAllowed = ({ command, by }: Impact, allowed: readonly string[]): boolean =>
  allowed.some(
    (one) => one !== '' && (typeof by === 'string' ? isToolOf(command, one) : `${command} `.startsWith(`${one} `)),
  )

const isToolOf = (tool: string, one: string) => one === tool || one === tool.split('__').slice(0, 2).join('__')

/** The rule's own answer, where the rules file names one. SQL in a file has not run yet, so it is asked about. */
export const answerOf = ({ through, unsure }: Impact, { answer }: Params) =>
  unsure === true || through === 'file' ? 'rated' : answer

/** Judges the impacts that a rule is for. The first refusal is the answer, or else the first question. */
export function judge(
  impacts: readonly Impact[],
  rule: RuleName,
  given: Params,
  isSpared: (impact: Impact) => boolean = () => false,
): PolicyAnswer | undefined {
  const own = impacts.filter((one) => ruleOf(one) === rule && !isAllowed(one, given.allowed) && !isSpared(one))
  return strictest(own.map((impact) => answerTo(impact, answerOf(impact, given))))
}

/** Returns a check of impacts: true for one of a request that is only sent to hosts which the rules file allows. */
export const hostsAllowed =
  (allowed: readonly string[]) =>
  ({ through, targets: { host = [] } }: Impact): boolean =>
    through === 'request' &&
    host.length > 0 &&
    host.every((one) => allowed.includes(one) || (allowed.includes('localhost') && isLoopback(one)))

/** Returns the command that has an impact, with the assignments before it and before the commands that start it. */
export function callAt(shell: ShellFacts, by: Impact['by']): CallAt {
  const command = typeof by === 'number' ? shell.commands[by] : undefined
  const environment: ShellAssignment[] = []
  // A command's starter has a smaller index, so this ends.
  for (let one = command; one !== undefined;) {
    environment.unshift(...one.assignments)
    one = one.startedBy === undefined ? undefined : shell.commands[one.startedBy]
  }
  return { program: command?.program ?? '', args: command?.args ?? [], environment }
}

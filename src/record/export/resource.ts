import { mkdirSync } from 'node:fs'
import { arch, homedir, hostname, platform } from 'node:os'
import { dirname } from 'node:path'
import { machineIdIn, bundlesFolder, type PollState } from '../../bundle/machine/poll-state.ts'
import { userName } from '../../files/home-folder.ts'
import { version } from '../../files/program-files.ts'
import { attributesInVariable } from '../../model/export-settings.ts'
import type { Redactor } from './redact.ts'
import type { AskingProof, Heartbeat } from '../../model/heartbeat.ts'
import type { RecordEnds } from './rows.ts'
import { sha256Of } from '../../files/digest.ts'

/** The variable with labels that OpenTelemetry's programs share. */
export const attributesVariable = 'OTEL_RESOURCE_ATTRIBUTES'

/** The account whose record is sent. */
export const ownAccount = () => ({ name: userName(), home: homedir() })

/** Returns the id that this machine has in bundles too: a hash, from which the system's own id is not found. */
export function deviceId(databaseFile: string): string {
  const folder = bundlesFolder(dirname(databaseFile))
  const known = machineIdIn(folder)
  if (known !== '') return known
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return machineIdIn(folder, { isNew: true })
}

/** The labels that a setting adds, and the variable `OTEL_RESOURCE_ATTRIBUTES`. */
interface AddedAttributes {
  readonly setting: Readonly<Record<string, string>>
  readonly variable: string | undefined
}

/**
 * Returns what all that is sent says about this machine. What hookgate finds itself wins over a setting, and a setting
 * over the variable.
 */
export function resourceAttributes(
  databaseFile: string,
  redactor: Redactor,
  { setting, variable }: AddedAttributes,
  warn: (text: string) => void,
): Readonly<Record<string, string>> {
  const added = attributesInVariable(variable ?? '')
  if (added.problem !== undefined) warn(`${attributesVariable} does not count: ${added.problem}`)
  const device = deviceId(databaseFile)
  const user = redactor.account(userName())
  return {
    ...Object.fromEntries(
      Object.entries({ ...added.attributes, ...setting }).map(([name, value]) => [name, redactor.named(value)]),
    ),
    'service.name': 'hookgate',
    'service.version': version(),
    'service.instance.id': instanceId(device, `${process.getuid?.() ?? redactor.named(databaseFile)}`),
    'host.name': redactor.named(hostname()),
    'host.id': device,
    'host.arch': architectures[arch()] ?? arch(),
    'os.type': platform() === 'win32' ? 'windows' : platform(),
    device,
    ...(user !== undefined && { 'user.name': user }),
  }
}

/** The names of the semantic conventions, where they are others than Node's. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: 'x86', arm: 'arm32' }

/**
 * Returns a UUID that each account's gate on a machine keeps: a new one at each start would begin all series anew.
 *
 * @param account distinguishes accounts, and is not the name: with the device's id, one could try names
 */
function instanceId(device: string, account: string): string {
  const hex = sha256Of(`hookgate instance\0${device}\0${account}`)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return parts.join('-')
}

/** An agent that is registered, or was: then the record has events of it. */
export interface AgentState {
  readonly agent: string
  readonly proof: AskingProof
  /** The moment of its last decision, ms since the epoch; absent if the record has none. */
  readonly lastEventMs?: number
}

/** A heartbeat with the record's head and the bundle, masked, as it is sent. */
export interface MachineState extends Pick<Heartbeat, 'at' | 'node' | 'startedAt' | 'waiting' | 'ending'> {
  readonly rules: Heartbeat['rules']
  /** Leaves out agents that were never registered and never sent an event. */
  readonly agents: readonly AgentState[]
  /** The reason why it is not known which agents ask. */
  readonly agentsProblem: string | undefined
  readonly bundle: PollState | undefined
  readonly record: RecordEnds | undefined
}

export function machineState(
  { agents, rules, ...beat }: Heartbeat,
  record: RecordEnds | undefined,
  bundle: PollState | undefined,
  redactor: Redactor,
): MachineState {
  const seen = agents.kind === 'seen' ? agents.all : []
  return {
    ...beat,
    rules: rules.kind === 'loaded' ? rules : { kind: 'wrong', problem: redactor.text(rules.problem) },
    agents: seen.flatMap(({ agent, proof }) => {
      const lastEventMs = record?.lastEventMs.get(agent)
      if (proof === 'absent' && lastEventMs === undefined) return []
      return [{ agent, proof, ...(lastEventMs !== undefined && { lastEventMs }) }]
    }),
    agentsProblem: agents.kind === 'unknown' ? redactor.text(agents.problem) : undefined,
    bundle: bundle?.problem === undefined ? bundle : { ...bundle, problem: redactor.text(bundle.problem) },
    record,
  }
}

import { isJsonObject } from '../../model/json.ts'
import { loosenableKeys, type MachineKeys } from '../machine-settings.ts'
import { problem, type RulesFileState } from './reading.ts'

/** Keys about the whole machine. What an agent works on must not decide whether the agent is gated and recorded. */
const machineKeys = ['selfProtection', 'record', 'export', 'remote', 'approvals'] as const

/** Keys that only an administrator may set. */
const managedKeys = ['userMaySet', 'bundle', 'contact'] as const

/** Returns the keys about the whole machine that a file may set, and reports those that it may not. */
export function machineKeysOf(reading: RulesFileState, file: MachineKeys | undefined): MachineKeys {
  const { format, source, parsed } = reading
  const isOfMachine = format === 'hookgate' && (source.scope === 'managed' || source.scope === 'user')
  if (!isOfMachine) refuseMachineKeys(reading)
  if (source.scope !== 'managed') for (const key of managedKeys) refuseManagedKey(reading, key)
  if (file === undefined || !isOfMachine) return {}
  const { selfProtection, record, export: exported, remote, approvals, userMaySet, bundle, contact } = file
  const keyPlaces = Object.fromEntries(loosenableKeys.map((key) => [key, parsed.place([key], 'key')]))
  return { selfProtection, record, export: exported, remote, approvals, userMaySet, bundle, contact, keyPlaces }
}

function refuseManagedKey(reading: RulesFileState, key: (typeof managedKeys)[number]): void {
  const { value } = reading.parsed
  if (!isJsonObject(value) || !(key in value)) return
  // In another agent's file, it is that agent's.
  if (key !== 'userMaySet' && reading.format !== 'hookgate') return
  const remedy = 'remove it here, or have an administrator put it into the managed hooks.json'
  problem(reading, 'error', [key], 'key', `only the managed hooks.json may set \`${key}\``, remedy)
}

function refuseMachineKeys(reading: RulesFileState): void {
  const { value } = reading.parsed
  // In another agent's file, `record`, `export`, `remote` and `approvals` are that agent's.
  const isOurs = reading.format === 'hookgate' || reading.source.scope === 'explicit'
  for (const key of machineKeys.filter((one) => isJsonObject(value) && one in value)) {
    if (key !== 'selfProtection' && !isOurs) continue
    const message = `only the user’s or the managed hooks.json may set \`${key}\``
    const remedy = 'remove it here, or put it into ~/.config/hookgate/hooks.json'
    problem(reading, 'error', [key], 'key', message, remedy)
  }
}

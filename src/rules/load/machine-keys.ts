import { isJsonObject } from '../../model/json.ts'
import { problem, type RulesFileState } from './reading.ts'

/** Keys about the whole machine. What an agent works on must not decide whether the agent is gated and recorded. */
const machineKeys = ['selfProtection', 'record', 'export'] as const

export function refuseMachineKeys(reading: RulesFileState): void {
  const { value } = reading.parsed
  // In another agent's file, `record` and `export` are that agent's.
  const isOurs = reading.format === 'hookgate' || reading.source.scope === 'explicit'
  for (const key of machineKeys.filter((one) => isJsonObject(value) && one in value)) {
    if (key !== 'selfProtection' && !isOurs) continue
    const message = `only the user’s or the managed hooks.json may set \`${key}\``
    const remedy = 'remove it here, or put it into ~/.config/hookgate/hooks.json'
    problem(reading, 'error', [key], 'key', message, remedy)
  }
}

import { isDeepStrictEqual } from 'node:util'
import type { HookEvent } from '../../model/event.ts'
import type { Evaluation, Obligation } from '../../model/evaluation.ts'
import type { Json, JsonObject } from '../../model/json.ts'

interface MergedObligations {
  readonly obligations: readonly Obligation[]
  /** Demands that exclude each other: why, and whose. Each refuses the action. */
  readonly conflicts: readonly { readonly reason: string; readonly ruleIds: readonly string[] }[]
}

interface Demand<Value> {
  readonly ruleId: string
  readonly value: Value
}

/** Merges what the rules demand. `evaluations` are in plan order. */
export function mergeObligations(event: HookEvent, evaluations: readonly Evaluation[]): MergedObligations {
  const inputs: Demand<JsonObject>[] = []
  const outputs: Demand<Json>[] = []
  const stops: string[] = []
  for (const evaluation of evaluations) {
    if (evaluation.kind !== 'applicable') continue
    const { ruleId } = evaluation
    for (const obligation of evaluation.obligations) {
      switch (obligation.kind) {
        case 'replaceInput':
          inputs.push({ ruleId, value: obligation.input })
          break
        case 'replaceOutput':
          outputs.push({ ruleId, value: obligation.output })
          break
        case 'stop':
          stops.push(obligation.reason === '' ? '' : `${obligation.reason} (${ruleId})`)
          break
      }
    }
  }

  const input = mergeInputs(event.tool?.input ?? {}, inputs)
  const output = agree(outputs, 'two different outputs are demanded')
  const obligations: Obligation[] = []
  if (input.value !== undefined) obligations.push({ kind: 'replaceInput', input: input.value })
  if (output.value !== undefined) obligations.push({ kind: 'replaceOutput', output: output.value })
  if (stops.length > 0) obligations.push({ kind: 'stop', reason: stops.filter((reason) => reason !== '').join('\n') })
  return { obligations, conflicts: [...input.conflicts, ...output.conflicts] }
}

interface Agreed<Value> {
  readonly value: Value | undefined
  readonly conflicts: MergedObligations['conflicts']
}

function agree<Value>(demands: readonly Demand<Value>[], reason: string): Agreed<Value> {
  const first = demands[0]
  if (first === undefined) return { value: undefined, conflicts: [] }
  const other = demands.find((demand) => !isDeepStrictEqual(demand.value, first.value))
  if (other === undefined) return { value: first.value, conflicts: [] }
  return { value: undefined, conflicts: [{ reason, ruleIds: [first.ruleId, other.ruleId] }] }
}

/**
 * Rewrites of different fields are put together; different rewrites of one field exclude each other. Each demand is a
 * whole input, so what it changes is what differs from the original; a field it leaves out, it removes.
 */
function mergeInputs(original: JsonObject, demands: readonly Demand<JsonObject>[]): Agreed<JsonObject> {
  if (demands.length === 0) return { value: undefined, conflicts: [] }
  const merged = new Map<string, Json>(Object.entries(original))
  const conflicts: { reason: string; ruleIds: string[] }[] = []
  const fields = new Set([...merged.keys(), ...demands.flatMap(({ value }) => Object.keys(value))])
  for (const field of fields) {
    const changes = demands
      .map(({ ruleId, value }) => ({ ruleId, value: own(value, field) }))
      .filter(({ value }) => !isDeepStrictEqual(value, own(original, field)))
    const agreed = agree(changes, `two different values are demanded for \`${field}\``)
    conflicts.push(...agreed.conflicts.map(({ reason, ruleIds }) => ({ reason, ruleIds: [...ruleIds] })))
    if (agreed.value !== undefined) merged.set(field, agreed.value)
    else if (changes.length > 0) merged.delete(field)
  }
  return { value: Object.fromEntries(merged), conflicts }
}

function own(object: JsonObject, field: string): Json | undefined {
  return Object.hasOwn(object, field) ? object[field] : undefined
}

import type { KnownAgent } from '../../../src/agents/registry.ts'
import { callers, commandOf, type Row, type Way } from './row.ts'
import { guardSays, rows } from './rows.ts'

/** Files by their path below the folder of a user's rules. */
export type RulesFiles = Readonly<Record<string, string>>

/** A rule in place of the user's own, which denies every event of the doctor but one. */
export const guardRules: RulesFiles = {
  'hooks.json': rulesFile([]),
  'policies/doctor-guard.policy.js': policyFile(
    'doctor-guard',
    `return deny(${JSON.stringify(guardSays)})`,
    (text) => `/^hookgate-doctor (?!nothing )/.test(${text})`,
  ),
}

/** Adds a rule that keeps a gate busy for as long as the doctor runs. */
export const busyCommand = 'hookgate-doctor-busy'
export const busyRules: RulesFiles = {
  ...guardRules,
  'hooks.json': rulesFile([
    { type: 'command', command: 'sleep 300', timeout: 300, onFailure: 'block', if: `shell(${busyCommand})` },
  ]),
}

export const brokenRules: RulesFiles = { ...guardRules, 'hooks.json': '{"hooks": {"PreToolUse": [\n' }

/** The failing hooks and policies of the matrix, each matched by its own command. */
export function failingRules(kinds: readonly ('hook' | 'policy' | 'server')[], hooksFolder: string): RulesFiles {
  const chosen = rows.filter(({ cause }) => kinds.some((kind) => kind === cause.kind))
  return {
    'hooks.json': rulesFile(chosen.flatMap((row) => handlerOf(row, hooksFolder))),
    ...Object.fromEntries(chosen.flatMap(policiesOf)),
  }
}

function handlerOf(row: Row, hooksFolder: string): readonly object[] {
  const { cause } = row
  switch (cause.kind) {
    case 'hook': {
      const { onFailure, timeoutS } = cause
      const command = cause.command.replace('$HOOKS', hooksFolder)
      const condition = `shell(hookgate-doctor ${row.id} *)`
      return [{ type: 'command', command, onFailure, if: condition, ...(timeoutS && { timeout: timeoutS }) }]
    }
    case 'server': {
      const { url, onFailure } = cause
      return [{ type: 'authzen', url, onFailure, if: `shell(hookgate-doctor ${row.id} *)` }]
    }
    case 'policy':
      return callers.map(({ agent, way }) => ({
        type: 'policy',
        policy: `./${policyPath(policyId(row, agent, way))}`,
        onFailure: cause.onFailure,
        if: `shell(${commandOf(row, agent, way)})`,
      }))
    case 'none':
    case 'event':
    case 'rules':
    case 'gate':
      return []
  }
}

function policiesOf(row: Row): readonly (readonly [file: string, text: string])[] {
  const { cause } = row
  if (cause.kind !== 'policy') return []
  return callers.map(({ agent, way }) => {
    const id = policyId(row, agent, way)
    return [policyPath(id), policyFile(id, cause.decide, (text) => `${text} === '${commandOf(row, agent, way)}'`)]
  })
}

const policyId = ({ id }: Row, agent: KnownAgent, way: Way) => `${id}-${agent}-${way}`
const policyPath = (id: string) => `failing/${id}.policy.js`

function rulesFile(handlers: readonly object[]): string {
  return JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'shell', hooks: handlers }] } }, undefined, 2)
}

/** A policy that runs `decide` at the matching commands, and abstains in its example. */
function policyFile(id: string, decide: string, isIt: (command: string) => string): string {
  return `import { definePolicy, deny } from 'hookgate/policy'
export default definePolicy({
  id: '${id}',
  description: 'Fails, for hookgate doctor to see what becomes of it',
  on: 'PreToolUse',
  decide({ tool }) {
    if (!(${isIt("(tool.command ?? '')")})) return undefined
    ${decide}${decide.startsWith('return') ? '' : '\n    return deny()'}
  },
  examples: [{ name: 'another command', given: { tool: 'shell', input: { command: 'ls' } }, want: 'abstain' }],
})
`
}

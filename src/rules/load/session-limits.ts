/* oxlint-disable unicorn/no-thenable -- a word of the settings; nothing of it is awaited */
import { knownToolNames } from '../../agents/tool-names.ts'
import { ToolKind } from '../../model/event.ts'
import type { StateDeclaration, StepCondition } from '../../model/past.ts'
import type { Rule, SessionLimit, TokenLimit } from '../../model/rule.ts'
import { type CallLimit, type LoopLimit, SessionLimits } from '../../model/session-limits.ts'
import { listOf, quoted } from '../../model/text.ts'
import { didYouMean } from '../../words/suggest.ts'
import { builtinRule } from '../self-protection.ts'
import { problem, readRest, type RulesFileState } from './reading.ts'
import type { Preset } from './wire.ts'

const loops = ['refused', 'failed', 'repeated'] as const

/** After one of these, the same call is a new try: a person who approves a call has said something, too. */
const newTry: readonly StepCondition[] = [{ outcome: ['prompted', 'approved'] }, { tool: ['write', 'edit'] }]

/** Makes one rule of each limit. @param preset that the file names; what the file itself says of a limit counts before it */
export function limitRules(
  reading: RulesFileState,
  value: unknown,
  { limits: preset = {}, mode: presetMode = reading.mode }: Pick<Preset, 'limits' | 'mode'> = {},
): readonly Rule[] {
  if (value === undefined && Object.keys(preset).length === 0) return []
  const known = new Map(Object.keys(SessionLimits.shape).map((key) => [key, '']))
  const { rest = {}, isWhole } = readRest(reading, SessionLimits, value ?? {}, ['limits'], known)
  if (!isWhole) return []
  const own: SessionLimits = { ...preset, ...rest }
  const ruleOf = (name: string, builtin: SessionLimit | TokenLimit): Rule => {
    const id = `${reading.source.id}#limits.${name}`
    const isOfPreset = builtin.kind === 'limit' && builtin.isOfPreset === true
    reading.places.set(
      id,
      isOfPreset ? reading.parsed.place(['preset'], 'value') : reading.parsed.place(['limits'], 'key'),
    )
    const mode = isOfPreset ? presetMode : reading.mode
    // Nobody has written a preset's limit: where nothing can be kept, a session without it is better than none at all.
    return builtinRule({ id, source: reading.source, builtin, onFailure: isOfPreset ? 'continue' : 'block', mode })
  }
  const ofLoops = loops.flatMap((name) => {
    const limit = own[name]
    if (limit === undefined || limit === false) return []
    return [ruleOf(name, { ...loopLimit(name, limit), ...(rest[name] === undefined && { isOfPreset: true }) })]
  })
  const ofCalls = (own.calls ?? []).flatMap((limit, at) =>
    isUnderstood(reading, limit, at) ? [ruleOf(`calls[${at}]`, callLimit(limit))] : [],
  )
  const { tokens } = own
  const ofTokens = (['session', 'day'] as const).flatMap((per) => {
    const most = tokens === false ? undefined : tokens?.[per]
    const then = tokens === false ? undefined : tokens?.then
    return most === undefined ? [] : [ruleOf(`tokens.${per}`, { kind: 'tokens', per, most, then: then ?? 'deny' })]
  })
  return [...ofLoops, ...ofCalls, ...ofTokens]
}

/** A limit on a tool that no agent has would never be reached. */
function isUnderstood(reading: RulesFileState, { tool }: CallLimit, at: number): boolean {
  const names = new Set<string>([...ToolKind.options, ...knownToolNames])
  const unknown = listOf(tool ?? []).find((name) => !names.has(name) && !name.startsWith('mcp__'))
  if (unknown === undefined) return true
  const remedy = didYouMean(unknown, names) ?? 'name a kind such as `fetch`, a tool of an agent, or `mcp__server__*`'
  problem(
    reading,
    'error',
    ['limits', 'calls', at, 'tool'],
    'value',
    `there is no known tool ${quoted(unknown)}`,
    remedy,
  )
  return false
}

type NamedLoop = (typeof loops)[number]

function loopLimit(name: NamedLoop, { times, then = 'deny' }: LoopLimit): SessionLimit {
  const used = loopState(name)
  return { kind: 'limit', what: name, most: times, then, of: used.of, states: { used } }
}

/** Declares what a limit on a loop counts. */
export function loopState(name: NamedLoop) {
  switch (name) {
    case 'refused': {
      const of: StepCondition = { outcome: 'refused' }
      return { kind: 'streak', of, by: 'call', resetBy: { outcome: 'prompted' } } as const
    }
    case 'failed': {
      const of: StepCondition = { outcome: 'failed' }
      return { kind: 'streak', of, by: 'call', resetBy: newTry } as const
    }
    case 'repeated': {
      const of: StepCondition = {}
      return { kind: 'count', of, by: 'call', resetBy: newTry } as const
    }
  }
}

function callLimit({ tool, command, host, most, within, scope, atOnce, then = 'deny' }: CallLimit): SessionLimit {
  const of: StepCondition = {
    ...(tool !== undefined && { tool }),
    ...(command !== undefined && { command }),
    ...(host !== undefined && { host }),
  }
  const where = scope === undefined ? {} : { scope }
  if (atOnce !== undefined) {
    const used = { kind: 'count', of, ...where } as const
    const ended = { kind: 'count', of: { ...of, outcome: ['done', 'failed'] }, ...where } satisfies StateDeclaration
    return { kind: 'limit', what: 'atOnce', of, most: atOnce, then, states: { used, ended } }
  }
  const used = { kind: 'count', of, ...where, ...(within !== undefined && { within }) } as const
  return {
    kind: 'limit',
    what: 'calls',
    of,
    most: most ?? 1,
    then,
    states: { used },
    ...(within !== undefined && { within }),
  }
}

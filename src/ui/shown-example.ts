import type { Decision } from '../model/effect.ts'
import type { ExampleGiven, ExampleWant, PolicyDefinition } from '../model/policy.ts'

/** An example of a rule as a person reads it: what an agent is about to do, and what is decided. */
export interface ShownExample {
  readonly name: string
  /** The command, or else the tool and its input. */
  readonly given: string
  /** The params that it is decided with, if they are not the defaults. */
  readonly params: string
  /** `undefined` if the rule decides nothing, but tells the agent something or changes its call. */
  readonly decision: Decision | undefined
}

/** Says what an example gives and wants. */
export function exampleShown({ name, given, want }: PolicyDefinition['examples'][number]): ShownExample {
  const params = Object.entries(given.params ?? {}).map(([param, value]) => `${param}: ${valueText(value)}`)
  return { name, given: givenText(given), params: params.join(', '), decision: decisionOf(want) }
}

function givenText({ input = {}, tool, prompt, message, event }: ExampleGiven): string {
  const { command } = input
  if (typeof command === 'string') return command
  const said = prompt ?? message
  if (said !== undefined) return said
  const parts = Object.entries(input).map(([key, value]) => (key === 'path' ? '' : `${key}: `) + valueText(value))
  const text = [...(tool === undefined ? [] : [tool]), parts.join(', ')].join(' ').trim()
  return text === '' ? (event ?? '') : text
}

const valueText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function decisionOf(want: ExampleWant): Decision | undefined {
  const effect = typeof want === 'string' ? want : want.effect
  switch (effect) {
    case 'deny':
    case 'ask':
    case 'allow':
    case 'abstain':
      return effect
    case 'context':
    case 'notice':
    case 'rewrite':
    case 'stop':
    case undefined:
      return undefined
  }
}

import { ask, type Call, deny, lineIn, type PolicyAnswer } from 'hookgate/policy'

/** The wording of a policy's reasons. */
export interface Words {
  /** What such a command does: "deletes what the cluster runs". */
  readonly harm: string
  /** The advice for the agent. */
  readonly instead: string
}

/** Params that every rule with a table has. */
export const params = {
  allowed: {
    type: 'strings',
    default: [],
    description:
      'commands to allow, by their first words without options: `docker system prune`; MCP tools by `mcp__server__tool`',
  },
  answer: {
    type: 'string',
    default: 'rated',
    oneOf: ['rated', 'deny', 'ask'],
    description: "the answer to every danger: `deny`, `ask`, or `rated` for each danger's own rating",
  },
} as const

/** A param of policies on databases. */
export const allowLocal = {
  type: 'boolean',
  default: false,
  description: 'whether databases and servers on this machine may be changed if the command names their host',
} as const

/** A param of policies on what is production. */
export const targets = {
  type: 'strings',
  default: ['production', 'prod', 'prd', 'live', 'mainnet'],
  description: 'words that mean production, in lower case; the list replaces the whole default',
} as const

export interface Params {
  readonly allowed: readonly string[]
  readonly answer: 'rated' | 'deny' | 'ask'
}

/** A danger, and the words of the command that say so. */
export interface Danger {
  readonly effect: 'deny' | 'ask'
  readonly words: string
  /** Set if it is dangerous only for some values of unknown words. */
  readonly maybe?: true
}

/** True if the rules file allows a command by its first words. */
export function isAllowed(call: Call, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return false
  const written = [call.program, ...lineIn(call, {}).words.map((word) => word.text)].join(' ')
  return allowed.some((one) => one !== '' && `${written} `.startsWith(`${one} `))
}

/** The answer to a danger, in the words of its rule. */
export function answerTo(
  danger: Danger,
  { program, at }: Pick<Call, 'program'> & Partial<Pick<Call, 'at'>>,
  given: Params,
  words: Words,
): PolicyAnswer {
  const shown = `\`${`${program} ${danger.words}`.trim()}\``
  const reason =
    danger.maybe === true
      ? `${shown} may be a command that ${words.harm}, which is only known when it runs: ${words.instead}`
      : `${shown} ${words.harm}: ${words.instead}`
  const effect = given.answer === 'rated' || danger.maybe === true ? danger.effect : given.answer
  return effect === 'deny' ? deny(reason, { at }) : ask(reason, { at })
}

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

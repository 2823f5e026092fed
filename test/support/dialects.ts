import { allDialects } from '../../src/agents/index.ts'
import type { KnownAgent } from '../../src/agents/registry.ts'
import type { Dialect } from '../../src/model/dialect.ts'

const loaded = Object.fromEntries((await allDialects()).map((dialect) => [dialect.agent, dialect]))

/** All of them at hand, for tables of tests. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there is one for each agent, as the loaders say
export const dialects = loaded as Readonly<Record<KnownAgent, Dialect>>

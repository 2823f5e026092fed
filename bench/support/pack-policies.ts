import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ToolFacts } from '../../src/model/tool-facts.ts'
import { PolicyDefinition } from '../../src/model/policy.ts'
import { paramsSchema } from '../../src/words/policy-declarations.ts'
import { listOf } from '../../src/model/text.ts'
import { compiledLibrary } from '../../src/policy/compile/compile-library.ts'
import { compilePolicy } from '../../src/policy/compile/compile-policy.ts'
import { indexInterests, interestedIn } from '../../src/policy/interest.ts'
import { PolicyIsolate } from '../../src/policy/sandbox/thread/isolate.ts'
import { policyLoad } from '../../src/policy/sandbox/wire/frames.ts'
import { type Summary, summary } from './statistics.ts'

/** A shell command with its facts, and the input that policies get of it. */
export interface PolicySubject {
  readonly facts: ToolFacts
  readonly input: string
}

/** The cost of one policy, µs a command, and how many of the commands it was evaluated for. */
export interface PolicyCost extends Summary {
  readonly name: string
  readonly asked: number
  /** Its part of a mean decision: of commands that it is not evaluated for, nothing. */
  readonly share: number
}

/** Measures each policy about shell commands alone, in an isolate like the sandbox's, less the median of a call without any. */
export function policyCosts(folder: string, subjects: readonly PolicySubject[], rounds: number): readonly PolicyCost[] {
  const files = globSync('*/*.policy.ts', { cwd: folder }).toSorted()
  const compiled = files.map((name) => {
    const policy = compilePolicy(join(folder, name), (file) => readFileSync(file, 'utf8'), {
      folder: join(folder, name.split('/')[0] ?? ''),
    })
    if ('modules' in policy) return policy
    throw new Error(`${name}: ${policy.map(({ message }) => message).join('; ')}`)
  })
  const isolate = new PolicyIsolate(policyLoad(compiledLibrary().modules, compiled))
  try {
    const described = z.array(z.object({ definition: z.string() })).parse(isolate.describe([...files.keys()]))
    const definitions = described.map(({ definition }) => PolicyDefinition.parse(JSON.parse(definition)))
    const costOf = (asked: string, inputs: readonly string[]) => {
      const taken: number[] = []
      for (let round = 0; round <= rounds; round += 1) {
        for (const input of inputs) {
          const startedAt = performance.now()
          isolate.evaluate([{ given: '0\t[]', asked, input: [input], untilMs: startedAt + 10_000 }])
          // The first round warms up.
          if (round > 0) taken.push((performance.now() - startedAt) * 1000)
        }
      }
      return summary(taken)
    }
    return definitions.flatMap(({ id, on, tool, facts, params, interest }, index) => {
      const isAbout = listOf(on).includes('PreToolUse') && (tool === undefined || listOf(tool).includes('shell'))
      if (!isAbout) return []
      const own = indexInterests([{ interest, params: paramsSchema(params).parse({}) }])
      const inputs = subjects
        .filter((one) => interestedIn(one.facts, own, true)?.length !== 0)
        .map(({ input }) => input)
      if (inputs.length === 0) return []
      const known = Object.keys(facts).map(() => -1)
      const floor = costOf('[]', inputs)
      const whole = costOf(JSON.stringify([[index, known, JSON.stringify(paramsSchema(params).parse({}))]]), inputs)
      const less = (key: keyof Summary) => Math.max(0, whole[key] - floor.p50)
      const p50 = less('p50')
      const share = (p50 * inputs.length) / subjects.length
      return [
        {
          name: `${files[index]?.split('/')[0]}/${id}`,
          asked: inputs.length,
          share,
          p50,
          p95: less('p95'),
          p99: less('p99'),
        },
      ]
    })
  } finally {
    isolate.dispose()
  }
}

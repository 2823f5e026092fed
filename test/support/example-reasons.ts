import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openToolFacts } from '../../src/facts/tool-call.ts'
import { requestFor } from '../../src/policy/compile/definition/examples.ts'
import { openSandbox } from '../../src/policy/open-sandbox.ts'
import { findPolicies, loadPolicy, readSources } from '../../src/policy/testing/policy-sources.ts'

const policies = fileURLToPath(new URL('../../policies', import.meta.url))

/** The packs that refuse or ask, by the names of their folders. */
export const packNames: readonly string[] = readdirSync(policies).filter((name) =>
  existsSync(join(policies, name, 'pack.json')),
)

/** A reason with the call of the example that it is for. */
export interface ExampleReason {
  readonly rule: string
  readonly call: string
  readonly reason: string
}

/** Returns the reason of every refusal and question in the examples of a pack's rules. */
export async function exampleReasons(pack: string): Promise<readonly ExampleReason[]> {
  const port = openSandbox('process', openToolFacts())
  try {
    const found: ExampleReason[] = []
    for (const policy of findPolicies([join(policies, pack)], policies)) {
      const sources = readSources(policy)
      if ('flawed' in sources) throw new Error(`${policy.file} does not compile`)
      // oxlint-disable-next-line no-await-in-loop -- a policy fills every thread
      const loaded = await loadPolicy(sources, port)
      if ('problems' in loaded) throw new Error(`${policy.file} does not load`)
      const { definition, at } = loaded
      for (const { name, given } of definition.examples) {
        // oxlint-disable-next-line no-await-in-loop -- the answers stay in the order of the examples
        const [result] = await port.evaluate(await requestFor(definition, at, given, port))
        const answers = result !== undefined && 'answers' in result ? result.answers : []
        for (const answer of answers) {
          if (!('effect' in answer) || answer.effect === 'allow') continue
          const { command } = given.input ?? {}
          const call =
            typeof command === 'string' ? command : `${given.tool ?? ''} ${JSON.stringify(given.input ?? given)}`
          found.push({ rule: `${pack}/${definition.id}`, call: call === '' ? name : call, reason: answer.reason ?? '' })
        }
      }
      loaded.release()
    }
    return found
  } finally {
    await port.close()
  }
}

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exampleRows } from '../../bench/accuracy/dump-rows.ts'
import { readOwnCorpus, toRow } from '../../bench/accuracy/own.ts'
import { wireOf } from '../../bench/accuracy/row-event.ts'
import { openEventFacts, withHarmless } from '../../src/facts/tool-call.ts'
import { createGate } from '../../src/library/index.ts'
import type { HookEvent } from '../../src/model/event.ts'
import { isPolicyRule, type PolicyRule } from '../../src/model/rule.ts'
import { openPolicyLoader } from '../../src/policy/compile/policy-loader.ts'
import { evaluatePolicies, PolicyList } from '../../src/policy/policies.ts'
import { ruleMatches } from '../../src/rules/plan.ts'
import { openRuleCache } from '../../src/rules/read-rules.ts'
import { testSandbox } from '../support/sandbox.ts'
import { folderWith } from '../support/workspace.ts'

const policies = fileURLToPath(new URL('../../policies', import.meta.url))
const packs = readdirSync(policies).filter((name) => existsSync(join(policies, name, 'pack.json')))
const home = '/home/u'

/** Opens all packs, to be evaluated by rules that may differ from those that were loaded. */
async function allPacks() {
  const sandbox = testSandbox()
  const toolFacts = openEventFacts(home)
  const files = folderWith({ 'hooks.json': JSON.stringify({ packs: packs.map((pack) => ({ pack })) }) })
  const options = { explicit: [join(files, 'hooks.json')], discover: false, home, env: {} }
  const loaded = await openRuleCache(options, openPolicyLoader(sandbox)).rulesFor([])
  const rules = loaded.rules.filter(isPolicyRule)
  let asked = 0

  /** Returns the answers of the rules that apply to an event, and how many policies were evaluated for them. */
  async function evaluated(given: readonly PolicyRule[], event: HookEvent) {
    const before = asked
    const evaluations = await evaluatePolicies(
      new PolicyList(given.filter((rule) => ruleMatches(rule, event))),
      event,
      {
        evaluate: (request, signal) => {
          asked += request.calls.all.length
          return sandbox.evaluate(request, signal)
        },
        gatherFacts: async (requests) => requests.map(() => ({ missing: 'no fact is gathered here' })),
        toolFacts: (one) => toolFacts(one, {}),
        withHarmless,
        signal: undefined,
      },
    )
    const answers = evaluations
      .filter(({ kind }) => kind !== 'notApplicable')
      .map((one) => JSON.stringify({ ...one, durationMs: 0 }))
    return { answers: answers.join('\n'), asked: asked - before }
  }
  return { rules, evaluated }
}

describe('the interests that the shipped policies declare', () => {
  it('change no answer to any call of the own corpus or of one in five examples, and spare most policies', async () => {
    const decoder = createGate({ discover: false })
    onTestFinished(() => decoder.close())
    const { rules, evaluated } = await allPacks()
    // What a policy is told besides, by its interest, stays.
    const withoutInterests = rules.map((rule) => {
      const interest = rule.handler.interest?.harmless === true ? { harmless: true } : undefined
      return Object.assign({}, rule, { handler: Object.assign({}, rule.handler, { interest }) })
    })
    const different: string[] = []
    let [byInterest, all] = [0, 0]
    const examples = (await exampleRows()).filter((_, at) => at % 5 === 0)
    for (const row of [...readOwnCorpus().map(toRow), ...examples]) {
      // oxlint-disable no-await-in-loop -- one event after the other, as a session has them
      const event = await decoder.decode(wireOf(row), { agent: 'claude-code' })
      const some = await evaluated(rules, event)
      const each = await evaluated(withoutInterests, event)
      // oxlint-enable no-await-in-loop
      if (some.answers !== each.answers) different.push(row.cmd ?? JSON.stringify(row.input))
      byInterest += some.asked
      all += each.asked
    }
    expect(different).toEqual([])
    expect(byInterest).toBeLessThan(all / 2)
  })
})

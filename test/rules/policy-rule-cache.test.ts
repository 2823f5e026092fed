import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { HookgateError } from '../../src/model/errors.ts'
import { limits } from '../../src/model/limits.ts'
import type { LoadedDomain, PolicyPort } from '../../src/model/policy.ts'
import { isPolicyRule, type RuleSet } from '../../src/model/rule.ts'
import { openPolicyLoader } from '../../src/policy/compile/policy-loader.ts'
import { openRuleCache } from '../../src/rules/index.ts'
import { policyRules, policyText } from '../support/policies.ts'
import { testSandbox } from '../support/sandbox.ts'
import { folderWith, writeFiles } from '../support/workspace.ts'

/** Wraps the real sandbox, and records what was loaded and released. */
function watched() {
  const sandbox = testSandbox()
  const loaded: number[] = []
  const released: number[] = []
  let isLost = false
  const port: PolicyPort = {
    async load(policies) {
      if (isLost) throw new Error('there is no room for another process')
      const domain: LoadedDomain = await sandbox.load(policies)
      loaded.push(domain.id)
      return { ...domain, release: () => (released.push(domain.id), domain.release()) }
    },
    warm: () => sandbox.warm(),
    evaluate: (request) => sandbox.evaluate(request),
    toolFacts: sandbox.toolFacts,
  }
  return { port, loaded, released, lose: (lost: boolean) => (isLost = lost) }
}

function opened(files: Parameters<typeof folderWith>[0]) {
  const folder = folderWith({ 'home/x': '', 'work/.git/HEAD': '', 'other/x': '', ...files })
  const sandbox = watched()
  const options = { home: join(folder, 'home'), managedFolder: join(folder, 'managed'), env: {}, cwd: folder }
  const cache = openRuleCache(options, openPolicyLoader(sandbox.port))
  const work = join(folder, 'work')
  const rules = async (root = work) => cache.rulesFor([root])
  return { folder, work, cache, rules, ids: async () => (await rules()).rules.map(({ id }) => id), ...sandbox }
}

const stale = () => sleep(limits.rulesFreshMs + 20)
const domains = ({ rules }: RuleSet) => rules.filter(isPolicyRule).map(({ handler }) => handler.domain)

describe('policies in force', () => {
  it('are returned synchronously while they are fresh', async () => {
    const { cache, work, rules } = opened({ 'work/.hookgate/policies/a.policy.ts': policyText('a') })
    const first = cache.rulesFor([work])
    expect(first).toBeInstanceOf(Promise)
    expect(cache.rulesFor([work])).toBe(first)
    expect(cache.rulesFor([work])).toBeInstanceOf(Promise)
    const known = await rules()
    expect(cache.rulesFor([work])).toBe(known)
  })

  it('follow files that are added, changed and removed, and the modules they import', async () => {
    const importing = policyText('a', 'tool: kind,').replace('export', "import { kind } from './kind.ts'\nexport")
    const { work, rules, ids } = opened({
      'work/.hookgate/policies/a.policy.ts': importing,
      'work/.hookgate/policies/kind.ts': "export const kind = 'shell'\n",
    })
    const subject = async () => (await rules()).rules[0]?.match.subject
    expect(await subject()).toEqual({ kind: 'names', names: ['shell'] })
    writeFiles(work, { '.hookgate/policies/kind.ts': "export const kind = 'write'\n" })
    await stale()
    expect(await subject()).toEqual({ kind: 'names', names: ['write'] })
    writeFiles(work, { '.hookgate/policies/deep/b.policy.ts': policyText('b') })
    await stale()
    expect(await ids()).toEqual(['project:policies#a', 'project:policies#b'])
    rmSync(join(work, '.hookgate/policies/a.policy.ts'))
    await stale()
    expect(await ids()).toEqual(['project:policies#b'])
  })

  it('stay loaded in the sandbox while their sources are unchanged, in every workspace', async () => {
    const { work, folder, rules, loaded, released } = opened({
      'home/.config/hookgate/policies/u.policy.ts': policyText('user'),
      'work/.hookgate/policies/a.policy.ts': policyText('a'),
    })
    const [user, project] = domains(await rules())
    expect(domains(await rules(join(folder, 'other')))).toEqual([user])
    // Two sources are loaded concurrently, in either order.
    expect(new Set(loaded)).toEqual(new Set([user, project]))
    writeFiles(work, { '.hookgate/policies/a.policy.ts': policyText('b') })
    await stale()
    const [same, another] = domains(await rules())
    expect(same).toBe(user)
    expect(another).not.toBe(project)
    expect(loaded.slice(2)).toEqual([another])
    expect(released).toEqual([project])
  })

  it('are the former ones while one does not load, and are released once it is fixed', async () => {
    const { work, rules, ids, released } = opened({ 'work/.hookgate/policies/a.policy.ts': policyText('a') })
    const [first] = domains(await rules())
    writeFiles(work, {
      '.hookgate/policies/a.policy.ts': policyText('b', "examples: [{ name: 'x', given: {}, want: 'allow' }],"),
    })
    await stale()
    const meanwhile = await rules()
    expect(domains(meanwhile)).toEqual([first])
    expect(meanwhile.alarms).toEqual([
      expect.stringMatching(
        /^the rules do not load: .*a\.policy\.ts:7:\d+: its example `x` wants `allow`, but got `deny`/,
      ),
    ])
    await stale()
    expect(domains(await rules())).toEqual([first])
    expect(released).not.toContain(first)
    writeFiles(work, { '.hookgate/policies/a.policy.ts': policyText('c') })
    await stale()
    expect(await ids()).toEqual(['project:policies#c'])
    expect((await rules()).alarms).toEqual([])
    expect(released).toContain(first)
  })

  it('are refused where none have loaded before, with the place of the first mistake', async () => {
    const { work, rules } = opened({ 'work/.hookgate/hooks.json': policyRules('./none.policy.ts') })
    const file = join(work, '.hookgate/hooks.json')
    await expect(rules()).rejects.toThrow(HookgateError)
    await expect(rules()).rejects.toMatchObject({ code: 'rulesMalformed', place: { file, line: 8, column: 23 } })
  })

  it('are not at fault where the sandbox cannot start, which is reported and retried', async () => {
    const { work, rules, ids, lose } = opened({ 'work/.hookgate/policies/a.policy.ts': policyText('a') })
    lose(true)
    await expect(rules()).rejects.toThrow('its policies cannot be loaded: there is no room for another process')
    lose(false)
    await stale()
    expect(await ids()).toEqual(['project:policies#a'])
    lose(true)
    writeFiles(work, { '.hookgate/policies/a.policy.ts': policyText('b') })
    await stale()
    const meanwhile = await rules()
    expect(meanwhile.rules.map(({ id }) => id)).toEqual(['project:policies#a'])
    expect(meanwhile.alarms).toEqual([
      expect.stringMatching(/there is no room for another process; nothing is wrong with them/),
    ])
    lose(false)
    await stale()
    expect(await ids()).toEqual(['project:policies#b'])
  })

  it('are released when there have been more workspaces than the cache keeps', async () => {
    const { folder, rules, released } = opened({ 'work/.hookgate/policies/a.policy.ts': policyText('a') })
    const [first] = domains(await rules())
    const others = Array.from({ length: limits.ruleSetsCachedMax }, async (_, n) => rules(join(folder, `w${n}`)))
    await Promise.all(others)
    await expect.poll(() => released).toEqual([first])
  })
})

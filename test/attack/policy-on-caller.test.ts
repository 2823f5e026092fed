import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type GateOptions } from '../../src/library/index.ts'
import { sandboxPids } from '../policy/sandbox/written.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'
import { emptyHome, missing } from '../support/own-folder.ts'

const policy = (id: string, decide: string) => `import { definePolicy, deny } from 'hookgate/policy'
export default definePolicy({ id: '${id}', description: 'part of a test', on: 'PreToolUse', decide({ tool }) { ${decide} } })
`
/** Other tests of this process may have left theirs. */
const before = sandboxPids()
const ownSandboxes = () => sandboxPids().filter((pid) => !before.includes(pid))

/** Never returns, and cannot be interrupted. */
const hang = 'Array.prototype.every.call({ length: 2 ** 53 - 1 }, () => true)'
/** Aborts its process: it allocates within one call of the engine. */
const abort = '"a".repeat(2 ** 28).split("")'

/** Opens a gate with the placement `caller`, and returns what decides a command in a folder, and where its policies are. */
function gateIn(cwd: string, options: GateOptions) {
  const gate = createGate({ home: emptyHome, managedFolder: missing, placement: 'caller', ...options })
  onTestFinished(() => gate.close())
  const event = () => gate.decode(claudeShell('ls', cwd))
  return {
    decide: async () => gate.decide(await event()),
    onCaller: async () =>
      (await gate.rulesFor(await event())).rules.flatMap(({ handler }) =>
        handler.kind === 'policy' ? [[handler.policy, handler.onCaller]] : [],
      ),
  }
}

const packsOf = (...packs: readonly string[]) => ({ json: { packs: packs.map((pack) => ({ pack })) } })

describe('on the calling thread', () => {
  it('are policies of the rules that the embedder names, and hookgate’s own, without a sandbox process', async () => {
    const root = folderWith({
      'hooks.json': packsOf('git-safety', './own'),
      'own/pack.json': { json: { description: 'beside the rules' } },
      'own/refuses.policy.js': policy('refuses', 'return deny("no " + tool.command)'),
    })
    const { decide, onCaller } = gateIn(root, { rules: [join(root, 'hooks.json')] })
    expect(await decide()).toMatchObject({ decision: 'deny', reason: expect.stringContaining('no ls') })
    const placed = await onCaller()
    expect(placed.length).toBeGreaterThan(1)
    expect(placed.filter(([, isHere]) => !isHere)).toEqual([])
    expect(ownSandboxes()).toEqual([])
  })

  const elsewhere = {
    'elsewhere/pack/pack.json': { json: { description: 'from elsewhere' } },
    'elsewhere/pack/strange.policy.js': policy('strange', hang),
  }
  const loops = policy('strange', hang)

  it.each<[string, Required<Parameters<typeof folderWith>>[0], GateOptions]>([
    ['a workspace that is not trusted', { '.hookgate/policies/strange.policy.js': loops }, {}],
    ['a workspace that an option trusts', { '.hookgate/policies/strange.policy.js': loops }, { trustWorkspace: true }],
    ['a pack from elsewhere', { 'rules/hooks.json': packsOf('../elsewhere/pack'), ...elsewhere }, {}],
  ])(
    'is no policy of %s: one that hangs is ended with its process, and the caller goes on',
    async (_, files, options) => {
      const root = folderWith({
        ...files,
        'named/refuses.policy.js': policy('refuses', 'return deny("no " + tool.command)'),
      })
      const rules = ['named', 'rules/hooks.json'].filter((name) => name === 'named' || name in files)
      const { decide, onCaller } = gateIn(root, { ...options, rules: rules.map((name) => join(root, name)) })
      const { decision, evaluations } = await decide()
      expect(decision).toBe('deny')
      expect(evaluations.map((one) => (one.kind === 'indeterminate' ? one.failure.code : one.kind)).toSorted()).toEqual(
        ['applicable', 'policyTimeout'],
      )
      expect(Object.fromEntries(await onCaller())).toEqual({ refuses: true, strange: false })
    },
  )

  it('is no policy behind a link that leads elsewhere', async () => {
    const root = folderWith({ 'rules/refuses.policy.js': policy('refuses', 'return deny("no")'), ...elsewhere })
    symlinkSync(join(root, 'elsewhere/pack/strange.policy.js'), join(root, 'rules/strange.policy.js'))
    // All policies of one source are in one place.
    const { onCaller } = gateIn(root, { rules: [join(root, 'rules')] })
    expect(Object.fromEntries(await onCaller())).toEqual({ refuses: false, strange: false })
  })
})

describe('a policy on the calling thread', () => {
  it.each([
    ['loops', 'for (;;);', 'policyTimeout'],
    ['lets an array grow', 'const a = []; for (;;) a.push({ a: 1, b: { c: 2 } })', 'policyOutOfMemory'],
    ['throws what loops', 'throw { get message() { for (;;); } }', 'policyThrew'],
  ])('that %s fails alone', async (_, decide, code) => {
    const root = folderWith({
      'rules/bad.policy.js': policy('bad', decide),
      'rules/good.policy.js': policy('good', 'return deny("no " + tool.command)'),
    })
    const gate = gateIn(root, { rules: [join(root, 'rules')] })
    const { evaluations, reason } = await gate.decide()
    const [bad, good] = evaluations
    expect([code, 'policyTimeout']).toContain(bad?.kind === 'indeterminate' ? bad.failure.code : bad?.kind)
    expect(good).toMatchObject({ effect: 'deny' })
    expect(reason).toContain('no ls')
    expect(ownSandboxes()).toEqual([])
  })

  it('that exhausts memory within the engine ends the process of its caller, without an answer that allows', () => {
    const root = folderWith({ 'rules/bad.policy.js': policy('bad', abort) })
    const program = fileURLToPath(new URL('../policy/sandbox/host/caller-gate.ts', import.meta.url))
    const { stdout, signal } = spawnSync(process.execPath, [program, join(root, 'rules'), root], { encoding: 'utf8' })
    expect(stdout).toBe('decoded\n')
    expect(['SIGABRT', 'SIGTRAP', 'SIGILL']).toContain(signal)
  })
})

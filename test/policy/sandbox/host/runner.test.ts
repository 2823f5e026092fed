import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../src/model/limits.ts'
import { startPolicyRunner } from '../../../../src/policy/sandbox/host/runner.ts'
import {
  callsTo,
  library,
  policyOf,
  requestOf,
  runnerAt,
  sandboxPids,
  echoesPrompt,
  silent,
  outcomesOf,
} from '../written.ts'

describe.each(['process', 'caller'] as const)('a runner with placement %s', (placement) => {
  it('answers each call of many requests, in order, over several domains', async () => {
    const runner = runnerAt(placement)
    const deniesPrompt = policyOf('return { effect: "deny", reason: event.prompt }')
    const one = await runner.load([echoesPrompt, silent])
    const two = await runner.load([silent, deniesPrompt, echoesPrompt])
    const calls = [
      ...callsTo(two.id, [1]),
      ...callsTo(one.id, [0, 1]),
      ...callsTo(two.id, [2, 0]),
      ...callsTo(one.id, [0]),
    ]
    const prompts = Array.from({ length: 200 }, (_, index) => `${index} é€😀\u2028\t\n`)
    const results = await Promise.all(prompts.map((prompt) => runner.evaluate(requestOf(calls, prompt))))
    expect(results.map(outcomesOf)).toEqual(
      prompts.map((prompt) => [JSON.stringify({ effect: 'deny', reason: prompt }), prompt, '', prompt, '', prompt]),
    )
  })

  it('gives the realm each fact, the params and the time', async () => {
    const decide = 'return { context: JSON.stringify([facts, params, Date.now()]) }'
    const source = policyOf(decide)
    const facts = 'facts: { branch: { gitBranch: true }, none: { exists: "x" } }, params: {}, decide'
    const [module] = source.modules
    if (module === undefined) throw new Error('it has no module')
    const policy = { ...source, modules: [{ ...module, code: module.code.replace('decide', facts) }] }
    const runner = runnerAt(placement)
    const { id } = await runner.load([policy])
    const calls = [{ domain: id, policy: 0, facts: [1, -1], params: '{"depth":3}' }]
    const results = await runner.evaluate({ ...requestOf(calls), atMs: 1234, values: ['unused', 'main'] })
    expect(outcomesOf(results)).toEqual(['[{"branch":"main"},{"depth":3},1234]'])
  })

  it('reports for each policy its own time, not that of the call it was evaluated in', async () => {
    const runner = runnerAt(placement)
    const slow = policyOf('for (let round = 0; round < 1e5; round += 1) JSON.stringify([round])')
    const { id } = await runner.load([silent, echoesPrompt, slow, silent])
    const other = await runner.load([silent, silent])
    const calls = [...callsTo(other.id, [0]), ...callsTo(id, [0, 1, 2, 3, 1]), ...callsTo(other.id, [1])]
    const least = calls.map(() => Infinity)
    // The least of several rounds: on a busy machine, any evaluation may be interrupted.
    for (let round = 0; round < 5; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      const evaluations = await runner.evaluate(requestOf(calls))
      for (const [at, { durationMs }] of evaluations.entries()) least[at] = Math.min(least[at] ?? 0, durationMs)
    }
    expect(least.indexOf(Math.max(...least))).toBe(3)
  })

  it('carries every text unharmed', async () => {
    const runner = runnerAt(placement)
    const { id } = await runner.load([echoesPrompt])
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (prompt) => {
        expect(outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0]), prompt)))).toEqual([prompt])
      }),
      { numRuns: 50 },
    )
  })

  it('carries an event of the maximum size, and the events after it', async () => {
    const runner = runnerAt(placement, 1)
    const { id } = await runner.load([policyOf('return { context: String(event.prompt.length) }')])
    const prompt = '€'.repeat(limits.eventBytesMax / 3 - 1000)
    const calls = callsTo(id, [0])
    const pending = [prompt, 'x', prompt, 'xy'].map((text) => runner.evaluate(requestOf(calls, text)))
    const outcomes = (await Promise.all(pending)).map(outcomesOf)
    expect(outcomes).toEqual([[String(prompt.length)], ['1'], [String(prompt.length)], ['2']])
  })

  it('reads an event whose JSON is laid out in lines', async () => {
    const runner = runnerAt(placement)
    const { id } = await runner.load([echoesPrompt])
    const request = requestOf(callsTo(id, [0]))
    const input = [JSON.stringify(JSON.parse(request.input[0]), undefined, 2)] as const
    expect(outcomesOf(await runner.evaluate({ ...request, input }))).toEqual(['hello'])
  })

  it('describes each policy, or reports why it cannot be described', async () => {
    const runner = runnerAt(placement)
    const { described } = await runner.load([silent, policyOf('', 'throw new Error("no table")'), echoesPrompt])
    expect(described).toEqual([
      { definition: expect.stringContaining('"written"') },
      { failure: { code: 'policyThrew', message: expect.stringContaining('no table') } },
      { definition: expect.stringContaining('"written"') },
    ])
  })

  it('describes only policies without a known definition, and evaluates all of them', async () => {
    const runner = runnerAt(placement)
    const known = (definition: string) => ({ ...echoesPrompt, definition })
    const { described } = await runner.load([known('one'), echoesPrompt, known('three')])
    expect(described).toEqual([
      { definition: 'one' },
      { definition: expect.stringContaining('written for a test') },
      { definition: 'three' },
    ])
    const { id, described: redescribed } = await runner.load([known('one'), known('two')])
    expect(redescribed).toEqual([{ definition: 'one' }, { definition: 'two' }])
    expect(outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0, 1]))))).toEqual(['hello', 'hello'])
  })

  it('reports what a policy throws', async () => {
    const runner = runnerAt(placement)
    const { id } = await runner.load([policyOf('throw new TypeError("odd")'), echoesPrompt])
    const [failed, answered] = await runner.evaluate(requestOf(callsTo(id, [0, 1])))
    expect(failed).toMatchObject({
      failure: { code: 'policyThrew', message: expect.stringContaining('TypeError: odd') },
    })
    expect(answered).toMatchObject({ answers: [{ context: 'hello' }] })
  })

  it('settles a cancelled request at once, and answers the next', async () => {
    const runner = runnerAt(placement, 1)
    const { id } = await runner.load([policyOf('for (;;);'), echoesPrompt])
    const giveUp = new AbortController()
    const slow = runner.evaluate(requestOf(callsTo(id, [0, 1])), giveUp.signal)
    const next = runner.evaluate(requestOf(callsTo(id, [1])))
    giveUp.abort()
    expect(outcomesOf(await slow)).toEqual(['cancelled', 'cancelled'])
    expect(outcomesOf(await next)).toEqual(['hello'])
    expect(outcomesOf(await runner.evaluate(requestOf(callsTo(id, [1])), AbortSignal.abort()))).toEqual(['cancelled'])
  })

  it('cancels pending requests when it is closed, and refuses later ones', async () => {
    const runner = runnerAt(placement)
    const { id } = await runner.load([echoesPrompt])
    const pending = runner.evaluate(requestOf(callsTo(id, [0])))
    const closed = runner.close()
    expect(outcomesOf(await pending)).toEqual(['cancelled'])
    await closed
    await expect(runner.evaluate(requestOf(callsTo(id, [0])))).rejects.toMatchObject({ code: 'closed' })
    await expect(runner.load([silent])).rejects.toMatchObject({ code: 'closed' })
  })

  it('starts no sandbox without policies', async () => {
    const runner = runnerAt(placement)
    expect((await runner.load([])).described).toEqual([])
    expect(await runner.evaluate(requestOf([]))).toEqual([])
    expect(sandboxPids()).toEqual([])
  })

  it('fails calls to policies that it does not have', async () => {
    const runner = runnerAt(placement)
    const { id } = await runner.load([echoesPrompt])
    const calls = [...callsTo(id, [0]), ...callsTo(id + 1, [0])]
    expect(outcomesOf(await runner.evaluate(requestOf(calls)))).toEqual(['hello', 'workerLost'])
  })

  it('answers calls to a released domain while events may be pending', async () => {
    const runner = runnerAt(placement)
    const loaded = await runner.load([echoesPrompt])
    loaded.release()
    expect(outcomesOf(await runner.evaluate(requestOf(callsTo(loaded.id, [0]))))).toEqual(['hello'])
  })

  it('lets its process exit while it is idle', async () => {
    const child = fork(fileURLToPath(new URL('asking-gate.ts', import.meta.url)), [placement], { stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  })

  it('leaves no handle when it is closed', async () => {
    const before = readdirSync('/proc/self/fd').length
    for (let round = 0; round < 3; round += 1) {
      const runner = startPolicyRunner({ placement, library, threads: 2 })
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { id } = await runner.load([echoesPrompt])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await runner.evaluate(requestOf(callsTo(id, [0])))
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await runner.close()
    }
    await expect.poll(() => readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 2)
    expect(sandboxPids()).toEqual([])
  })
})

it('the sandbox process gets nothing of the environment', async () => {
  const runner = runnerAt('process')
  await runner.load([silent])
  const environment = readFileSync(`/proc/${sandboxPids()[0]}/environ`, 'utf8').split('\0')
  const names = environment.map((one) => one.split('=')[0]).filter((name) => name !== '')
  expect(new Set(names)).toEqual(
    new Set([
      'LANG',
      'MALLOC_ARENA_MAX',
      'MALLOC_MMAP_THRESHOLD_',
      'MALLOC_TRIM_THRESHOLD_',
      'NODE_CHANNEL_FD',
      'NODE_CHANNEL_SERIALIZATION_MODE',
      'TZ',
    ]),
  )
})

import { expect, it } from 'vitest'
import { startProcessEarly } from '../../../../src/policy/sandbox/host/process-placement.ts'
import { callsTo, outcomesOf, requestOf, runnerAt, sandboxPids, silent, echoesPrompt } from '../written.ts'

const since = (before: readonly number[]) => sandboxPids().filter((pid) => !before.includes(pid))

it('a process that was started early is the first sandbox with as many threads, and of no other', async () => {
  const before = sandboxPids()
  startProcessEarly(1)
  await expect.poll(() => since(before).length).toBe(1)
  const early = since(before)
  const wider = runnerAt('process', 2)
  await wider.load([silent])
  expect(since(before).length).toBe(2)
  await wider.close()
  const runner = runnerAt('process', 1)
  const { id } = await runner.load([echoesPrompt])
  expect(outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0]), 'hello')))).toEqual(['hello'])
  expect(since(before)).toEqual(early)
  await runner.close()
  expect(since(before).length).toBe(0)
})

it('one that is lost before it is needed is replaced', async () => {
  const before = sandboxPids()
  startProcessEarly(1)
  await expect.poll(() => since(before).length).toBe(1)
  for (const pid of since(before)) process.kill(pid, 'SIGKILL')
  await expect.poll(() => since(before).length).toBe(0)
  const runner = runnerAt('process', 1)
  const { id } = await runner.load([echoesPrompt])
  expect(outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0]), 'hello')))).toEqual(['hello'])
})

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { shellWord } from '../../src/model/text.ts'
import { hookFile } from '../support/hooks.ts'
import { embed, type Embedding, untilRunning } from '../support/embedding.ts'
import { liveCommands, survivors, until } from '../support/processes.ts'
import { reaperAfterMs } from '../../src/hooks/reaper.ts'

const stubborn = shellWord(hookFile('ignores-sigterm'))
const abandoning = `sleep 600 & ${stubborn}`

/** On a loaded machine the reaper starts at the first hook, and may not know the later ones yet. */
async function untilReaped(embedding: Embedding): Promise<void> {
  await untilRunning(embedding, 'sleep 600')
  await untilRunning(embedding, 'hookgate-reaper')
  await sleep(10 * reaperAfterMs)
}

describe.each(['own', 'companion'])('when the gate’s process ends, with hooks started by its %s process', (starter) => {
  it('by itself, hookgate neither keeps it alive nor leaves a process', async () => {
    const embedding = await embed(starter, 'end', 'sleep 0.5; echo fine')
    expect(await embedding.ended).toEqual({ code: 0, signal: null })
    expect(embedding.printed().stdout).toContain('fine')
    expect(embedding.printed().stderr).toBe('')
    expect(await survivors(embedding.tag)).toEqual([])
  })

  it('after close(), it exits although hooks were running', async () => {
    const embedding = await embed(starter, 'close:300', 'exec sleep 600', stubborn)
    expect(await embedding.ended).toEqual({ code: 0, signal: null })
    expect(embedding.printed().stdout.match(/"code":"cancelled"/g)).toHaveLength(2)
    expect(embedding.printed().stderr).toBe('')
    expect(await survivors(embedding.tag)).toEqual([])
  })

  // Right after the request, while the hook is starting, and later.
  it.each([0, 1, 2, 3, 5, 8, 13, 300])(
    'by process.exit %i ms after the request, its hooks are killed',
    async (afterMs) => {
      const embedding = await embed(starter, `exit:${afterMs}`, abandoning, 'exec sleep 600', stubborn, 'sleep 600')
      expect(await embedding.ended).toEqual({ code: 0, signal: null })
      expect(await survivors(embedding.tag)).toEqual([])
    },
  )

  it('by an uncaught exception, its hooks are killed', async () => {
    const embedding = await embed(starter, 'throw:300', abandoning)
    expect(await embedding.ended).toEqual({ code: 1, signal: null })
    expect(await survivors(embedding.tag)).toEqual([])
  })

  it('by a signal that it handles with killAll(), its hooks are killed', async () => {
    const embedding = await embed(starter, 'kill-all', abandoning)
    await untilRunning(embedding, 'sleep 600')
    embedding.child.kill('SIGTERM')
    expect(await embedding.ended).toEqual({ code: 0, signal: null })
    expect(await survivors(embedding.tag)).toEqual([])
  })
})

describe('when the process is killed by SIGKILL', () => {
  it('its companion kills the hooks and exits', async () => {
    const embedding = await embed('companion', 'end', abandoning)
    await untilRunning(embedding, 'sleep 600')
    embedding.child.kill('SIGKILL')
    expect(await survivors(embedding.tag)).toEqual([])
  })

  it.each(['own', 'companion'])(
    'a hook that has just started is killed, if it was started by the %s process',
    async (starter) => {
      const embedding = await embed(starter, 'end', 'exec sleep 600')
      await untilRunning(embedding, 'sleep 600')
      await sleep(2 * reaperAfterMs)
      embedding.child.kill('SIGKILL')
      expect(await survivors(embedding.tag)).toEqual([])
    },
  )

  it('the reaper kills the hooks of its thread pool', async () => {
    const embedding = await embed('own', 'end', abandoning)
    await untilReaped(embedding)
    embedding.child.kill('SIGKILL')
    expect(await survivors(embedding.tag)).toEqual([])
  })

  it('together with its companion, the reaper kills the hooks', async () => {
    const embedding = await embed('companion', 'end', abandoning)
    await untilReaped(embedding)
    process.kill(embedding.child.pid ?? 0, 'SIGSTOP')
    for (const pid of liveCommands(embedding.tag, 'companion')) process.kill(pid, 'SIGKILL')
    embedding.child.kill('SIGKILL')
    expect(await survivors(embedding.tag)).toEqual([])
  })
})

describe.each(['own', 'companion'])(
  'a Ctrl-C that the embedder survives, with hooks started by its %s process',
  (starter) => {
    it('kills no hook, no companion and no reaper', async () => {
      const embedding = await embed(starter, 'ignore-sigint', 'sleep 3; echo fine', 'exec sleep 600')
      await untilReaped(embedding)
      process.kill(-(embedding.child.pid ?? 0), 'SIGINT')
      expect(await until(() => embedding.printed().stdout.includes('fine'))).toBe(true)
      embedding.child.kill('SIGKILL')
      expect(await survivors(embedding.tag)).toEqual([])
    })
  },
)

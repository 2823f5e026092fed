import { HookgateError } from './model/errors.ts'
import type { HookRunner, HookRunnerOptions } from './run/command/index.ts'

/** The hook runner, begun with the first hook: whoever has none pays nothing for it, not even for loading its code. */
export function openHooks(options: HookRunnerOptions): Omit<HookRunner, 'warm'> {
  let started: Promise<HookRunner> | undefined
  let runner: HookRunner | undefined
  let closed = false

  async function start(): Promise<HookRunner> {
    const { startHookRunner } = await import('./run/command/index.ts')
    if (closed) throw closedError()
    runner = startHookRunner(options)
    return runner
  }

  async function begun(): Promise<HookRunner> {
    if (closed) throw closedError()
    started ??= start()
    return started
  }

  return {
    run: async (hook, signal) => (runner ?? (await begun())).run(hook, signal),
    background: async (hook) => (runner ?? (await begun())).background(hook),
    killAll() {
      closed = true
      runner?.killAll()
    },
    async close() {
      closed = true
      await started?.catch(() => {})
      await runner?.close()
    },
  }
}

const closedError = () => new HookgateError('closed', 'the hook runner is closed')

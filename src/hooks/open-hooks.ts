import { atFirstUse } from '../at-first-use.ts'
import type { HookRunner, HookRunnerOptions } from './index.ts'

/** The hook runner, begun with the first hook. */
export function openHooks(options: HookRunnerOptions): Omit<HookRunner, 'warm'> {
  const runner = atFirstUse('the hook runner', async () => {
    const { loadHookRunner } = await import('./index.ts')
    return loadHookRunner(options)
  })
  return {
    run: async (hook, signal) => (runner.begun() ?? (await runner.begin())).run(hook, signal),
    background: async (hook) => (runner.begun() ?? (await runner.begin())).background(hook),
    killAll: () => runner.killAll(),
    close: () => runner.close(),
  }
}

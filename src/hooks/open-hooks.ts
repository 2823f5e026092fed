import { lazyResource } from '../model/lazy.ts'
import type { HookRunner, HookRunnerOptions } from './runner.ts'

/** The hook runner, started with the first hook. */
export function openHooks(options: HookRunnerOptions): Omit<HookRunner, 'warm'> {
  const runner = lazyResource('the hook runner', async () => {
    const { loadHookRunner } = await import('./runner.ts')
    return loadHookRunner(options)
  })
  return {
    run: async (hook, signal) => (runner.current() ?? (await runner.start())).run(hook, signal),
    background: async (hook) => (runner.current() ?? (await runner.start())).background(hook),
    killAll: () => runner.killAll(),
    close: () => runner.close(),
  }
}

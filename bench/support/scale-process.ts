import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Block, Loaded } from './scale-run.ts'

const file = fileURLToPath(new URL('./scale-run.ts', import.meta.url))

export interface ScaleProcess {
  readonly policies: number
  readonly loaded: Loaded
  /** The p50 of a block of events, µs. */
  readonly block: (ms: number) => Promise<number>
  readonly end: () => void
}

/** Starts a process with a gate that loads the policies of a folder. */
export async function scaleProcess(folder: string, policies: number): Promise<ScaleProcess> {
  const run = fork(file, [folder, `${policies}`])
  const ended = once(run, 'exit').then((): never => {
    throw new Error(`the process with ${policies} policies has ended`)
  })
  const message = async (): Promise<unknown> => {
    const [value] = (await Promise.race([once(run, 'message'), ended])) as unknown[]
    return value
  }
  return {
    policies,
    loaded: (await message()) as Loaded,
    async block(ms) {
      run.send(ms)
      return ((await message()) as Block).p50
    },
    end() {
      if (run.connected) run.disconnect()
    },
  }
}

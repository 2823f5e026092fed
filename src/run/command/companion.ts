/**
 * The small process that starts hooks for a large one: a fork copies its parent's page tables, which takes a gigabyte's
 * process 60 ms. It does on its one thread what `worker.ts` does on a thread of the gate: another hop to a pool of its
 * own would cost more than it brings (measured: a fifth of a start for one hook, nothing gained for eight).
 */
import { killGroup } from './kill-group.ts'
import type { RunningHook } from './placement.ts'
import type { Reply, Request } from './protocol.ts'
import { Reaper } from './reaper.ts'
import { startHook } from './spawn.ts'

const running = new Map<number, RunningHook>()
const pids = new Map<number, number>()
const reaper = new Reaper()

process.on('message', (request: Request) => {
  switch (request.kind) {
    case 'run':
      void run(request)
      return
    case 'cancel':
      running.get(request.id)?.cancel()
      return
  }
})

// The gate is gone, closed or killed: this process was there for nobody else.
process.on('disconnect', () => {
  for (const pid of pids.values()) killGroup(pid)
  process.exit()
})

async function run({ id, hook }: Request & { kind: 'run' }): Promise<void> {
  const unwatch = reaper.watch(() => pids.get(id))
  const started = startHook(hook, (pid) => {
    pids.set(id, pid)
    tell({ kind: 'started', id, pid })
  })
  running.set(id, started)
  const exit = await started.exit
  running.delete(id)
  pids.delete(id)
  unwatch()
  tell({ kind: 'ended', id, exit })
}

function tell(reply: Reply): void {
  // An error here means that the gate is gone, and `disconnect` says that too.
  process.send?.(reply, undefined, undefined, () => {})
}

/**
 * The small process that starts hooks for a large one: a fork copies its parent's page tables, which takes a gigabyte's
 * process 60 ms. It does on its one thread what `worker.ts` does on a thread of the gate: another hop to a pool of its
 * own would cost more than it brings (measured: a fifth of a start for one hook, nothing gained for eight).
 */
import { killGroup, Reaper } from './reaper.ts'
import type { CompanionReply, CompanionRequest } from './companion-placement.ts'
import { startHook, type RunningHook } from './spawn.ts'

const running = new Map<number, RunningHook>()
const pids = new Map<number, number>()
/** Background hooks: they go on without the gate, each to its own end or timeout. */
const lingering = new Set<number>()
const reaper = new Reaper()

process.on('message', (request: CompanionRequest) => {
  switch (request.kind) {
    case 'run':
      void run(request)
      return
    case 'cancel':
      running.get(request.id)?.cancel()
      return
    case 'close':
      end()
      return
  }
})

// The gate is gone: only background hooks keep this process alive.
process.on('disconnect', leave)

// Ended from outside: hooks that the gate does not know of yet would otherwise be left running.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end)

function end(): void {
  lingering.clear()
  leave()
}

function leave(): void {
  for (const [id, pid] of pids) if (!lingering.has(id)) killGroup(pid)
  if (lingering.size === 0) process.exit()
}

async function run({ id, hook, lingers }: CompanionRequest & { kind: 'run' }): Promise<void> {
  if (lingers) lingering.add(id)
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
  lingering.delete(id)
  tell({ kind: 'ended', id, exit })
  if (!process.connected) leave()
}

function tell(reply: CompanionReply): void {
  // An error here means that the gate is gone, and `disconnect` says that too.
  process.send?.(reply, undefined, undefined, () => {})
}

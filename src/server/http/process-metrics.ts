import { readdirSync } from 'node:fs'
import { Gauge, Counter, type Registry } from 'prom-client'

/**
 * Adds the standard Prometheus process metrics, read on each scrape. The library's own collector is not used: it
 * monitors the event loop with a timer that never stops, and an idle gate must cost no CPU.
 */
export function addProcessMetrics(registry: Registry): void {
  const registers = [registry]
  const startedAtS = Math.round(Date.now() / 1000 - process.uptime())
  const gauges: readonly (readonly [name: string, help: string, read: () => number | undefined])[] = [
    ['process_start_time_seconds', 'When the process started, in seconds since the epoch.', () => startedAtS],
    [
      'process_resident_memory_bytes',
      'Memory of the process, without its child processes.',
      () => process.memoryUsage.rss(),
    ],
    ['nodejs_heap_size_used_bytes', "Memory of JavaScript's objects.", () => process.memoryUsage().heapUsed],
    ['process_open_fds', 'Open file descriptors.', openDescriptors],
  ]
  for (const [name, help, read] of gauges) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read()
        if (value !== undefined) gauge.set(value)
      },
    })
  }
  let countedS = 0
  const cpu: Counter = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process, user and system.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      const nowS = (user + system) / 1e6
      cpu.inc(nowS - countedS)
      countedS = nowS
    },
  })
}

function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}

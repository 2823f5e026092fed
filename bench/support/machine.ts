import { availableParallelism, cpus, loadavg } from 'node:os'

/** A higher load means that other work runs on the machine. */
const quietLoad = 0.5

/** Describes the machine, and whether its load makes the figures unreliable. */
export function machine(loadBefore: number): string {
  const { model = 'unknown processor' } = cpus()[0] ?? {}
  const load = `load average ${loadBefore.toFixed(2)} before, ${loadNow().toFixed(2)} after`
  const trust = loadBefore > quietLoad ? '; the machine was NOT quiet: only the ratios mean something' : ''
  return `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${model.trim()}; ${load}${trust}.`
}

export const loadNow = () => loadavg()[0] ?? Number.NaN

import { availableParallelism, cpus, loadavg } from 'node:os'

/** More than this is somebody else's work on the machine. */
const quietLoad = 0.5

/** What it was measured on, and whether the figures are to be believed. */
export function machine(loadBefore: number): string {
  const { model = 'unknown processor' } = cpus()[0] ?? {}
  const load = `load average ${loadBefore.toFixed(2)} before, ${loadNow().toFixed(2)} after`
  const trust = loadBefore > quietLoad ? '; the machine was NOT quiet: only the ratios mean something' : ''
  return `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${model.trim()}; ${load}${trust}.`
}

export const loadNow = () => loadavg()[0] ?? Number.NaN

import type { ReplayProgress } from '../../../review/replay/report.ts'

/** The place in which a progress bar is drawn. */
interface ProgressTerminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Redrawing more often than this cannot be read. */
const redrawMs = 200

/** Draws a bar, on nothing but a terminal, until the returned function is called. */
export function showProgress(progress: () => ReplayProgress, terminal: ProgressTerminal): () => void {
  if (terminal.isTTY !== true) return () => {}
  const startedAtMs = performance.now()
  const draw = () => {
    const seconds = (performance.now() - startedAtMs) / 1000
    const line = progressLine(progress(), seconds)
    terminal.write(`\r\u001b[K${line.slice(0, Math.max(0, (terminal.columns ?? 80) - 1))}`)
  }
  const timer = setInterval(draw, redrawMs)
  return () => {
    clearInterval(timer)
    terminal.write('\r\u001b[K')
  }
}

/** Formats calls, rate and the time that is left, as far as it can be known. */
export function progressLine({ calls, bytes, bytesTotal }: ReplayProgress, seconds: number): string {
  const rate = seconds > 0 ? Math.round(calls / seconds) : 0
  const counts = `${calls.toLocaleString('en')} calls, ${rate.toLocaleString('en')} a second`
  if (bytesTotal === 0) return counts
  const part = Math.min(1, bytes / bytesTotal)
  const full = Math.round(part * barWidth)
  const bar = `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}] ${Math.floor(part * 100)} %`
  if (part < leastPart) return `${bar}, ${counts}`
  return `${bar}, ${counts}, ${durationText((seconds * (1 - part)) / part)} left`
}
const barWidth = 24
/** The share of the work below which the remaining time cannot be estimated. */
const leastPart = 0.01

function durationText(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  return whole < 3600 ? `${Math.ceil(whole / 60)} min` : `${(whole / 3600).toFixed(1)} h`
}

import type { JSX } from 'preact'

export function HistoryView(): JSX.Element {
  return <h1>History</h1>
}

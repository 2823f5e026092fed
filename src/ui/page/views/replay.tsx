import type { JSX } from 'preact'

export function ReplayView(): JSX.Element {
  return <h1>Replay</h1>
}

import type { JSX } from 'preact'

export function AgentsView(): JSX.Element {
  return <h1>Agents</h1>
}

import type { JSX } from 'preact'

export function RulesView(): JSX.Element {
  return <h1>Rules</h1>
}

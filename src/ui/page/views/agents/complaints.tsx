import type { JSX } from 'preact'
import { Text } from '../../parts/text.tsx'

/** What is wrong, each with its remedy. */
export function Complaints({ texts }: { readonly texts: readonly string[] }): JSX.Element | null {
  if (texts.length === 0) return null
  return (
    <ul class="complaints">
      {[...new Set(texts)].map((text) => (
        <li key={text}>
          <Text text={text} />
        </li>
      ))}
    </ul>
  )
}

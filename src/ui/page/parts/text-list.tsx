import type { JSX } from 'preact'
import { Coded } from './coded.tsx'

/** Lists sentences, each once: what is wrong, or what there is to know. */
export function TextList({
  kind,
  texts,
}: {
  readonly kind: string
  readonly texts: readonly string[]
}): JSX.Element | null {
  if (texts.length === 0) return null
  return (
    <ul class={kind}>
      {[...new Set(texts)].map((text) => (
        <li key={text}>
          <Coded text={text} />
        </li>
      ))}
    </ul>
  )
}

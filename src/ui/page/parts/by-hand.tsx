import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Text } from './text.tsx'

/** Names the command that does the same. */
export function ByHand({ line }: { readonly line: string }): JSX.Element {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(line).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <p class="by-hand row">
      <span class="faint">The same by hand:</span>
      <code>
        <Text text={line} />
      </code>
      <button type="button" onClick={() => void copy()}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </p>
  )
}

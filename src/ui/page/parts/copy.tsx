import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Text } from './text.tsx'

/** A button that copies a text. @param what what the text is, for those who only hear the button */
function CopyButton({ text, what }: { readonly text: string; readonly what: string }): JSX.Element {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), shownMs)
    return () => clearTimeout(timer)
  }, [state])
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('refused')
    }
  }
  return (
    <button type="button" class="copy" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      <span role="status">{labels[state]}</span>
    </button>
  )
}

const labels = { idle: 'Copy', copied: 'Copied', refused: 'Not possible here' }
const shownMs = 2000

/**
 * Shows a command line to type, or a setting to write, and copies it.
 *
 * @param does what it does, if that is to be said beside it
 */
export function CommandLine({
  line,
  does,
  what = 'the command',
}: {
  readonly line: string
  readonly does?: string
  readonly what?: string
}): JSX.Element {
  return (
    <div class="command-line">
      <Text text={line} />
      {does !== undefined && <span class="faint does">{does}</span>}
      <CopyButton text={line} what={what} />
    </div>
  )
}

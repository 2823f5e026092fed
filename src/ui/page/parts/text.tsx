import type { JSX } from 'preact'
import { shownText } from './text-parts.ts'

/**
 * Shows a text that anybody may have written: a command, a path, a reason. Characters that are invisible or change the
 * direction of others are shown as their codes, so that nothing looks like what it is not.
 */
export function Text({
  text,
  charactersMax = 20_000,
}: {
  readonly text: string
  readonly charactersMax?: number
}): JSX.Element {
  const { parts, left } = shownText(text, charactersMax)
  return (
    <bdi class="text">
      {parts.map(({ text: part, isCode }, index) =>
        isCode ? (
          <span key={index} class="control">
            {part}
          </span>
        ) : (
          part
        ),
      )}
      {left > 0 && <span class="control">… {left} more characters</span>}
    </bdi>
  )
}

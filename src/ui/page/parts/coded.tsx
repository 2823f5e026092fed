import type { JSX } from 'preact'
import { Text } from './text.tsx'

/** Shows a sentence whose commands and names stand between backticks, with these set as code. */
export function Coded({
  text,
  charactersMax = 2000,
}: {
  readonly text: string
  readonly charactersMax?: number
}): JSX.Element {
  const shown = text.slice(0, charactersMax)
  const left = text.length - shown.length
  return (
    <bdi class="sentence">
      {shown.split(/`([^`\n]+)`/).map((part, index) =>
        index % 2 === 1 ? (
          <code key={index}>
            <Text text={part} />
          </code>
        ) : (
          part !== '' && <Text key={index} text={part} />
        ),
      )}
      {left > 0 && <span class="control">… {left} more characters</span>}
    </bdi>
  )
}

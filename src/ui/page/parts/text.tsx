import type { JSX } from 'preact'

/**
 * Shows a text that anybody may have written: a command, a path, a reason. Characters that are invisible or change the
 * direction of others are shown as their code, so that nothing looks like what it is not.
 */
export function Text({
  text,
  charactersMax = 20_000,
}: {
  readonly text: string
  readonly charactersMax?: number
}): JSX.Element {
  const cut = text.length > charactersMax
  return (
    <bdi class="text">
      {partsOf(cut ? text.slice(0, charactersMax) : text).map(({ text: part, code }, index) =>
        code === undefined ? (
          part
        ) : (
          <span key={index} class="control" title={`the character ${code}`}>
            {code}
          </span>
        ),
      )}
      {cut && <span class="control">… {text.length - charactersMax} more characters</span>}
    </bdi>
  )
}

interface TextPart {
  readonly text: string
  /** Set for a character that is shown as its code. */
  readonly code?: string
}

/** Splits a text at the characters that are not shown as they are. Newline and tab are. */
export function partsOf(text: string): readonly TextPart[] {
  return text
    .split(/([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}])/u)
    .filter((part) => part !== '')
    .map((part) => (isHidden(part) ? { text: part, code: codeOf(part) } : { text: part }))
}

const isHidden = (part: string) =>
  /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]$/u.test(part) && part !== '\n' && part !== '\t'

const codeOf = (character: string) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

import type { JSX } from 'preact'
import { linkTo } from '../location.ts'
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

/** Returns a rule's id without its source, as people know it: `git-safety/force-push`. */
export const shortRule = (id: string): string => /^[\w-]+:[^#/]*[#/](.+)$/s.exec(id)?.[1] ?? id

/** Leads to a rule. */
export const RuleLink = ({ id }: { readonly id: string }): JSX.Element => (
  <a href={linkTo('rules', { params: { rule: id } })}>
    <Text text={shortRule(id)} charactersMax={200} />
  </a>
)

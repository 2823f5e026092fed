import type { JSX } from 'preact'
import { linkTo } from '../location.ts'
import { Text } from './text.tsx'

/** Returns a rule's id without its source, as people know it: `git-safety/force-push`. */
export const shortRule = (id: string): string => /^[\w-]+:[^#/]*[#/](.+)$/s.exec(id)?.[1] ?? id

/** Leads to a rule. */
export const RuleLink = ({ id }: { readonly id: string }): JSX.Element => (
  <a href={linkTo('rules', { params: { rule: id } })}>
    <Text text={shortRule(id)} charactersMax={200} />
  </a>
)

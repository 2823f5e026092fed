import type { FactDeclaration } from '../model/policy.ts'

/** Formats a fact's declaration: `json package.json /scripts/test`, `gitBranch`. */
export function factText(declaration: FactDeclaration): string {
  return Object.entries(declaration)
    .map(([kind, value], index) => (value === true ? kind : `${index === 0 ? `${kind} ` : ''}${value}`))
    .join(' ')
}

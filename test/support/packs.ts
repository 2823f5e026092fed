import { policyText } from './policies.ts'

/** Builds a pack of two rules in a folder. Both have the param `limit`, one has `loud`. */
export function packFiles(folder: string): Readonly<Record<string, string>> {
  const limit = "limit: { type: 'number', default: 1, maximum: 9 }"
  return {
    [`${folder}/pack.json`]: '{ "description": "Two rules of a test" }',
    [`${folder}/README.md`]: '# a pack\n',
    [`${folder}/first.policy.ts`]: policyText(
      'first',
      `severity: 'critical', params: { ${limit} },`,
      decideText('first'),
    ),
    [`${folder}/second.policy.ts`]: policyText(
      'second',
      `severity: 'low', onFailure: 'ask', params: { ${limit}, loud: { type: 'boolean', default: false } },`,
      decideText('second'),
    ),
  }
}

const decideText = (id: string) => `return deny('${id} ' + params.limit)`

/** Builds a rules file that turns packs on. */
export const packRules = (...packs: readonly unknown[]) => ({ json: { packs } })

import { policyText } from './policies.ts'

/** A pack of two rules, in a folder. Both have the param `limit`, one has `loud`. */
export function packFiles(folder: string): Readonly<Record<string, string>> {
  const limit = "limit: { type: 'number', default: 1, maximum: 9 }"
  return {
    [`${folder}/pack.json`]: '{ "description": "Two rules of a test" }',
    [`${folder}/README.md`]: '# a pack\n',
    [`${folder}/first.policy.ts`]: policyText('first', `severity: 'critical', params: { ${limit} },`, says('first')),
    [`${folder}/second.policy.ts`]: policyText(
      'second',
      `severity: 'low', onFailure: 'ask', params: { ${limit}, loud: { type: 'boolean', default: false } },`,
      says('second'),
    ),
  }
}

const says = (id: string) => `return deny('${id} ' + params.limit)`

/** A rules file that turns packs on. */
export const packRules = (...packs: readonly unknown[]) => ({ json: { packs } })

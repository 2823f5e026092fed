import { type RulesOptions, placesFor, problemText, readRules } from '../../src/rules/index.ts'
import { join } from 'node:path'
import { testPolicies } from './sandbox.ts'
import { folderWith } from './workspace.ts'

/** Writes the source of a policy from the fields beyond `id` and `on`, as text. */
export function policyText(id: string, more = '', decide = "return deny('no')", on = "'PreToolUse'"): string {
  return [
    "import { allow, ask, context, definePolicy, deny, notice, rewrite, stop } from 'hookgate/policy'",
    'export default definePolicy({',
    `  id: '${id}',`,
    `  description: 'A policy of a test',`,
    `  on: ${on},`,
    `  decide({ tool, facts, params }) { ${decide} },`,
    `  ${more}`,
    // Whatever it says to it.
    more.includes('examples:') ? '' : "  examples: [{ name: 'any', given: {}, want: {} }],",
    '})',
    '',
  ].join('\n')
}

/** Builds a policy hook of a rules file. */
export function policyRules(policy: string, more: { matcher?: string; event?: string; [key: string]: unknown } = {}) {
  const { matcher, event = 'PreToolUse', ...hook } = more
  const group = { ...(matcher !== undefined && { matcher }), hooks: [{ type: 'policy', policy, ...hook }] }
  return { json: { hooks: { [event]: [group] } } }
}

/** Creates a workspace `work`, a home and a managed folder, and reads their rules. */
export function policyMachine(files: Parameters<typeof folderWith>[0], more: RulesOptions = {}) {
  const folder = folderWith({ 'home/x': '', 'work/.git/HEAD': '', ...files })
  const options: RulesOptions = {
    home: join(folder, 'home'),
    managedFolder: join(folder, 'managed'),
    env: {},
    cwd: folder,
    ...more,
  }
  const policies = testPolicies()
  const work = join(folder, 'work')
  const read = async (given: RulesOptions = {}, roots: readonly string[] = [work]) => {
    const rules = await readRules(placesFor({ ...options, ...given }), roots, policies)
    return {
      rules: rules.ruleSet.rules,
      ids: rules.ruleSet.rules.map(({ id }) => id),
      notes: rules.ruleSet.notes,
      problems: rules.problems.map((one) => `${one.severity}: ${problemText(one)}`.replaceAll(`${folder}/`, '')),
    }
  }
  return { folder, work, options, read }
}

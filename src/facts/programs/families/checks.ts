import { manager } from '../deeds/packages.ts'
import type { Family } from '../program.ts'

export const hooks = { kind: 'weaken', object: 'the hooks of this project', names: 'none' } as const
/** Commands by which programs no longer check a project. */
export const checks: Family = {
  area: 'checks',

  programs: {
    'pre-commit': {
      does: [
        { ...hooks, work: ['uninstall'] },
        { area: 'packages', ...manager({ runs: ['try-repo'] }, { valued: 'ref rev c config files' }) },
      ],
      looks: 'validate-config|validate-manifest|help; --version []',
    },
    prek: { does: { ...hooks, work: ['uninstall'] } },
    'lefthook husky overcommit simple-git-hooks yorkie git-hooks': {
      does: { ...hooks, work: ['uninstall', '--uninstall'] },
    },
  },
  examples: {
    'pre-commit uninstall': 'weakens the hooks of this project',
    'pre-commit install': '',
    'lefthook uninstall': 'weakens the hooks of this project',
    'npm uninstall husky': 'weakens the hooks of this project; deletes package `husky`',
    'npm uninstall left-pad': 'deletes package `left-pad`',
    'npm pkg set scripts.test="exit 0"': 'weakens the checks of this project',
    'npm pkg set scripts.test="vitest run"': '',
    'uv tool uninstall pre-commit': 'weakens the hooks of this project; deletes package `pre-commit`',
  },
}

import type { Deeds } from '../deeds/deeds.ts'
import { manager } from './packages-deeds.ts'
import { removal } from './programs.ts'
import { pipLooks } from './packages-looks.ts'
import type { Family } from '../program.ts'
import { written } from '../deeds/written.ts'

export const hooks = { kind: 'weaken', object: 'the hooks of this project', names: 'none' } as const
export const managers = /\b(?:husky|lefthook|pre-commit|simple-git-hooks|lint-staged)\b/

/** Scripts of a package that are checks, as `npm pkg` names them. */
export const deletedCheck =
  /^pkg delete .*(?:\bscripts\.(?:prepare|pre\w+|test|lint|typecheck|check)\b|\b(?:husky|lint-staged|simple-git-hooks)\b)/
export const emptiedCheck =
  /^pkg set scripts\.(?:prepare|pre\w+|test|lint|type-?check|check)[\w:-]*=(?:true|exit 0|:|echo\b[^&;|]*)?$/

export const npmChecks: Deeds = {
  also: [
    { ...hooks, work: ['uninstall|remove|rm|un|r *'], when: written(managers) },
    {
      kind: 'weaken',
      object: 'the checks of this project',
      names: 'none',
      work: ['pkg delete|set'],
      when: (call, line, shell) => written(deletedCheck)(call, line, shell) || written(emptiedCheck)(call, line, shell),
    },
  ],
}

export const pipChecks: Deeds = {
  ...hooks,
  work: [''],
  when: written(/\b(?:uninstall|remove) .*\bpre-commit\b/),
}

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

    pip3: {
      does: [
        pipChecks,
        {
          area: 'packages',
          ...manager({
            installs: ['install|download|wheel'],
            configures: ['config set|edit'],
          }),
        },
        { area: 'programs', ...removal },
      ],
      looks: pipLooks,
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

import type { Deeds } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'

export const bzrVersionControl: Deeds = {
  says: {
    'clean-tree': { kind: 'delete', object: 'all untracked files', names: 'none' },
    uncommit: { kind: 'delete', object: 'the last commit', names: 'none' },
    revert: { kind: 'delete', object: 'uncommitted changes to' },
    push: { kind: 'overwrite', object: 'commits of the other repository', names: 'none' },
  },
  never: ['clean-tree --force', 'uncommit --force'],
  work: ['revert', 'clean-tree', 'push --overwrite'],
}

const programs: Family['programs'] = {
  svnadmin: {
    does: {
      says: {
        rmtxns: { kind: 'delete', object: 'unfinished transactions', names: 'none' },
        rmlocks: { kind: 'delete', object: 'locks', names: 'none' },
        '*': { kind: 'change', object: 'the repository', names: 'first' },
      },
      never: ['rmtxns', 'rmlocks'],
      work: ['setrevprop', 'recover'],
    },
  },

  brz: { does: bzrVersionControl },
  p4: {
    does: {
      says: {
        obliterate: { kind: 'delete', object: 'every version of' },
        'client|workspace': { kind: 'delete', object: 'workspace', names: 'last' },
        clean: { kind: 'delete', object: 'local changes to', names: 'first', trial: '-n' },
        revert: { kind: 'delete', object: 'uncommitted changes to' },
        delete: { kind: 'delete', object: 'file' },
        shelve: { kind: 'delete', object: 'shelved changes', names: 'none' },
      },
      valued: 'c C d H p P u x i',
      flags: 'n',
      never: ['obliterate -y', 'client|workspace --d|-d --f|-f', 'clean'],
      work: ['revert', 'delete', 'obliterate', 'shelve -d'],
      harmless: ['revert -n|-a', 'clean -n'],
    },
  },
  cvs: {
    does: {
      says: {
        update: { kind: 'delete', object: 'uncommitted changes', names: 'none' },
        remove: { kind: 'delete', object: 'file' },
        admin: { kind: 'delete', object: 'commits of' },
      },
      valued: 'd r m',
      work: ['update -C', 'remove -f', 'admin -o'],
    },
  },
  gt: {
    does: {
      says: {
        submit: { kind: 'overwrite', object: 'branches of the other repository', names: 'none' },
        delete: { kind: 'delete', object: 'branch' },
        undo: { kind: 'rollback', object: 'the last operation', names: 'none' },
      },
      work: ['submit --force|-f', 'delete --force|-f', 'undo'],
    },
  },
  repo: {
    does: {
      says: {
        forall: { kind: 'change', object: 'all repositories', names: 'none' },
        abandon: { kind: 'delete', object: 'branch', names: 'first' },
        sync: { kind: 'overwrite', object: 'local changes of all repositories', names: 'none' },
      },
      never: ['forall --force'],
      work: ['abandon', 'sync --force-sync|--detach'],
    },
  },
}

export const versionControl: Family = {
  area: 'version-control',

  programs,
  examples: {
    'hg purge --all': 'deletes all untracked files, for good',
    'hg update -C .': 'deletes all uncommitted changes, for good',
    'hg strip --no-backup tip': 'deletes commits, for good',
    'hg revert --all --no-backup': 'deletes uncommitted changes',
    'hg status': '',
    'svn revert -R .': 'deletes uncommitted changes, for good',
    'svn cleanup --remove-unversioned': 'deletes all unversioned files, for good',
    'jj op abandon ..@-': 'deletes the record of operations, for good',
    'jj git push --all --deleted': 'deletes all branches of the other repository, for good',
    'fossil clean --force': 'deletes all untracked files, for good',
    'bzr clean-tree --force': 'deletes all untracked files, for good',
    'p4 obliterate -y //depot/...': 'deletes every version of `//depot/...`, for good',
    'p4 revert //...': 'deletes uncommitted changes to `//...`',
    'sl clean': 'deletes all untracked files, for good',
    'gt submit --force': 'overwrites branches of the other repository',
    'repo abandon topic': 'deletes a branch',
    'cvs update -C': 'deletes uncommitted changes',
  },
}

import type { Family } from '../program.ts'

const programs: Family['programs'] = {
  hg: {
    does: {
      says: {
        'strip|debugstrip': { kind: 'delete', object: 'commits', names: 'none' },
        'update|up|checkout|co': { kind: 'delete', object: 'all uncommitted changes', names: 'none' },
        'purge|clean': { kind: 'delete', object: 'all untracked files', names: 'none', trial: '--print' },
        shelve: { kind: 'delete', object: 'shelved changes', names: 'none' },
        revert: { kind: 'delete', object: 'uncommitted changes to' },
        push: { kind: 'overwrite', object: 'commits of the other repository', names: 'none' },
        rollback: { kind: 'rollback', object: 'the last transaction', names: 'none' },
        prune: { kind: 'delete', object: 'commits', names: 'none' },
        histedit: { kind: 'overwrite', object: 'commits', names: 'none' },
        resolve: { kind: 'change', object: 'conflicts', names: 'none' },
      },
      valued: 'I X',
      never: ['strip', 'debugstrip', 'update|up|checkout|co --clean|-C', 'purge|clean', 'shelve --delete|-d|--cleanup'],
      work: ['revert', 'push --force|-f', 'rollback', 'prune', 'histedit', 'resolve --unmark'],
      harmless: ['purge|clean --print|-p', 'shelve --list|-l'],
    },
  },
  sl: {
    does: {
      says: {
        'clean|purge': { kind: 'delete', object: 'all untracked files', names: 'none', trial: '--print' },
        'goto|update|up|checkout|co': { kind: 'delete', object: 'all uncommitted changes', names: 'none' },
        shelve: { kind: 'delete', object: 'shelved changes', names: 'none' },
        revert: { kind: 'delete', object: 'uncommitted changes to' },
        hide: { kind: 'delete', object: 'commits', names: 'none' },
        push: { kind: 'overwrite', object: 'commits of the other repository', names: 'none' },
        bookmark: { kind: 'delete', object: 'bookmark', names: '-d|--delete' },
      },
      valued: 'I X',
      never: ['clean|purge', 'goto|update|up|checkout|co --clean|-C', 'shelve --delete|-d|--cleanup'],
      work: ['revert', 'hide', 'push --force|-f', 'bookmark --delete|-d'],
      harmless: ['clean|purge --print|-p'],
    },
  },
  svn: {
    does: {
      says: {
        cleanup: { kind: 'delete', object: 'all unversioned files', names: 'none' },
        revert: { kind: 'delete', object: 'uncommitted changes to' },
        propdel: { kind: 'delete', object: 'property', names: 'first' },
        switch: { kind: 'change', object: 'the working copy', names: 'none' },
      },
      valued: 'depth changelist',
      never: [
        'cleanup --remove-unversioned|--remove-ignored|--vacuum-pristines',
        'revert --recursive|-R',
        'revert --depth=infinity',
      ],
      work: ['revert', 'propdel', 'switch --force'],
    },
  },
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
  jj: {
    does: {
      says: {
        'git push': { kind: 'delete', object: 'branches of the other repository', names: 'none' },
        'op|operation abandon': { kind: 'delete', object: 'the record of operations', names: 'none' },
        util: { kind: 'delete', object: 'unused objects', names: 'none' },
        abandon: { kind: 'delete', object: 'commits', names: 'none' },
        restore: { kind: 'delete', object: 'uncommitted changes to' },
        workspace: { kind: 'delete', object: 'workspace' },
        'op|operation restore|revert': { kind: 'rollback', object: 'the repository', names: 'none' },
      },
      valued: 'at-op at-operation revision revisions from to into bookmark',
      never: ['git push --deleted', 'op|operation abandon', 'util gc'],
      work: ['abandon', 'restore', 'bookmark delete|forget', 'workspace forget', 'op|operation restore|revert'],
    },
  },
  fossil: {
    does: {
      says: {
        clean: { kind: 'delete', object: 'all untracked files', names: 'none', trial: '--dry-run' },
        'scrub|purge': { kind: 'delete', object: 'content of the repository', names: 'none' },
        stash: { kind: 'delete', object: 'stashed changes', names: 'none' },
        revert: { kind: 'delete', object: 'uncommitted changes to' },
      },
      never: ['clean --force|-f|--emptydirs|-x|--verily', 'scrub', 'purge obliterate', 'stash drop|rm'],
      work: ['clean', 'revert', 'purge'],
    },
  },
  'bzr brz': {
    does: {
      says: {
        'clean-tree': { kind: 'delete', object: 'all untracked files', names: 'none' },
        uncommit: { kind: 'delete', object: 'the last commit', names: 'none' },
        revert: { kind: 'delete', object: 'uncommitted changes to' },
        push: { kind: 'overwrite', object: 'commits of the other repository', names: 'none' },
      },
      never: ['clean-tree --force', 'uncommit --force'],
      work: ['revert', 'clean-tree', 'push --overwrite'],
    },
  },
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

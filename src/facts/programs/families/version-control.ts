import { behind } from '../../../words/options.ts'
import type { Deeds } from '../deeds/deeds.ts'
import { startOtherPatches } from '../patches.ts'
import type { Family } from '../program.ts'
import type { Row } from '../row.ts'
import { isUrl } from '../words.ts'
import { writesMessage } from './code-hosting.ts'
import { http } from './http.ts'

const workingCopyClient: Row = {
  message: writesMessage,
  options:
    'R=names repository=names cwd=names m message r rev b branch u username password config F=read file=read p strip prefix similarity', // Mercurial's aliases and hooks: `--config alias.x='!SCRIPT'`.
  starts(line, starts, command) {
    startOtherPatches(line, starts, command)
    for (const word of line.values('config')) {
      const at = /^(?:alias\.[\w-]+=!|hooks\.[\w.-]+=(?!python:)|ui\.editor=)/.exec(word.value)?.[0].length
      if (at !== undefined) starts.script(behind(word, at))
    }
  },
  effects(line, recorder) {
    const [verb, ...rest] = line.operands
    if (verb === undefined) return
    if (/^(?:clone|checkout|co|pull|push|update|fetch|incoming|outgoing|import|export|commit)$/.test(verb.value)) {
      const url = rest.find(({ value }) => isUrl(value))
      if (url !== undefined)
        recorder.network(http(/^(?:push|import|commit)$/.test(verb.value) ? 'both' : 'receive', url, 'project'))
    }
    if (/^(?:import|patch)$/.test(verb.value)) for (const word of rest) recorder.touch(word, 'read')
    if (/^(?:cat|blame|annotate)$/.test(verb.value)) for (const word of rest) recorder.touch(word, 'read')
    else if (/^(?:rm|remove|delete|del)$/.test(verb.value))
      for (const word of rest) recorder.touch(word, 'delete', { recursive: true })
    else if (/^(?:revert|restore)$/.test(verb.value))
      for (const word of rest) recorder.touch(word, 'write', { recursive: true })
  },
}

const bazaarDeeds: Deeds = {
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
  hg: {
    ...workingCopyClient,
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
    looks: {
      options: 'R repository cwd color +q +quiet +v +verbose +noninteractive',
      never: '--config|--config-file|--pager|--tool',
      lines: `
    status|st|log|history|diff|summary|sum|identify|id|parents|heads|tip|files|manifest|annotate|blame|grep|paths|root|help !-o|--output
    branch|bookmarks|bookmark|tag [] ..0
    branches|tags|version`,
    },
  },
  sl: {
    ...workingCopyClient,
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
    ...workingCopyClient,
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
    looks: {
      never: '--config-option|--config-dir|--diff-cmd|--diff3-cmd|--editor-cmd|--extensions|-x',
      lines: `
    status|stat|st|log|info|diff|di|blame|praise|annotate|ls|list|cat|help
    proplist|plist|propget|pget`,
    },
  },
  jj: {
    ...workingCopyClient,
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
    looks: {
      options: 'R repository at-operation at-op color +no-pager +quiet +ignore-working-copy',
      never: '--config|--config-toml|--config-file|--tool',
      lines: `
    status|st|log|diff|show|evolog|interdiff|version|help|root
    file list|show|annotate
    op|operation log|show|diff
    bookmark|b|tag|workspace list`,
    },
  },
  fossil: {
    ...workingCopyClient,
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
  bzr: { ...workingCopyClient, does: { ...bazaarDeeds } },
  stg: workingCopyClient,
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

  brz: { does: bazaarDeeds },
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

/** Version control systems other than git. */
export const versionControl: Family = {
  area: 'version-control',

  programs,
  examples: {
    'hg purge --all': 'deletes all untracked files, for good',
    'hg update -C .': 'deletes all uncommitted changes, for good',
    'hg strip --no-backup tip': 'deletes commits, for good',
    'hg revert --all --no-backup': 'deletes all uncommitted changes',
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
    'repo abandon topic': 'deletes branch `topic`',
    'cvs update -C': 'deletes uncommitted changes',
  },
}

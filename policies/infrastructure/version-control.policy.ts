import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { type CliTable, judge, params } from './cli/judge.ts'

const table: CliTable = {
  hg: {
    valued: 'R cwd r rev m I X',
    deny: ['strip', 'debugstrip', 'update|up|checkout|co --clean|-C', 'purge|clean', 'shelve --delete|-d|--cleanup'],
    ask: ['revert', 'push --force|-f', 'rollback', 'prune', 'histedit', 'resolve --unmark'],
    harmless: ['purge|clean --print|-p', 'shelve --list|-l'],
  },
  sl: {
    valued: 'R cwd r rev m I X',
    deny: ['clean|purge', 'goto|update|up|checkout|co --clean|-C', 'shelve --delete|-d|--cleanup'],
    ask: ['revert', 'hide', 'push --force|-f', 'bookmark --delete|-d'],
    harmless: ['clean|purge --print|-p'],
  },
  svn: {
    valued: 'm F r depth changelist',
    deny: [
      'cleanup --remove-unversioned|--remove-ignored|--vacuum-pristines',
      'revert --recursive|-R',
      'revert --depth=infinity',
    ],
    ask: ['revert', 'propdel', 'switch --force'],
  },
  svnadmin: { deny: ['rmtxns', 'rmlocks'], ask: ['setrevprop', 'recover'] },
  jj: {
    valued: 'R repository at-op at-operation r revision revisions from to into b bookmark m',
    deny: ['git push --deleted', 'op|operation abandon', 'util gc'],
    ask: ['abandon', 'restore', 'bookmark delete|forget', 'workspace forget', 'op|operation restore|revert'],
  },
  fossil: {
    valued: 'R m',
    deny: ['clean --force|-f|--emptydirs|-x|--verily', 'scrub', 'purge obliterate', 'stash drop|rm'],
    ask: ['clean', 'revert', 'purge'],
  },
  bzr: { deny: ['clean-tree --force', 'uncommit --force'], ask: ['revert', 'clean-tree', 'push --overwrite'] },
  brz: { deny: ['clean-tree --force', 'uncommit --force'], ask: ['revert', 'clean-tree', 'push --overwrite'] },
  p4: {
    valued: 'c C d H p P u x i',
    flags: 'n',
    deny: ['obliterate -y', 'client|workspace --d|-d --f|-f', 'clean'],
    ask: ['revert', 'delete', 'obliterate', 'shelve -d'],
    harmless: ['revert -n|-a', 'clean -n'],
  },
  cvs: { valued: 'd r m', ask: ['update -C', 'remove -f', 'admin -o'] },
  gt: { ask: ['submit --force|-f', 'delete --force|-f', 'undo'] },
  repo: { deny: ['forall --force'], ask: ['abandon', 'sync --force-sync|--detach'] },
}

export default definePolicy({
  id: 'version-control',
  severity: 'high',
  description:
    'Keeps changes from being discarded by Mercurial, Subversion, Jujutsu, Perforce and other version control systems',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: Object.keys(table) },
  params,
  decide: ({ shell, params: given }) =>
    judge(shell, table, given, {
      harm: 'discards changes that may exist nowhere else',
      instead: 'look at them first (`status`, `diff`), shelve or commit them, or have the person run it',
    }),
  examples: [
    denies('hg purge --all'),
    denies('hg update -C .'),
    denies('hg strip --no-backup tip'),
    asks('hg revert --all --no-backup'),
    abstains('hg update default'),
    abstains('hg purge --print'),
    abstains('hg commit -m "purge the cache"'),
    denies('svn revert -R .'),
    denies('svn cleanup --remove-unversioned'),
    asks('svn revert a.c'),
    abstains('svn cleanup'),
    abstains('svn update'),
    denies('jj op abandon ..@-'),
    denies('jj git push --all --deleted'),
    asks("jj abandon 'all()'"),
    abstains('jj git push'),
    abstains('jj new'),
    denies('fossil clean --force'),
    abstains('fossil status'),
    denies('bzr clean-tree --force'),
    denies('p4 obliterate -y //depot/...'),
    asks('p4 revert //...'),
    abstains('p4 revert -a'),
    abstains('p4 sync'),
    denies('sl clean'),
    abstains('sl status'),
    asks('gt submit --force'),
    allowed('hg purge', 'hg purge'),
    answered('hg purge', 'ask'),
  ],
})

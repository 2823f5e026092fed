import type { Family } from '../deeds.ts'

const programs: Family['programs'] = {
  hg: {
    valued: 'R cwd r rev m I X',
    never: ['strip', 'debugstrip', 'update|up|checkout|co --clean|-C', 'purge|clean', 'shelve --delete|-d|--cleanup'],
    work: ['revert', 'push --force|-f', 'rollback', 'prune', 'histedit', 'resolve --unmark'],
    harmless: ['purge|clean --print|-p', 'shelve --list|-l'],
  },
  sl: {
    valued: 'R cwd r rev m I X',
    never: ['clean|purge', 'goto|update|up|checkout|co --clean|-C', 'shelve --delete|-d|--cleanup'],
    work: ['revert', 'hide', 'push --force|-f', 'bookmark --delete|-d'],
    harmless: ['clean|purge --print|-p'],
  },
  svn: {
    valued: 'm F r depth changelist',
    never: [
      'cleanup --remove-unversioned|--remove-ignored|--vacuum-pristines',
      'revert --recursive|-R',
      'revert --depth=infinity',
    ],
    work: ['revert', 'propdel', 'switch --force'],
  },
  svnadmin: { never: ['rmtxns', 'rmlocks'], work: ['setrevprop', 'recover'] },
  jj: {
    valued: 'R repository at-op at-operation r revision revisions from to into b bookmark m',
    never: ['git push --deleted', 'op|operation abandon', 'util gc'],
    work: ['abandon', 'restore', 'bookmark delete|forget', 'workspace forget', 'op|operation restore|revert'],
  },
  fossil: {
    valued: 'R m',
    never: ['clean --force|-f|--emptydirs|-x|--verily', 'scrub', 'purge obliterate', 'stash drop|rm'],
    work: ['clean', 'revert', 'purge'],
  },
  bzr: { never: ['clean-tree --force', 'uncommit --force'], work: ['revert', 'clean-tree', 'push --overwrite'] },
  brz: { never: ['clean-tree --force', 'uncommit --force'], work: ['revert', 'clean-tree', 'push --overwrite'] },
  p4: {
    valued: 'c C d H p P u x i',
    flags: 'n',
    never: ['obliterate -y', 'client|workspace --d|-d --f|-f', 'clean'],
    work: ['revert', 'delete', 'obliterate', 'shelve -d'],
    harmless: ['revert -n|-a', 'clean -n'],
  },
  cvs: { valued: 'd r m', work: ['update -C', 'remove -f', 'admin -o'] },
  gt: { work: ['submit --force|-f', 'delete --force|-f', 'undo'] },
  repo: { never: ['forall --force'], work: ['abandon', 'sync --force-sync|--detach'] },
}

export const versionControl: Family = { area: 'version-control', thing: 'repository', programs }

import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'version-control',
  severity: 'high',
  description:
    'Keeps changes from being discarded by Mercurial, Subversion, Jujutsu, Perforce and other version control systems',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['version-control'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'version-control', given),
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

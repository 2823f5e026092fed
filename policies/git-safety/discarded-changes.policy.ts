import { abstains, answerTo, asks, definePolicy, denies, type Impact, strictest } from 'hookgate/policy'
import { ofGit } from './impacts.ts'

/** True for cleaning that leaves folders, ignored files and other repositories. */
const isShallowClean = ({ extent }: Impact) => extent === 'unknown'

export default definePolicy({
  id: 'discarded-changes',
  severity: 'high',
  description: 'Refuses to discard changes that are in no commit',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['git'] },
  params: {
    allowAborts: {
      type: 'boolean',
      default: false,
      description: 'whether a merge or rebase may be given up, with the conflicts resolved so far',
    },
    allowNamedFiles: {
      type: 'boolean',
      default: false,
      description: 'whether changes may be discarded to files that the command names one by one',
    },
  },
  decide({ impacts, params }) {
    const discarded = ofGit(impacts).filter(
      ({ kind, thing, extent }) =>
        thing === 'data' &&
        !(params.allowNamedFiles && (extent === 'one' || extent === 'some')) &&
        !(params.allowAborts && kind === 'rollback'),
    )
    return strictest(
      discarded.map((one) => answerTo(one, params.allowNamedFiles && isShallowClean(one) ? 'ask' : undefined)),
    )
  },
  examples: [
    denies('a hard reset', 'git reset --hard HEAD~1'),
    abstains('a reset', 'git reset HEAD a.txt'),
    denies('one cut short', 'git reset --ha'),
    abstains('a soft one', 'git reset --so HEAD~1'),
    denies('checking files out', 'git checkout -- src'),
    abstains('checking a branch out', 'git checkout main --'),
    denies('everything', 'git checkout .'),
    abstains('a new branch', 'git checkout -qb topic origin/main'),
    denies('files of a commit', 'git checkout main a.txt'),
    asks('what may be a file', 'git checkout a.txt'),
    abstains('a branch', 'git checkout feature/a'),
    denies('by force', 'git checkout -f main'),
    denies('a switch by force', 'git switch --discard-changes main'),
    abstains('a switch', 'git switch -c topic'),
    denies('restoring', 'git restore a.txt'),
    abstains('unstaging', 'git restore --staged a.txt'),
    denies('both', 'git restore -SW a.txt'),
    denies('cleaning', 'git clean -xdf'),
    abstains('looking what would be', 'git clean -xdfn'),
    abstains('one file, where that is allowed', 'git restore src/a.ts', { params: { allowNamedFiles: true } }),
    abstains('one behind dashes', 'git checkout -- src/a.ts', { params: { allowNamedFiles: true } }),
    abstains('one of a commit', 'git checkout main a.txt', { params: { allowNamedFiles: true } }),
    abstains('what may be one', 'git checkout a.txt', { params: { allowNamedFiles: true } }),
    abstains('one without a suffix', 'git checkout -- Makefile', { params: { allowNamedFiles: true } }),
    denies('a folder', 'git checkout -- src', { params: { allowNamedFiles: true } }),
    denies('a pattern', "git restore 'src/*.ts'", { params: { allowNamedFiles: true } }),
    denies('more than a few', 'git restore a.ts b.ts c.ts d.ts', { params: { allowNamedFiles: true } }),
    denies('a name that is not known', 'git restore "$F.ts"', { params: { allowNamedFiles: true } }),
    denies('by force, where files are allowed', 'git checkout -f a.txt', { params: { allowNamedFiles: true } }),
    denies('cleaning a folder', 'git clean -f'),
    asks('cleaning a folder, where files are allowed', 'git clean -f', { params: { allowNamedFiles: true } }),
    denies('cleaning folders, where files are allowed', 'git clean -fd', { params: { allowNamedFiles: true } }),
    asks('giving a merge up', 'git merge --abort'),
    abstains('giving one up, where that is allowed', 'git rebase --abort', { params: { allowAborts: true } }),
    denies('more than that', 'git reset --merge', { params: { allowAborts: true } }),
    abstains('going on', 'git rebase --continue'),
    abstains(
      'in a clone that was just made',
      'git clone https://a.example/b /tmp/b && git -C /tmp/b reset --hard HEAD~1',
    ),
    abstains('help', 'git reset --hard --help'),
    abstains('in a search', "grep -rn 'git reset --hard' ."),
  ],
})

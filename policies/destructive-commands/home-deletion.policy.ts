import { abstains, ask, asks, definePolicy, denies, deny, isWithin, quoted, type ShellFacts } from 'hookgate/policy'
import { caches } from './caches.ts'
import { type Deletion, deletionsIn, finderOf, temporaryFolders } from './deletions.ts'
import { namesMatcher } from './globs.ts'
import { isRegenerable, regenerable } from './regenerable.ts'

/** Folders of a program's own, below its hidden folder in the home: what it keeps of its runs. */
const ownState =
  /^\.(?!ssh\/|gnupg\/|aws\/|kube\/|config\/|local\/|mozilla\/|claude\/projects|codex\/sessions)[\w.-]+\/(?:[\w.-]+\/)*(?:sessions?|logs?|tmp|temp|locks?|run|runs|cache|pids?)(?:\/|$)/

/** True for files of a program's runs that a search picks by their age. */
function isOldState({ command, path }: Deletion, shell: ShellFacts): boolean {
  return finderOf(command, path, shell)?.search?.onlyOld === true && ownState.test(path.inHome ?? '')
}

/** True for files that a search of the whole home directory names: `find ~ -name '*.mp4' | xargs rm`. */
const isSoughtAtHome = ({ command, path }: Deletion, shell: ShellFacts): boolean =>
  path.inHome === '' && path.from !== undefined && finderOf(command, path, shell) !== undefined

/** True for a folder of a person's, by no name of a program, in the home that the session is in: they may have it deleted. */
const isOwnWork = ({ path: { absolute = '', inHome = '' } }: Deletion, roots: readonly string[]): boolean =>
  inHome !== '' && !inHome.startsWith('.') && roots.includes(absolute.slice(0, -inHome.length - 1))

/** True where a container or continuous integration will run it. */
const isOfBuild = ({ command: { later } }: Deletion): boolean => later?.place === 'container' || later?.place === 'ci'

export default definePolicy({
  id: 'home-deletion',
  severity: 'critical',
  terminalOnly: true,
  description: 'Refuses to delete any home directory and the folders in it; asks about deeper ones',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['machine', 'recipe', 'ci', 'container', 'prompt'],
  interest: { access: ['delete'] },
  params: {
    temporaryFolders,
    homeFolders: {
      type: 'strings',
      default: caches,
      description: 'folders of the home directory that may be deleted, relative to it',
    },
  },
  decide({ event, shell, params }) {
    const isAllowed = (inHome = '') => params.homeFolders.some((one) => isWithin(inHome, one))
    // Where somebody works in the home itself, builds are there too. Its hidden folders are programs'.
    const isBuilt = namesMatcher(regenerable.default)
    const deletions = deletionsIn(shell, event, params.temporaryFolders).filter(
      (one) =>
        (one.recursive || one.every || isSoughtAtHome(one, shell)) &&
        !isAllowed(one.path.inHome) &&
        !(one.workedIn && !one.path.inHome?.startsWith('.') && isRegenerable(one, isBuilt)) &&
        !isOldState(one, shell),
    )
    const home = deletions.find(
      (one) =>
        (one.recursive || one.every) &&
        (one.place === 'home' || one.place === 'own') &&
        one.certain &&
        !one.handed &&
        !isOwnWork(one, event.workspaceRoots),
    )
    if (home !== undefined) {
      const { absolute = '', inHome } = home.path
      const what = inHome === '' ? `the home directory ${quoted(absolute)}` : home.named
      const below = inHome === '' ? '' : ', from a home directory'
      const extent = home.recursive ? `with everything in it${below}` : 'every file of a folder in a home directory'
      return deny(
        `\`${home.command.program}\` would delete ${what}, ${extent}: ` +
          'delete only what this task created, by its full path',
        { at: home.at },
      )
    }
    const found = deletions.find(({ place }) => place === 'home' || place === 'own' || place === 'private')
    // The home of an image and of a runner is theirs alone: its caches are deleted by every build.
    if (found === undefined || isOfBuild(found)) return undefined
    const instead = found.workedIn
      ? 'a folder of the home with everything in it: name single files'
      : 'outside the workspace: have the person do it'
    return ask(`\`${found.command.program}\` would delete ${found.named}, ${instead}`, { at: found.at })
  },
  examples: [
    denies('the home directory', 'rm -rf ~'),
    abstains('a file called like it', "rm -rf './~'"),
    asks('files that a search of it names', "find ~ -name '*.mp4' -print0 | xargs -0 rm -f"),
    abstains('files that a search of a folder names', "find ~/proj/build -name '*.mp4' | xargs rm -f"),
    denies('all in it', 'rm -rf "$HOME"/*'),
    abstains('as text', "git commit -m 'never rm -rf $HOME'"),
    denies('from within', 'cd && rm -rf .'),
    abstains('a listing from within', 'cd && ls'),
    denies("another user's", 'sudo rm -r /home/other'),
    denies('a folder in it', 'rm -rf ~/Documents'),
    denies('settings', 'rm -rf ~/.config'),
    asks('deeper', 'rm -rf ~/Downloads/old'),
    abstains('deeper, where it is allowed', 'rm -rf ~/Downloads/old', { params: { homeFolders: ['Downloads'] } }),
    abstains('what a manager fetches again', 'rm -rf ~/.npm/_cacache'),
    abstains('a part of it', 'rm -rf ~/.m2/repository/com/acme'),
    asks('and what it is set to', 'rm -rf ~/.m2'),
    asks('what a manager is set up with', 'rm -rf ~/.npm'),
    abstains('of an image', 'rm -rf ~/.npm', { later: { place: 'container' } }),
    denies('the home of an image', 'rm -rf ~/', { later: { place: 'container' } }),
    asks('all of what is fetched again', 'rm -rf ~/.cache'),
    denies('a home among temporary files', 'rm -rf ~', { home: '/tmp/agent' }),
    denies('all in a home among temporary files', 'rm -rf "$HOME"/*', { home: '/var/tmp/agent' }),
    asks('what a program lists', 'for f in $(ls ~/Downloads); do rm "$f"; done'),
    denies('what is found in a home among temporary files', 'find ~ -delete', { home: '/tmp/agent' }),
    denies('a folder in a home among temporary files', 'rm -rf ~/Documents', { home: '/tmp/agent' }),
    abstains('temporary files beside the home', 'rm -rf /tmp/build /tmp/agents', { home: '/tmp/agent' }),
    denies('a home that is the folder for temporary files', 'rm -rf ~/*', { home: '/tmp' }),
    denies('keys in a home that is the folder for temporary files', 'rm -rf /tmp/.s*', { home: '/tmp' }),
    abstains('a build in a home that is the folder for temporary files', 'rm -rf /tmp/build /tmp/out-*', {
      home: '/tmp',
    }),
    abstains('what may be emptied within the home', 'rm -rf ~/scratch/*', {
      params: { temporaryFolders: ['/home/u/scratch'] },
    }),
    abstains('a home that is all there is', 'rm -rf /tmp/build', { home: '/' }),
    denies('every file of a folder', 'rm ~/Documents/*'),
    abstains('some files of a folder', 'rm ~/Documents/*.bak'),
    denies('one by one', 'for f in ~/Documents/*; do rm -f "$f"; done'),
    asks('every file deeper', 'rm ~/Downloads/old/*'),
    asks('every file that git lists', 'for f in $(git -C ~/other ls-files); do rm ~/other/$f; done'),
    abstains('files of the workspace that git lists', 'for f in $(git ls-files -o); do rm ./$f; done'),
    asks(
      'every file, as code walks',
      'python3 -c "import os\nfor p in os.scandir(\'/home/u/Documents\'): os.remove(p)"',
    ),
    asks('what is found, by xargs', 'find ~/Documents -type f | xargs rm -f'),
    abstains('what is found by a name, by xargs', 'find ~/Documents -name "*.bak" | xargs rm -f'),
    abstains('old files of a program', 'find ~/.acme/sessions -mmin +120 -type f -exec rm {} +'),
    asks('all files of it', 'find ~/.acme/sessions -type f -exec rm {} +'),
    asks('all files of it, with a test too late', 'find ~/.acme/sessions -type f -exec rm {} + -mmin +120'),
    denies('a name that is asked for too late', 'find ~ -type f -exec rm -f {} \\; -name "*.png"'),
    asks('old files of a person', 'find ~/Downloads/logs -mtime +30 -type f -delete'),
    abstains('one file', 'rm ~/Downloads/old.zip'),
    abstains('the workspace is in it', 'rm -rf ~/proj/build'),
    denies('the workspace is the whole disk', 'rm -rf ~', { cwd: '/' }),
    denies('a folder of it, where the workspace is the whole disk', 'rm -rf ~/Documents', { cwd: '/' }),
    denies('the workspace is the folder that it is in', 'rm -rf ~', { cwd: '/home' }),
    asks('a folder of it, where the session is in it', 'rm -rf Documents', { cwd: '/home/u' }),
    denies('keys, where the session is in it', 'rm -rf .ssh', { cwd: '/home/u' }),
    abstains('what a build has made, where the session is in it', 'rm -rf app/node_modules', { cwd: '/home/u' }),
    asks('deeper, where the workspace is the folder that it is in', 'rm -rf ~/Downloads/old', { cwd: '/home' }),
    abstains('a project of a workspace that the home is in', 'rm -rf /home/shop/build', { cwd: '/home' }),
  ],
})

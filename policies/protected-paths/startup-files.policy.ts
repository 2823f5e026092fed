import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  impactReason,
  isLike,
  type PolicyAnswer,
  quoted,
  type ShellFacts,
  type TextChange,
  type TouchedPath,
  unknownPart,
} from 'hookgate/policy'
import { type Change, changesIn, editsBelow, endInUnknown, inSomeHome, isPersonal, verbOf } from './touched.ts'

/** Files that are run, or grant access, without a question; relative to a home directory. */
const runs =
  /^(?:\.(?:bash(?:rc|_profile|_login|_logout|_aliases|env)|profile|z(?:shrc|shenv|profile|login|logout)|kshrc|mkshrc|cshrc|tcshrc|login|xinitrc|xsession|xprofile|xsessionrc|pam_environment)$|\.(?:bashrc|zshrc)\.d\/|\.config\/(?:fish|nushell|environment\.d|autostart|systemd|plasma-workspace\/env|upstart)(?:\/|$)|\.local\/share\/systemd(?:\/|$)|library\/launch(?:agents|daemons)(?:\/|$)|\.ssh\/(?:authorized_keys2?|rc|environment|config(?:\.d\/.*)?|id_\w+)$|\.(?:oh-my-zsh|zsh|antigen|prezto|zim)\/|documents\/(?:windows)?powershell\/.*profile\.ps1$|appdata\/roaming\/microsoft\/windows\/start menu\/programs\/startup(?:\/|$))/i
/** Settings by which programs run others, or reach other servers. */
const settings =
  /^(?:\.(?:gitconfig|git-credentials|inputrc|npmrc|yarnrc(?:\.yml)?|pypirc|netrc|pgpass|curlrc|wgetrc|vimrc|gvimrc|ideavimrc|nanorc|emacs|gdbinit|lldbinit|rprofile|renviron|irbrc|pryrc|pythonrc|pythonrc\.py|psqlrc|sqliterc|mysqlrc|my\.cnf|tmux\.conf|screenrc|direnvrc|condarc|gemrc|bundle\/config|mavenrc|bazelrc)$|\.(?:vim|emacs\.d|ssh|gnupg|pip|m2\/(?:settings(?:-security)?|extensions|toolchains)\.xml|m2\/wrapper|gradle\/init(?:\.d|\.gradle)|kube|docker|aws|azure|cargo\/config(?:\.toml)?|cargo\/bin|ipython)(?:\/|$)|\.config\/(?:git|pip|nvim|direnv|gcloud|containers|npm|yarn|uv|helix)(?:\/|$)|\.local\/(?:bin|share\/applications)\/)/i
const ofTheSystem =
  /^(?:\/private)?(?:\/etc\/(?:cron[^/]*|profile|profile\.d|bash\.bashrc|bashrc|zsh(?:rc|env|\/.*)?|environment|rc\.local|rc\d?\.d|init\.d|init|systemd|xdg\/autostart|udev|update-motd\.d|ld\.so\.preload|inittab|anacrontab|at\.allow|periodic|launchd\.conf)(?:\/|$)|\/var\/spool\/(?:cron|at)(?:\/|$)|\/(?:usr\/)?lib\/(?:systemd|udev)\/|\/usr\/local\/etc\/(?:profile|periodic)|\/library\/(?:launch(?:agents|daemons)|startupitems)(?:\/|$))/i
/** Files of any folder that are run by what merely starts there. */
const anywhere = /(?:^|\/)(?:\.envrc|sitecustomize\.py|usercustomize\.py|site-packages\/[^/]+\.pth)$/i

/** Modules that every Python of a folder of packages runs as it starts. */
const ofPython = /(?:^|\/)(?:site|user)customize\.py$/i

function kindOf(path: TouchedPath): 'runs' | 'settings' | undefined {
  const { absolute = '' } = path
  if (ofTheSystem.test(absolute)) return 'runs'
  const home = inSomeHome(path)
  if (isPersonal(path) && home !== undefined) {
    if (runs.test(home)) return 'runs'
    if (settings.test(home)) return 'settings'
  }
  // The folder may be a home directory.
  const end = endInUnknown(path)
  if (end !== undefined && (runs.test(end) || ofPython.test(end))) return 'settings'
  return anywhere.test(absolute) && !path.unresolved ? 'settings' : undefined
}

/** Says what a file that is written would do, and what to do instead. */
function effectOf({ absolute = '' }: TouchedPath): string {
  if (/\/\.ssh\/id_\w+$/.test(absolute))
    return 'a key by which the user logs in, and nothing brings it back: leave it alone'
  if (/\/\.ssh\/authorized_keys2?$/.test(absolute))
    return 'which says who may log in as this user: tell the person what to put into it'
  return 'which takes effect later by itself: tell the person what to put into it'
}

/** Names of such files in a home directory, to be held against patterns. */
const known =
  '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .kshrc .cshrc .xprofile .xinitrc .pam_environment .gitconfig .npmrc .netrc .vimrc .pypirc .envrc authorized_keys'.split(
    ' ',
  )

const isSomeHome = /^(?:\/|\/root|\/(?:home|Users)(?:\/[^/]+)?)$/

/** True if such a file in a home directory may be meant: by a pattern, or by a search for a name. */
function mayBeKnown(path: TouchedPath, { commands }: ShellFacts): boolean {
  const { absolute = '', inHome, pattern, from = [] } = path
  if (!isPersonal(path) || !(inHome === '' || isSomeHome.test(absolute))) return false
  const sought = from.flatMap((at) => commands[at]?.search?.names ?? [])
  const matched = pattern?.slice(pattern.lastIndexOf('/') + 1) ?? ''
  // A shell's pattern matches a leading dot only by one of its own.
  const names = matched.startsWith('.') ? [matched, ...sought] : sought
  return names.some((name) => {
    const wild = name.toLowerCase().replaceAll(/\[[^\]]*\]|\?/g, '*')
    return known.some((one) => isLike(one, wild))
  })
}

/** The first names of such files, from the folder that they are in or one above. */
const firstBelow = [
  '.bashrc',
  'fish/',
  'systemd/',
  'share/systemd/',
  'config',
  'bin/',
  'settings.xml',
  'init.d/',
  'launchagents/',
]

/** True for a folder that is above such files. */
function holdsKnown(path: TouchedPath): boolean {
  const { absolute = '', inHome } = path
  if (!isPersonal(path)) return false
  const home = inHome === '' || isSomeHome.test(absolute) ? '' : inSomeHome(path)
  return (
    home !== undefined &&
    firstBelow
      .map((name) => (home === '' ? name : `${home}/${name}`))
      .some((one) => runs.test(one) || settings.test(one))
  )
}

/** True for a file of the workspace that nothing but blank lines and comments come into: it has nothing run. */
function comesEmpty(
  { path, at }: Change,
  { commands }: ShellFacts,
  changes: readonly TextChange[],
  content: string | undefined,
): boolean {
  if (isPersonal(path) || path.access !== 'write' || path.unresolved === true) return false
  if (path.change === 'touched' || commands[at ?? -1]?.writes?.trim() === '') return true
  const own = changes.filter((one) => one.path === path.absolute && one.at === at)
  const texts = own.flatMap(({ removed, added }) => [removed, added])
  if (texts.length === 0 && typeof content === 'string') texts.push(content)
  return texts.length > 0 && texts.every((text) => text.split('\n').every((line) => /^\s*(?:#|$)/.test(line)))
}

export default definePolicy({
  id: 'startup-files',
  severity: 'high',
  description: 'Refuses to change what later runs by itself or grants access; asks about program settings',
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit', 'mcp', 'other'],
  carried: ['machine', 'prompt'],
  interest: { access: ['write', 'delete'], impacts: ['schedules'] },
  params: {
    startupExcept: { type: 'strings', default: [], description: 'absolute files that may be changed' },
  },
  decide({ tool, shell, paths, changes, impacts, params }) {
    let question: PolicyAnswer | undefined
    for (const change of changesIn(shell, paths)) {
      const { path, named, at } = change
      const said = kindOf(path)
      if (said === undefined && editsBelow(change, shell) && holdsKnown(path)) {
        question ??= ask(
          `this would edit whatever it finds in ${path.written === unknownPart ? quoted(path.absolute ?? '') : named}, where settings are by which programs start: name the files`,
          { at },
        )
        continue
      }
      const kind = said ?? (mayBeKnown(path, shell) ? 'settings' : undefined)
      if (kind === undefined || params.startupExcept.includes(path.absolute ?? '')) continue
      if (comesEmpty(change, shell, changes, at === undefined ? tool.content : undefined)) continue
      if (path.rights?.includes('others-lose') === true) continue
      // A folder alone runs nothing and holds no settings.
      if (path.change === 'made') continue
      const by = shell.commands[[at ?? 0].flat()[0] ?? 0]?.program ?? ''
      const isFound = path.written === unknownPart
      const message = `${isFound ? `\`${by}\`` : 'this'} would ${verbOf(change)} ${isFound ? 'a file that it finds' : named}`
      if (kind === 'runs' && path.access === 'write' && path.metadata !== true && !path.unresolved) {
        return deny(`${message}, ${effectOf(path)}`, { at })
      }
      question ??= ask(`${message}, which programs take their settings from: tell the person what to put into it`, {
        at,
      })
    }
    const scheduled = impacts.find(({ area }) => area === 'schedules')
    if (scheduled !== undefined) question ??= ask(impactReason(scheduled), { at: scheduled.by })
    return question
  },
  examples: [
    denies('a profile', 'echo "alias ls=rm" >> ~/.bashrc'),
    abstains('what a build has loaded', 'cp a.jar ~/.m2/repository/a.jar'),
    abstains('a folder of that for a container', 'docker run -v ~/.m2:/root/.m2 maven mvn test'),
    asks('where a build loads from', 'tee ~/.m2/settings.xml < a.xml'),
    ...[
      { tool: 'write', input: { path: '/home/u/.zshrc' } } as const,
      { input: { command: 'cp key .ssh/authorized_keys' } },
      { input: { command: 'echo a > .config/autostart/a.desktop' } },
      { input: { command: 'echo x >> ./.bashrc' } },
      { tool: 'edit', input: { path: '.profile' } } as const,
    ].map((given, at) =>
      denies(`in a session in the home, ${at}`, { ...given, cwd: '/home/u', workspaceRoots: ['/home/u'] }),
    ),
    abstains('a note in a session in the home', {
      tool: 'write',
      input: { path: 'notes.md' },
      cwd: '/home/u',
      workspaceRoots: ['/home/u'],
    }),
    asks('an edit of all files of the home', 'fastmod -d ~ --accept-all a b'),
    asks('an edit of all that a search finds', "grep -rl a ~/.config | xargs sed -i 's/a/b/'"),
    abstains('an edit of another project', 'fastmod -d ~/other --accept-all a b'),
    abstains('an edit of notes that are sought', "find ~ -name '*.md' -exec sed -i 's/a/b/' {} +"),
    abstains('files that are copied there', 'cp -r dotfiles/. ~'),
    abstains('reading it', 'grep alias ~/.bashrc'),
    asks('one that is sought', 'echo x >> "$(find ~ -name .bashrc)"'),
    asks('one below a folder that is not known', 'cd "$(getent passwd me | cut -d: -f6)" && echo x >> .bashrc'),
    asks('those of a pattern', 'for f in ~/.*rc; do echo x >> "$f"; done'),
    abstains('another that is sought', 'echo x >> "$(find ~ -name todo.md)"'),
    denies('who may log in', 'tee -a ~/.ssh/authorized_keys < key'),
    abstains('a text about it', 'grep "> ~/.ssh/authorized_keys" a.md'),
    denies('by a file tool', { tool: 'write', input: { path: '/home/u/.zshrc' } }),
    abstains('one of the workspace', { tool: 'write', input: { path: 'dotfiles/.zshrc' } }),
    denies('what starts with the session', { tool: 'edit', input: { path: '/home/u/.config/autostart/a' } }),
    abstains('rights that others lose', 'chmod 600 ~/.ssh/config ~/.npmrc'),
    asks('rights that others get', 'chmod 666 ~/.npmrc'),
    denies('what is scheduled', 'cp job /etc/cron.d/job'),
    asks('settings', 'echo a >> ~/.npmrc'),
    abstains('variables of a folder, none yet', 'touch .envrc'),
    abstains('an empty line for them', 'echo > .envrc'),
    asks('variables of a folder', 'echo "export A=1" > .envrc'),
    abstains('settings of the workspace', 'echo a >> .npmrc'),
    asks('a schedule', 'crontab jobs.txt'),
    abstains('looking at it', 'crontab -l'),
    asks('a hook of macOS', 'defaults write com.apple.loginwindow LoginHook /tmp/x.sh'),
    abstains('another setting of macOS', 'defaults write com.apple.dock autohide -bool true'),
    abstains('where it is allowed', 'echo a >> ~/.profile', { params: { startupExcept: ['/home/u/.profile'] } }),
  ],
})

import {
  abstains,
  definePolicy,
  denies,
  deny,
  isLike,
  lineOf,
  type ShellCommand,
  type ShellWord,
} from 'hookgate/policy'

/** How a push can stand in a shell's text. */
const shellExamples = [
  denies('behind &&', 'git add . && git push -f'),
  denies('before ;', 'git push -f; true'),
  denies('before |', 'git push -f|cat'),
  denies('on another line', 'cd a\ngit push -f\nls'),
  denies('over two lines', 'git push \\\n  --fo\\\nrce'),
  abstains('a flag of the next command', 'git push && rm -f a'),
  abstains('a flag of the next line', 'git push\nrm -f a'),
  abstains('a flag of the next in the pipe', 'git push|grep -f a'),
  abstains('a flag of the command behind ;', 'git push;rm -f a'),
  denies('tabs', 'git\tpush\t-f'),
  denies('lines of Windows', 'git push -f\r\nls'),
  denies('its output in a file', 'git push -f>log'),
  denies('its input from a file', 'git push -f<log'),
  denies('in the background', 'git push -f&'),
  denies('in quotes', `"git" 'push' "--force"`),
  denies('in half quotes', `g'i't pu"s"h -\\f`),
  denies('in dollar quotes', `git push $'-f'`),
  denies('in translated quotes', `git push $"-f"`),
  abstains('a variable called f', 'git push $f'),
  denies('quotes that are not closed', `git push '-f`),
  denies('an empty word', `git push "" -f`),
  denies('by its path', '/usr/bin/git push -f'),
  denies('under Windows', 'C:\\\\git\\\\git.EXE push -f'),
  denies('with sudo and variables', 'sudo -u me A=b git push -f'),
  denies('in a subshell', '(cd a; git push -f)'),
  denies('in a substitution', 'x=$(git push -f)'),
  denies('in a substitution in quotes', 'echo "a $(git push -f) b"'),
  denies('in backticks', 'echo `git push -f`'),
  denies('in backticks in quotes', 'echo "`git push -f`"'),
  denies('around a substitution', 'git push "$(git remote)" -f'),
  denies('around backticks', 'git push `git remote` -f'),
  denies('behind a substitution', 'echo "$(date) x" && git push -f'),
  denies('in a substitution that is not closed', 'echo "$(git push -f'),
  denies('around one that is not closed', 'git push -f $(date'),
  abstains('a flag in a substitution', 'git push $(cat -f)'),
  denies('given to a shell', `bash -c 'cd a && git push -f'`),
  denies('given to a shell by a shell', `sh -c "bash -c 'git push -f'"`),
  denies('given to eval', `eval "git push -f"`),
  denies('given to another machine', `ssh host 'git push -f'`),
  abstains('in a message', `git commit -m "never git push -f"`),
  abstains('in a text', `echo 'git push -f; git push --force'`),
  abstains('in a comment', 'ls # git push -f'),
  denies('on the line behind a comment', 'ls # a\ngit push -f'),
  denies('behind a # that begins no comment', 'ls a#b; git push -f'),
  denies('a # in quotes', 'echo "# a"; git push -f'),
  denies('quotes in a comment', `ls # don't\ngit push -f`),
  denies('an apostrophe in quotes', `echo "don't" && git push -f`),
  denies('an escaped quote', 'echo \\" && git push -f'),
  denies('an escaped quote in quotes', 'echo "\\"" && git push -f'),
  denies('an empty value', 'git push -o "" -f'),
  denies('a subshell at once', '(git push -f)'),
  abstains('a variable that is called like a flag', 'git push $-f'),
  denies('given to dash', "dash -c 'git push -f'"),
  denies('given to zsh', "zsh -c 'git push -f'"),
  denies('given to ksh', "ksh -c 'git push -f'"),
  denies('given to fish', "fish -c 'git push -f'"),
  denies('given to a shell of another user', "su me -c 'git push -f'"),
  denies('given to a shell by its path', "/bin/sh -c 'git push -f'"),
  abstains('a program with a longer name', 'git.exercise push -f'),
  abstains('a word between', 'git a-b push -f'),
  denies('letters that go on', 'git push -f--x'),
  abstains('a branch with a dash', 'git push origin topic-f'),
  abstains('a value that looks like a flag', 'git push --signed=--force'),
  denies('a value called o', 'git push -oo -f'),
  abstains('too short for --prune', 'git push --pr origin'),
  abstains('too short for a lease', 'git push --force-'),
  denies('deleting quietly', 'git push -q -d origin main'),
  abstains('a + within a ref', 'git push origin a+b'),
  abstains('deleting what ends like a branch', 'git push origin :x/refs/heads/main'),
  abstains('deleting what begins like a release', 'git push origin :releases'),
  abstains('the word push as a branch', 'git push -d origin x', { params: { protectedBranches: ['push'] } }),
  abstains('pushing to a branch that is protected by a pattern', 'git push origin main:main', {
    params: { protectedBranches: ['main*'] },
  }),
  abstains('a branch that is not like a pattern with a * in its middle', 'git push origin :a*c', {
    params: { protectedBranches: ['a*b'] },
  }),
  abstains('another program that only looks so', 'gi.exet push -f'),
  denies('a bracket right behind a flag', 'git push -f(date)'),
  denies('around a process substitution', 'git push <(date) -f'),
  abstains('deleting a branch with a curious name', 'git push origin :marefs/heads/in'),
  abstains("an option that is none of git's", 'git push --mx'),
  denies('an empty word in single quotes', "git push '' -f"),
  denies('an empty comment', 'ls #\ngit push -f'),
  denies('by a variable', 'F=-f; git push $F'),
  denies('by an alias', "git -c alias.fp='push -f' fp"),
  denies('by arguments from elsewhere', 'echo -f | xargs git push'),
  abstains('a comment at the end of a push', 'git push # a\n-f'),
] as const

/** The effects of a `git push` that others cannot undo. */
export interface Push {
  /** The option or refspec that forces it: `--force`, `-f`, `+main`, `--mirror`, `--prune`. */
  readonly forced: string | undefined
  /** `--force-with-lease`. */
  readonly leased: boolean
  /** Branches that it deletes, without `refs/heads/`. */
  readonly deleted: readonly string[]
}

/** Signs of a forced push, in the order in which the reason names them. */
const forcing = { force: '--force', f: '-f', mirror: '--mirror', prune: '--prune' }

/** A command's push, if it is one: `git push`, `git -C there -c a.b=c push`. */
function pushIn(command: ShellCommand): Push | undefined {
  const line = command.traits?.includes('git') === true ? lineOf(command) : undefined
  if (line?.subcommand === undefined || !/^(?:push|send-pack|http-push)$/.test(line.subcommand)) return undefined
  const { has, given, operands } = line
  const isOn = (option: string) =>
    given.some(({ name }) => name === option) && has(option, ...(option === 'f' ? ['force'] : []))
  const forced = Object.entries(forcing).find(([option]) => isOn(option))?.[1]
  return {
    forced: forced ?? operands.find(({ value }) => value.startsWith('+'))?.value,
    leased: has('force-with-lease'),
    deleted: operands.filter((ref) => has('d', 'delete') || isDeletion(ref)).map(branchOf),
  }
}

const isDeletion = ({ value }: ShellWord) => value.startsWith(':')
const branchOf = ({ value }: ShellWord) => value.replace(':', '').replace(/^refs\/heads\//, '')

export default definePolicy({
  id: 'no-force-push',
  severity: 'high',
  description: 'Refuses git pushes that overwrite or delete commits others may have built on',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub'], with: ['push send'] },
  params: {
    allowForceWithLease: {
      type: 'boolean',
      default: false,
      description: 'whether to allow `--force-with-lease`, which overwrites only what was fetched before',
    },
    protectedBranches: {
      type: 'strings',
      default: ['main', 'master', 'release/*'],
      description: 'branches that must not be deleted; `*` is any text',
    },
  },
  decide({ shell, params }) {
    const instead = params.allowForceWithLease ? 'use --force-with-lease' : 'push without it, or let the person do it'
    for (const [at, command] of shell.commands.entries()) {
      const push = pushIn(command)
      if (push === undefined) continue
      if (push.forced !== undefined) {
        return deny(`git push with ${push.forced} may replace or delete the work of others: ${instead}`, { at })
      }
      if (push.leased && !params.allowForceWithLease) {
        return deny(`git push with --force-with-lease may replace the work of others: ${instead}`, { at })
      }
      const branch = push.deleted.find((one) => params.protectedBranches.some((pattern) => isLike(one, pattern)))
      if (branch !== undefined)
        return deny(`git push may not delete the branch ${branch}: let the person do it`, { at })
    }
    return undefined
  },
  examples: [
    {
      name: '--force',
      given: { input: { command: 'git push --force' } },
      want: {
        effect: 'deny',
        reason:
          'git push with --force may replace or delete the work of others: push without it, or let the person do it',
      },
    },
    {
      name: '-f',
      given: { input: { command: 'git push -f origin main' }, params: { allowForceWithLease: true } },
      want: {
        effect: 'deny',
        reason: 'git push with -f may replace or delete the work of others: use --force-with-lease',
      },
    },
    denies('behind the refs', 'git push origin main -f'),
    denies('short flags together', 'git push -uf origin x'),
    denies('short flags the other way', 'git push -fu origin x'),
    {
      name: 'a + before a ref',
      given: { input: { command: 'git push origin a +main:main' } },
      want: { effect: 'deny', reason: 'with +main:main may replace' },
    },
    denies('a + behind --', 'git push -- origin +main'),
    {
      name: '--mirror',
      given: { input: { command: 'git push --mirror' } },
      want: { effect: 'deny', reason: 'with --mirror' },
    },
    denies('--mirror, shortened', 'git push --m x'),
    {
      name: '--prune',
      given: { input: { command: 'git push --prune x' } },
      want: { effect: 'deny', reason: '--prune' },
    },
    denies('--prune, shortened', 'git push --pru x'),
    abstains('--progress', 'git push --progress'),
    abstains('a push', 'git push -u origin main'),
    abstains('a push of tags', 'git push --follow-tags'),
    abstains('a try', 'git push --dry-run -n origin main'),
    abstains('a ref called like a flag', 'git push -- origin -f'),
    abstains('no command', { input: {} }),
    abstains('nothing but git', 'git'),

    {
      name: '--force-with-lease',
      given: { input: { command: 'git push --force-with-lease' } },
      want: {
        effect: 'deny',
        reason: 'git push with --force-with-lease may replace the work of others: push without it',
      },
    },
    denies('a lease of a ref', 'git push --force-with-lease=main:abc'),
    denies('a lease, shortened', 'git push --force-w'),
    abstains('no lease', 'git push --force-if-includes'),
    abstains('a lease where it is allowed', 'git push --force-with-lease', { params: { allowForceWithLease: true } }),
    denies('a lease where it is allowed, and force with it', 'git push --force-with-lease -f', {
      params: { allowForceWithLease: true },
    }),

    {
      name: 'deleting a protected branch',
      given: { input: { command: 'git push --delete origin main' } },
      want: { effect: 'deny', reason: 'git push may not delete the branch main: let the person do it' },
    },
    denies('with -d', 'git push origin -d master'),
    denies('shortened', 'git push --de origin main'),
    denies('with a colon', 'git push origin a :main'),
    denies('by its whole name', 'git push origin :refs/heads/main'),
    denies('of a release', 'git push origin :release/1.0'),
    abstains('deleting another branch', 'git push -d origin topic'),
    abstains('deleting one with a longer name', 'git push origin :main2'),
    abstains('deleting a part of a name', 'git push origin :x/release/1'),
    abstains('pushing to a protected branch', 'git push origin a:main'),
    denies('a branch of their own', 'git push origin :trunk', { params: { protectedBranches: ['trunk'] } }),
    abstains('and not the usual ones', 'git push origin :main', { params: { protectedBranches: ['trunk'] } }),

    denies('in another folder', 'git -C some/where push -f'),
    denies('with a setting', 'git -c a.b=c --no-pager push -f'),
    denies(
      'with every option that has a value',
      'git --git-dir a --work-tree b --namespace c --config-env d --attr-source e push -f',
    ),
    abstains('another command of git', 'git fetch --force origin'),
    abstains('push as an argument', 'git branch push --force'),
    abstains('another program', 'docker push --force'),
    abstains('a value of -o', 'git push -o -f origin'),
    abstains('a value right behind -o', 'git push -of origin'),
    denies('a flag behind such a value', 'git push -oci.skip -f'),
    denies('a flag before -o', 'git push -fo x'),
    abstains(
      'values of long options',
      'git push --repo +a --receive-pack +b --exec +c --push-option +d --recurse-submodules +e',
    ),
    denies('a ref behind an option with its value', 'git push --repo=a +b'),
    ...shellExamples,
  ],
})

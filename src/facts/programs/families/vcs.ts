import { liveBy } from '../deeds/deeds.ts'
import { behind } from '../../../words/options.ts'
import { namesStage } from '../deeds/stages.ts'
import type { EffectRecorder } from '../effects.ts'
import { isUrl, known } from '../words.ts'
import { startOtherPatches } from '../patches.ts'
import type { Family } from '../program.ts'
import { type Line, type Row, setup } from '../row.ts'
import { besides, merges } from './code-hosting.ts'
import { gh } from '../looks/gh.ts'
import { clonedInto, gitSubcommands } from './git-subcommands.ts'
import { http } from './http.ts'
import { opens } from './remote.ts'
import { manager } from '../deeds/packages.ts'
import { bzrVersionControl } from './version-control.ts'

/** Words of clients that begin with no message: who logs in, and what is meant to be secret. */
const noMessage = /^(?:auth|login|secrets?|ssh-key|gpg-key|variable|config|api-key)$/
export const writesMessage = ({ operands }: Line): boolean =>
  !operands.slice(0, 2).some(({ value }) => noMessage.test(value))

const forgeOptions = 'R repo b body d description m message t title F=read'

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

/** Version control systems other than git, and clients of forges such as GitHub. */
export const vcs: Family = {
  programs: {
    hg: {
      ...workingCopyClient,
      does: {
        area: 'version-control',
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
        never: [
          'strip',
          'debugstrip',
          'update|up|checkout|co --clean|-C',
          'purge|clean',
          'shelve --delete|-d|--cleanup',
        ],
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
        area: 'version-control',
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
        area: 'version-control',
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
        area: 'version-control',
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
        area: 'version-control',
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
    bzr: { ...workingCopyClient, does: { area: 'version-control', ...bzrVersionControl } },
    stg: workingCopyClient,
    gh: {
      output: setup(/^completion\b/),
      options:
        'R repo b body t title F=none body-file=read notes-file=read input=read f field raw-field d desc filename label env-file=read',
      effects: hub,
      message: writesMessage,
      subcommands: {
        copilot: {
          starts: (_, starts, { args }) => starts.words([known('copilot'), ...args]),
        },
        'alias set': {
          starts({ operands: [, text], has }, starts) {
            if (text !== undefined && (has('s', 'shell') || text.value.startsWith('!')))
              starts.script(behind(text, text.value.startsWith('!') ? 1 : 0))
          },
        },
      },
      variables: 'GH_BROWSER BROWSER GH_EDITOR GH_PAGER',
      does: [
        {
          area: 'code-hosting',
          shows: {
            'auth token': { object: 'GitHub token', names: 'none' },
            'auth status -t|--show-token': { object: 'GitHub token', names: 'none' },
          },
          says: {
            'repo deploy-key': { kind: 'delete', object: 'deploy key', thing: 'secret' },
            'repo autolink': { kind: 'delete', object: 'link to another system' },
            'release delete-asset': { kind: 'delete', object: 'file of release', thing: 'deployment', names: 'last' },
            'run delete': { kind: 'delete', object: 'run', thing: 'record' },
            'project item-delete|item-archive|field-delete': { object: 'item of project', names: 'first' },
            api: { kind: 'delete', object: 'what is at' },
            'repo archive': { kind: 'withdraw', object: 'repository' },
            'issue transfer': { kind: 'change', object: 'issue', names: 'first' },
            'issue lock': { kind: 'stop', object: 'comments on', names: 'first' },
            workflow: { kind: 'stop', object: 'workflow', thing: 'pipeline' },
            cache: { kind: 'delete', object: 'cache', thing: 'pipeline' },
            'codespace|cs': { object: 'codespace', names: '-c|--codespace' },
          },
          also: besides,
          valued:
            'R hostname X method F f field raw-field H header q jq t input cache p preview e env o org app u b body comment c w L json visibility name repos env-file s source',
          never: [
            'repo delete|archive',
            'repo deploy-key delete',
            'repo autolink delete',
            'release delete|delete-asset',
            'issue delete|transfer',
            'gist delete',
            'secret delete|remove',
            'variable delete|remove',
            'ssh-key|gpg-key delete',
            'run delete',
            'cache delete',
            'codespace|cs delete',
            'label delete',
            'project delete|item-delete|field-delete',
            'ruleset delete',
            'workflow disable',
            'api --method=delete|-X=delete',
            'org delete',
            'discussion delete',
            'attestation delete',
          ],
          work: ['issue lock', 'project close|item-archive|unlink', 'codespace stop', 'agent-task cancel'],
          harmless: ['extension remove', 'alias delete', 'auth logout', 'config clear-cache'],
        },
        {
          area: 'opened-access',
          ...opens({
            work: ['codespace|cs ports visibility'],
            when: ({ args }) => args.some(({ value }) => /^\d+:public$/.test(value)),
          }),
        },
        { area: 'packages', ...manager({ installs: ['extension|extensions|ext install'] }, { valued: 'pin' }) },
        namesStage,
        liveBy(/^release (?:create (?!.*(?:--draft|(?:^| )-d)\b)|edit .*--draft=false)/, { kindFirst: true }),
      ],
      looks: gh,
    },
    glab: {
      options: forgeOptions,
      effects: hub,
      message: writesMessage,
      does: [
        {
          area: 'code-hosting',
          shows: { 'auth status -t|--show-token': { object: 'GitLab token', names: 'none' } },
          says: {
            api: { kind: 'delete', object: 'what is at' },
            'repo|project archive': { kind: 'withdraw', object: 'repository' },
            'repo|project transfer': { kind: 'change', object: 'repository', names: 'first' },
            'ci|pipeline|pipe delete': { kind: 'delete', object: 'pipeline', thing: 'pipeline' },
            variable: { kind: 'delete', object: 'variable', thing: 'pipeline' },
            'cluster agent': { kind: 'revoke', object: 'token of agent', thing: 'secret', names: 'last' },
            'opentofu|tofu state delete': { kind: 'delete', object: 'state', thing: 'infrastructure', names: 'last' },
            'opentofu|tofu state unlock': {
              kind: 'weaken',
              object: 'the lock of state',
              thing: 'guard',
              names: 'last',
            },
            'repo mirror': { kind: 'stop', object: 'the mirroring of a repository', names: 'none' },
            'token rotate': { kind: 'overwrite', object: 'token', thing: 'secret', names: 'first' },
            'repo update': { kind: 'withdraw', object: 'repository' },
          },
          also: [
            merges('mr merge|accept'),
            { kind: 'grant', thing: 'account', work: ['ssh-key|deploy-key add'] },
            {
              kind: 'change',
              thing: 'variable',
              object: 'variable',
              names: 'first',
              work: ['variable set|update|create|new', 'securefile create|upload'],
            },
          ],
          valued: 'v value s scope type g X method f H field raw-field header group hostname',
          never: [
            'repo|project delete|archive|transfer',
            'release delete',
            'issue|incident delete',
            'mr delete',
            'snippet delete',
            'variable delete|remove',
            'ssh-key|gpg-key|deploy-key delete',
            'label delete',
            'milestone delete',
            'ci|pipeline|pipe delete',
            'schedule delete',
            'token revoke',
            'securefile remove|rm|delete',
            'cluster agent * revoke|delete',
            'runner delete|unregister',
            'iteration delete',
            'opentofu|tofu state delete',
            'api --method=delete|-X=delete',
            'repo mirror --disable',
            'runner-controller delete',
          ],
          work: ['ci cancel', 'token rotate', 'job cancel', 'repo update --archive', 'opentofu|tofu state unlock'],
          harmless: ['auth logout', 'alias delete', 'config unset'],
        },
        namesStage,
        liveBy(/^release (?:create|upload)\b/, { kindFirst: true }),
      ],
      looks: {
        options: 'R repo g group',
        lines: `
      mr|issue list|ls|view|show|diff|issues|approvers !-w|--web
      ci|pipeline list|status|get|trace !-l|--live
      repo|project view|list|search|contributors !-w|--web
      release|label|milestone|snippet|schedule list|view|ls
      version|help`,
      },
    },
    tea: {
      options: forgeOptions,
      effects: hub,
      message: writesMessage,
      does: [
        {
          area: 'code-hosting',
          valued: 'r remote login style s',
          also: [merges('pr|pull|pulls merge|m')],
          never: [
            'repos|repo delete|rm',
            'releases|release|r delete|rm',
            'releases assets delete',
            'labels delete',
            'milestones delete',
            'branches delete',
            'webhooks delete',
            'admin users delete',
            'organizations delete',
            'times delete',
            'actions secrets|variables delete',
          ],
          harmless: ['logins delete|rm', 'logout'],
        },
        liveBy(/^releases? create (?!.*--draft)/, { kindFirst: true }),
      ],
    },
    // Lists of tasks and chats.
    acli: { message: writesMessage, does: { area: 'hosting', never: ['*:delete|*:delete-branch'] } },
    fj: {
      message: writesMessage,
      does: [
        { area: 'code-hosting', ...merges('pr merge') },
        liveBy(/^release create (?!.*--draft)/, { kindFirst: true }),
      ],
    },
    linear: { message: writesMessage, does: { area: 'code-hosting', byVerb: 'never' } },
    jira: {
      message: writesMessage,
      does: {
        area: 'code-hosting',
        says: {
          issue: { kind: 'delete', object: 'issue', thing: 'record' },
          'sprint close': { kind: 'stop', object: 'sprint', thing: 'record' },
          'sprint|epic remove': { kind: 'change', object: 'issue', thing: 'record', names: 'last' },
        },
        never: ['issue delete', 'sprint remove', 'epic remove'],
        work: ['sprint close'],
        valued: 'p c',
      },
    },
    // All that git takes, and its own subcommands.
    hub: {
      options: `${forgeOptions} C c git-dir work-tree namespace`,
      effects: hub,
      message: writesMessage,
      subcommands: gitSubcommands,
      does: {
        area: 'code-hosting',
        says: {
          api: { kind: 'delete', object: 'what is at' },
          delete: { kind: 'delete', object: 'repository' },
        },
        never: ['delete', 'release delete', 'api --method=delete|-X=delete', 'gist delete'],
        valued: 'X f H',
      },
    },
  },
}

/** What a forge keeps beside repositories, for everybody who has its address. */
const gists = /^\/?(?:gist|snippet)s?$/

/** Records the uploads of a forge's client: `gh gist create f`, `gh release upload TAG f`, `gh api -F name=@f`. */
function hub(line: Line, recorder: EffectRecorder): void {
  const [noun, verb, ...rest] = line.operands
  const sends =
    (noun?.value === 'gist' && (verb?.value === 'create' || verb?.value === 'edit')) ||
    /^(?:upload|create|comment|note|edit|review|reply)$/.test(verb?.value ?? '')
  for (const { name, value } of line.given) {
    if (name !== 'F' && name !== 'field') continue
    const file = /^[^=]*=@/.exec(value.value)
    if (file !== null) recorder.touch(behind(value, file[0].length), 'read')
    else if (name === 'F' && line.program === 'gh' && noun?.value !== 'api' && value.value !== '-')
      recorder.touch(value, 'read')
  }
  if (/^(?:gist|snippet)$/.test(noun?.value ?? '') && verb?.value === 'create')
    for (const word of rest) recorder.touch(word, 'read')
  else if (noun?.value === 'release' && (verb?.value === 'upload' || verb?.value === 'create'))
    for (const word of rest.slice(1)) recorder.touch(word, 'read')
  else if (noun?.value === 'secret' || noun?.value === 'variable')
    recorder.network({ kind: 'project', direction: 'send', host: 'github.com' })
  const isGist = gists.test(noun?.value === 'api' ? (verb?.value ?? '') : (noun?.value ?? ''))
  if (sends || noun?.value === 'api')
    recorder.network({
      kind: isGist ? 'share' : 'project',
      direction: 'both',
      host: line.program === 'glab' ? 'gitlab.com' : 'github.com',
    })
  else if (verb?.value === 'clone' || verb?.value === 'download' || verb?.value === 'view')
    recorder.network({ kind: 'project', direction: 'receive', host: 'github.com' })
  const [repository, folder] = rest
  if (noun?.value === 'repo' && verb?.value === 'clone' && repository !== undefined)
    recorder.touch(folder ?? clonedInto(repository), 'into')
}

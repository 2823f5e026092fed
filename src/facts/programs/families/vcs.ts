import type { Family } from '../program.ts'
import type { EffectRecorder } from '../effects.ts'
import { clonedInto, gitSubcommands } from './git-subcommands.ts'
import { http } from './http.ts'
import { isUrl } from '../looks.ts'
import { startOtherPatches } from '../patches.ts'
import { type Line, setup } from '../row.ts'
import { behind, known } from '../words.ts'

/** Words of clients that begin with no message: who logs in, and what is meant to be secret. */
const noMessage = /^(?:auth|login|secrets?|ssh-key|gpg-key|variable|config|api-key)$/
const writesMessage = ({ operands }: Line): boolean => !operands.slice(0, 2).some(({ value }) => noMessage.test(value))

const forgeOptions = 'R repo b body d description m message t title F=read'

/** Version control systems other than git, and clients of forges such as GitHub. */
export const vcs: Family = {
  programs: {
    'hg svn bzr fossil jj sl stg': {
      message: writesMessage,
      options:
        'R=names repository=names cwd=names m message r rev b branch u username password config F=read file=read p strip prefix similarity',
      // Mercurial's aliases and hooks: `--config alias.x='!SCRIPT'`.
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
    },
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
    },
    'glab tea': { options: forgeOptions, effects: hub, message: writesMessage },
    // Lists of tasks and chats.
    'fj jira acli linear slack mmctl zulip-send ntfy apprise toot twilio': { message: writesMessage },
    // All that git takes, and its own subcommands.
    hub: {
      options: `${forgeOptions} C c git-dir work-tree namespace`,
      effects: hub,
      message: writesMessage,
      subcommands: gitSubcommands,
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

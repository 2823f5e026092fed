import type { Call } from '../../../words/calls.ts'
import type { Impact } from '../../../model/impact.ts'
import { lineIn } from '../../../words/loose-line.ts'
import type { ShellFacts } from '../../../model/shell.ts'
import { codeOnStdin, programNamed } from '../../programs/table.ts'
import { impactsByDeeds } from '../by-deeds.ts'
import { type ImpactFound, makeImpact } from '../make-impact.ts'
import { deedsOf } from '../registry.ts'

/** Match the verb of an unknown program, and the port or address of this machine that it opens. */
const verb = /^(?:tunnel|expose|share|funnel)$/
const opened = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::\d+)?\/?$|^\d{2,5}$/
/** Match modules that open a tunnel, and a call of Gradio that does. */
const module = /\b(?:py)?(?:ngrok|localtunnel|cloudflared|untun|zrok|tunnelmole)\b/
const shares = /\blaunch\((?:(?!\blaunch\()[^)])*\bshare\s*=\s*True/

const opens = {
  kind: 'open',
  thing: 'machine',
  area: 'opened-access',
  object: 'this machine to others, from outside',
  names: [],
  undo: 'work',
} as const satisfies Omit<ImpactFound, 'words'>

/** Finds opened access to this machine that tables of commands cannot describe. */
export function impactsOfAccess(call: Call, shell: ShellFacts): readonly Impact[] {
  if (isOpenShell(call)) return [impactOf(call, '', { object: 'shell of this machine' })]
  const text = call.args === call.command.args ? (call.command.code?.text ?? '') : ''
  if (/\b(?:import|from|require|use)\b/.test(text) && (module.test(text) || shares.test(text)))
    return [impactOf(call, '…', { through: 'code' })]
  return [...openedByImage(call, shell), ...openedByVerb(call)]
}

const impactOf = (call: Call, words: string, more: Partial<ImpactFound> = {}): Impact =>
  makeImpact(call, lineIn(call, {}), { ...opens, words, ...more })

/** True for a shell, or a language without a script, whose input or output is a connection. */
function isOpenShell({ command, args }: Call): boolean {
  const { program, written, code, reach, redirections, paths } = command
  if (args !== command.args || code?.text !== undefined) return false
  const isOnSocket = redirections.some(({ target }) => /^\/dev\/(?:tcp|udp)\//.test(target?.value ?? ''))
  if (!isOnSocket && !reach.some((one) => one.through === 'wrapper' && one.connected === true)) return false
  const speaks = codeOnStdin(program)
  // An unknown program at a socket is more likely a shell than an unknown program that a server starts.
  if (speaks === undefined) return isOnSocket && program === '' && written !== undefined
  const runsFile = paths.some((path) => path.access === 'execute' && path.written !== written?.value)
  return speaks === 'shell' || isOnSocket || !runsFile
}

/** Finds access that a container opens, since images are named like the program in them. */
function openedByImage(call: Call, shell: ShellFacts): readonly Impact[] {
  if (call.command.line?.subcommand?.split(' ').at(-1) !== 'run') return []
  return call.args
    .flatMap(({ value }, at) => {
      const program = /(?<![\w-])([\w-]+)(?::[\w.-]+)?$/.exec(value)?.[1] ?? ''
      if (!deedsOf(program).some(({ area }) => area.name === opens.area)) return []
      const inside = { ...call, program, args: call.args.slice(at + 1) }
      return impactsByDeeds(inside, shell).filter(({ area }) => area === opens.area)
    })
    .slice(0, 1)
}

/** Finds access that an unknown program opens, by its verb. */
function openedByVerb(call: Call): readonly Impact[] {
  if (programNamed(call.program) !== undefined || deedsOf(call.program).length > 0) return []
  const words = call.args.map(({ value }) => value)
  const at = words.slice(0, 2).findIndex((word) => verb.test(word))
  if (at === -1 || words.includes('--help') || !words.slice(at).some((word) => opened.test(word))) return []
  return [impactOf(call, words[at] ?? '')]
}

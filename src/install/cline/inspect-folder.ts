import { shellCall } from '../../agents/shell-call.ts'
import { quotedWord } from '../../model/shell-word.ts'
import { sendCanary } from '../canary.ts'
import { readRecord, sha256 } from '../files/records.ts'
import { outdated } from '../hook-files.ts'
import { type Canary, type Inspection, type InstallContext, notRegistered } from '../install-context.ts'
import { refusalIn } from '../refusal-in.ts'
import { untriedInProject } from '../status.ts'
import { type LookedHook, lookAtHooks } from './look-at-hook.ts'

/** Inspects one of the folders in which Cline looks for hooks. */
export function inspectFolder(folder: string, context: InstallContext): Inspection {
  const hooks = lookAtHooks(folder, context)
  const byEnable = hooks.filter(({ own }) => own === 'yes')
  const byHand = hooks.filter(({ own }) => own === 'hand')
  const asking = hooks.filter(({ own }) => own === 'yes' || own === 'hand')
  if (asking.length === 0) return notRegistered
  const isKnown = asking.every(({ looked: { real, present } }) =>
    readRecord(context.places, real)?.registered.includes(sha256(present?.bytes ?? '')),
  )
  return {
    by: byEnable.length > 0 ? 'enable' : 'hand',
    events: asking.map(({ event }) => event),
    problems: [
      ...outdated(
        'cline',
        byEnable.map(({ looked }) => looked.present?.bytes.toString() ?? ''),
      ),
      // Events of a setup by hand are chosen by the person.
      ...(byEnable.length > 0 ? gapsIn(hooks) : []),
      ...withoutExecuteBit(asking, context),
    ],
    // A project's hooks may come from a foreign repository: they run only if `enable` registered them on this machine.
    untried: context.scope === 'project' && !isKnown ? untriedInProject('cline') : undefined,
    canaries: [byEnable, byHand].flatMap((kind) => {
      const hook = kind.find(({ event }) => event === 'PreToolUse') ?? kind[0]
      return hook === undefined ? [] : [() => canaryFrom(hook.file, context)]
    }),
  }
}

function gapsIn(hooks: readonly LookedHook[]): readonly string[] {
  const missing = hooks.filter(({ own }) => own === 'absent').map(({ event }) => event)
  return [
    ...hooks
      .filter(({ own }) => own === 'no')
      .map(({ file }) => `${file} is a different hook, so hookgate is not asked at this event`),
    ...(missing.length > 0 ? [`not at ${missing.join(', ')}: run \`hookgate enable cline\` again`] : []),
  ]
}

const withoutExecuteBit = (hooks: readonly LookedHook[], { platform }: InstallContext) =>
  hooks
    .filter(({ looked }) => platform !== 'win32' && ((looked.present?.mode ?? 0) & 0o111) === 0)
    .map(({ file }) => `${file} has no execute bit, so Cline’s extension ignores it: run \`chmod +x\` on it`)

/** Starts a hook as Cline's extension does: by a shell on Unix, by PowerShell on Windows. */
function canaryFrom(file: string, context: InstallContext): Promise<Canary> {
  const { cwd, env, platform } = context
  const powershell = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', file]
  const start =
    platform === 'win32'
      ? { file: 'powershell.exe', args: powershell, cwd, env }
      : { file: '/bin/sh', args: ['-c', quotedWord(file)], cwd, env }
  const eventFor = (sessionId: string) => shellCall('cline', 'true', cwd, sessionId)
  return sendCanary(context, { start }, eventFor, refusalIn('cline', cwd))
}

import { parseJsonObject } from '../../model/json.ts'
import { errorText } from '../../model/errors.ts'
import type { AgentStatus, InstallContext, Canary, ScopeStatus, Scope } from '../install-context.ts'
import { askedTwice } from '../asked-twice.ts'
import { outdated } from '../outdated.ts'
import { gateNotes, gateRuns } from '../gate-runs.ts'
import { notRun } from '../not-run.ts'
import { sendCanary } from '../canary.ts'
import { readRecord, sha256 } from '../files/records.ts'
import { type HookFolder, hookFolders } from './hook-folders.ts'
import { lookAtHooks } from './look-at-hook.ts'
import { quotedWord } from '../../model/shell-word.ts'

export async function statusOfCline(context: InstallContext): Promise<AgentStatus> {
  const running = await gateRuns(context)
  const scopes: ScopeStatus[] = []
  for (const scope of ['user', 'project'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- two that start processes at once would slow each other down
    scopes.push(...(await statusOf(scope, { ...context, scope })))
  }
  return {
    agent: 'cline',
    calls: scopes.some(({ state }) => state === 'works'),
    scopes,
    gateRuns: running,
    obstacles: [],
    notes: [
      ...gateNotes('cline', running, scopes),
      ...askedTwice(scopes),
      'Cline’s own switch for hooks (its settings, Features, Hooks) cannot be checked from outside; it is on unless you switched it off',
    ],
  }
}

async function statusOf(scope: Scope, context: InstallContext): Promise<readonly ScopeStatus[]> {
  const found: ScopeStatus[] = []
  // oxlint-disable-next-line no-await-in-loop -- see above
  for (const folder of await hookFolders(context)) found.push(await statusOfFolder(scope, folder, context))
  return found
}

async function statusOfFolder(scope: Scope, { folder }: HookFolder, context: InstallContext): Promise<ScopeStatus> {
  const none = { scope, place: folder, by: undefined, events: [], canaries: [] } as const
  try {
    const hooks = lookAtHooks(folder, context)
    const byUs = hooks.filter((hook) => hook.own === 'yes')
    const own = hooks.filter((hook) => hook.own === 'yes' || hook.own === 'hand')
    const events = own.map(({ event }) => event)
    const others = hooks.filter((hook) => hook.own === 'no')
    const [first] = own
    if (first === undefined) return { ...none, state: 'absent', problems: [] }
    const by = byUs.length > 0 ? 'enable' : 'hand'
    // Whoever sets it up by hand chooses the events.
    const missing = by === 'hand' ? [] : hooks.filter((hook) => hook.own === 'absent').map(({ event }) => event)
    const off = own.filter(({ looked }) => context.platform !== 'win32' && ((looked.present?.mode ?? 0) & 0o111) === 0)
    const problems = [
      ...outdated(
        'cline',
        byUs.map(({ looked }) => looked.present?.bytes.toString() ?? ''),
      ),
      ...(by === 'hand'
        ? []
        : others.map(({ file }) => `${file} is a different hook, so hookgate is not asked at this event`)),
      ...(missing.length > 0 ? [`not at ${missing.join(', ')}: run \`hookgate enable cline\` again`] : []),
      ...off.map(({ file }) => `${file} has no execute bit, so Cline’s extension ignores it: run \`chmod +x\` on it`),
    ]
    const isKnown = own.every(({ looked: { real, present } }) =>
      readRecord(context.places, real)?.registered.includes(sha256(present?.bytes ?? '')),
    )
    // A project's hooks came with somebody's repository: they are run only where we put them there ourselves.
    if (scope === 'project' && !isKnown) {
      return { ...none, by, events, state: 'unproved', problems: [...problems, notRun('cline')] }
    }
    const kinds = [byUs, own.filter((hook) => hook.own === 'hand')].filter((kind) => kind.length > 0)
    const canaries: Canary[] = []
    for (const kind of kinds) {
      const { file } = kind.find(({ event }) => event === 'PreToolUse') ?? kind[0] ?? first
      // oxlint-disable-next-line no-await-in-loop -- see above
      canaries.push(await canaryOf(file, context))
    }
    const state = problems.length === 0 && canaries.every(({ answered }) => answered) ? 'works' : 'broken'
    return { scope, place: folder, by, events, canaries, state, problems }
  } catch (error) {
    return { ...none, state: 'broken', problems: [errorText(error)] }
  }
}

/** As Cline's extension starts it: by a shell on Unix, by PowerShell on Windows. */
function canaryOf(file: string, context: InstallContext): Promise<Canary> {
  const { cwd, env, platform } = context
  const powershell = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', file]
  const start =
    platform === 'win32'
      ? { file: 'powershell.exe', args: powershell, cwd, env }
      : { file: '/bin/sh', args: ['-c', quotedWord(file)], cwd, env }
  return sendCanary(
    context,
    { start },
    (taskId) => ({
      clineVersion: 'hookgate',
      hookName: 'PreToolUse',
      timestamp: `${Date.now()}`,
      taskId,
      workspaceRoots: [cwd],
      userId: 'hookgate',
      preToolUse: { toolName: 'read_file', parameters: { path: '/dev/null' } },
    }),
    ({ stdout }) => {
      const answer = parseJsonObject(stdout)
      const why = answer?.['errorMessage']
      return answer?.['cancel'] === true && typeof why === 'string' ? why : undefined
    },
  )
}

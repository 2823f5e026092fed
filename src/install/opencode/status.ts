import { existsSync } from 'node:fs'
import { carries } from '../../agents/opencode/carries.ts'
import { shellCall } from '../../agents/shell-call.ts'
import { errorText } from '../../model/errors.ts'
import { askedTwice } from '../asked-twice.ts'
import type { AgentStatus, InstallContext, Canary, Scope, ScopeStatus } from '../install-context.ts'
import { sendCanary } from '../canary.ts'
import { readRecord, sha256 } from '../files/records.ts'
import { gateNotes, gateRuns } from '../gate-runs.ts'
import { hookFolderOf } from '../hook-files.ts'
import { notRun } from '../not-run.ts'
import { outdated } from '../outdated.ts'
import { toldRefusal } from '../told-refusal.ts'
import { pluginFile } from './plugin-file.ts'

export async function statusOfOpencode(context: InstallContext): Promise<AgentStatus> {
  const running = await gateRuns(context)
  // One after the other: two that start processes at once would slow each other down.
  const user = await statusIn('user', { ...context, scope: 'user' })
  const scopes = [user, await statusIn('project', { ...context, scope: 'project' })]
  return {
    agent: 'opencode',
    calls: scopes.some(({ state }) => state === 'works'),
    scopes,
    gateRuns: running,
    obstacles: [],
    notes: [...gateNotes('opencode', running, scopes), ...askedTwice(scopes)],
  }
}

async function statusIn(scope: Scope, context: InstallContext): Promise<ScopeStatus> {
  let place = ''
  try {
    const { file, looked, own } = pluginFile(context)
    place = file
    const none = { scope, place, by: undefined, events: [], canaries: [] } as const
    if (own === 'absent') return { ...none, state: 'absent', problems: [] }
    if (own === 'no') {
      return {
        ...none,
        state: 'broken',
        problems: ['it is a different plugin, so hookgate is not asked: rename it'],
      }
    }
    const bytes = looked.present?.bytes ?? Buffer.from('')
    const found = { scope, place, by: 'enable', events: Object.keys(carries) } as const
    const problems = [
      ...filesGone(bytes.toString(), context),
      ...outdated('opencode', [bytes.toString().replace('//', '#')]),
    ]
    // It is run to see whether it answers, so it has to be what was written here.
    if (readRecord(context.places, looked.real)?.registered.includes(sha256(bytes)) !== true) {
      const why = scope === 'project' ? notRun('opencode') : changed
      return { ...found, canaries: [], state: 'unproved', problems: [...problems, why] }
    }
    const canary = await canaryOf(file, context)
    const works = problems.length === 0 && canary.answered
    return { ...found, canaries: [canary], state: works ? 'works' : 'broken', problems }
  } catch (error) {
    const problems = [errorText(error)]
    return { scope, place, by: undefined, events: [], canaries: [], state: 'broken', problems }
  }
}

const changed =
  'it is not as `enable` wrote it, so it is not run to check whether it answers: run `hookgate enable opencode` again'

/** The files of hookgate's own that it starts, and that are gone. */
function filesGone(text: string, context: InstallContext): readonly string[] {
  const folder = hookFolderOf('opencode', context)
  return Object.keys(carries)
    .map((event) => `${folder}/${event}`)
    .filter((file) => text.includes(JSON.stringify(file)) && !existsSync(file))
    .map((file) => `${file} is gone: run \`hookgate enable opencode\` again`)
}

/** Loads the plugin as OpenCode does, and has it asked about a tool. */
const calling = `
import { pathToFileURL } from 'node:url'
let text = ''
for await (const chunk of process.stdin) text += chunk
const wire = JSON.parse(text)
const { Hookgate } = await import(pathToFileURL(process.argv[1]).href)
try {
  await (await Hookgate(wire))['tool.execute.before'](wire, wire)
} catch ({ message }) {
  console.log(JSON.stringify({ status: 'deny', reason: message }))
  console.error(message)
  process.exitCode = 2
}
`

function canaryOf(file: string, context: InstallContext): Promise<Canary> {
  const { cwd, env, launcher } = context
  const start = { file: launcher.node, args: ['--input-type=module', '--eval', calling, file], cwd, env }
  const told = (sessionId: string) => shellCall('opencode', 'true', cwd, sessionId)
  return sendCanary(context, { start, shown: file }, told, toldRefusal('opencode', cwd))
}

import { existsSync } from 'node:fs'
import { eventSpellings } from '../../agents/event-names.ts'
import { shellCall } from '../../agents/shell-call.ts'
import { sendCanary } from '../canary.ts'
import { readRecord, sha256 } from '../files/records.ts'
import { hookFilesOf, outdated } from '../hook-files.ts'
import { type Canary, type Inspection, type InstallContext, notRegistered } from '../install-context.ts'
import { refusalIn } from '../refusal-in.ts'
import { untriedInProject } from '../status.ts'
import { pluginFile } from './plugin-file.ts'

/** Inspects the plugin of one scope. */
export function inspectPlugin(context: InstallContext): Inspection {
  const { file, looked, own } = pluginFile(context)
  if (own === 'absent') return notRegistered
  if (own === 'no') {
    return { ...notRegistered, problems: ['it is a different plugin, so hookgate is not asked: rename it'] }
  }
  const bytes = looked.present?.bytes ?? Buffer.from('')
  const text = bytes.toString()
  // It is run to see whether it answers, so it has to be what was written here.
  const isKnown = readRecord(context.places, looked.real)?.registered.includes(sha256(bytes)) === true
  return {
    by: 'enable',
    events: eventSpellings('opencode'),
    problems: [...missingFiles(text, context), ...outdated('opencode', [text])],
    untried: isKnown ? undefined : context.scope === 'project' ? untriedInProject('opencode') : changed,
    canaries: [() => canaryFrom(file, context)],
  }
}

const changed =
  'it is not as `enable` wrote it, so it is not run to check whether it answers: run `hookgate enable opencode` again'

/** Reports the files in hookgate's own folder that the plugin starts, and that are gone. */
const missingFiles = (text: string, context: InstallContext): readonly string[] =>
  hookFilesOf('opencode', context, eventSpellings('opencode'))
    .filter((file) => text.includes(JSON.stringify(file)) && !existsSync(file))
    .map((file) => `${file} is gone: run \`hookgate enable opencode\` again`)

/** A program that loads the plugin as OpenCode does, and asks it about a tool. */
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

function canaryFrom(file: string, context: InstallContext): Promise<Canary> {
  const { cwd, env, launcher } = context
  const start = { file: launcher.node, args: ['--input-type=module', '--eval', calling, file], cwd, env }
  const eventFor = (sessionId: string) => shellCall('opencode', 'true', cwd, sessionId)
  return sendCanary(context, { start, shown: file }, eventFor, refusalIn('opencode', cwd))
}

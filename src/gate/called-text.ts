import { isAbsolute } from 'node:path'
import { descriptorOf } from '../agents/registry.ts'
import { makeDisk } from '../files/disk.ts'
import { isUnreadable } from '../model/disk.ts'
import { HookgateError } from '../model/errors.ts'
import type { HookEvent } from '../model/event.ts'
import { limits } from '../model/limits.ts'
import type { Environment } from '../model/node-environment.ts'

/**
 * Returns the event of a call that names a text with shell commands in it, such as a skill, as a call of those commands.
 *
 * @throws HookgateError `eventMalformed` if such a text cannot be read, since the agent might
 */
export function withCalledText(event: HookEvent, env: Environment, home: () => string): HookEvent {
  const { tool, session, workspaceRoots } = event
  const called = descriptorOf(event.agent)?.calledText
  if (event.name !== 'PreToolUse' || tool === undefined || called === undefined) return event
  const roots = [...new Set([session.cwd, ...workspaceRoots])].filter(isAbsolute)
  const disk = makeDisk()
  const commands = called.files(tool, { roots, home, env }).flatMap((file) => {
    if (disk.see(file) === 'absent') return []
    const bytes = disk.read(file, limits.settingsBytesMax)
    if (!isUnreadable(bytes)) return called.commands(new TextDecoder().decode(bytes), tool)
    throw new HookgateError('eventMalformed', `${file} holds commands that ${tool.name} would run: ${bytes.why}`, {
      remedy: 'make it a file that can be read',
    })
  })
  return commands.length === 0 ? event : { ...event, tool: { ...tool, kind: 'shell', command: commands.join('\n') } }
}

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/model/json.ts'
import { classicWire, extension, sdkWire, surroundings } from '../../support/cline-events.ts'
import { dialects } from '../../support/dialects.ts'
import { folderWith } from '../../support/workspace.ts'
import { missing } from '../../support/own-folder.ts'

type Variables = Readonly<Record<string, string>>

/** Returns what a Claude Code hook is told of an event of Cline. */
function transcriptPath(wire: JsonObject, env: Variables): unknown {
  const event = dialects.cline.decodeEvent(wire, { ...surroundings, env })
  return dialects['claude-code'].encodeEvent(event)[0]?.['transcript_path']
}

const call = { preToolUse: { toolName: 'read_file', parameters: { path: 'a' } } }
const ofExtension = classicWire('PreToolUse', call)
const ofExtension4 = classicWire('PreToolUse', { ...call, ...extension })
const ofSdk = sdkWire('tool_call', { tool_call: { name: 'run_commands', input: { commands: ['ls'] } } })
const inEditor = 'User/globalStorage/saoudrizwan.claude-dev/tasks/task-7/api_conversation_history.json'
const settings = process.platform === 'darwin' ? 'Library/Application Support' : '.config'

describe('a hook of Claude Code is told where Cline keeps the conversation', () => {
  it.each([
    ['the SDK and CLI 3', ofSdk, '.cline/data/sessions/1_b/1_b.messages.json'],
    ['the extension from 4.0', ofExtension4, '.cline/data/sessions/task-7/task-7.messages.json'],
    ['CLI 2', ofExtension, '.cline/data/tasks/task-7/api_conversation_history.json'],
    ['the extension in an editor', ofExtension, `${settings}/Code/${inEditor}`],
    ['the extension in an editor built on VS Code', ofExtension, `${settings}/Some Editor/${inEditor}`],
    ['the extension on a remote machine', ofExtension, `.vscode-server/data/${inEditor}`],
  ])('%s', (_, wire, name) => {
    const home = folderWith({ [name]: '[]', 'a-file-where-an-editor-could-be': '' })
    expect(transcriptPath(wire, { HOME: home })).toBe(join(home, name))
  })

  it.each([
    ['CLINE_DIR', ofSdk, 'data/sessions/1_b/1_b.messages.json'],
    ['CLINE_DATA_DIR', ofExtension, 'tasks/task-7/api_conversation_history.json'],
    ['CLINE_SESSION_DATA_DIR', ofSdk, '1_b/1_b.messages.json'],
  ])('in the folder that %s names', (variable, wire, name) => {
    const folder = folderWith({ [name]: '[]' })
    expect(transcriptPath(wire, { HOME: folderWith(), [variable]: folder })).toBe(join(folder, name))
  })
})

describe('a hook of Claude Code is told of no conversation', () => {
  it.each([
    ['a home without Cline', folderWith, ofExtension],
    ['no home', () => '', ofExtension],
    ['a home that does not exist', () => missing, ofSdk],
    ['a relative home', () => '.', ofSdk],
  ])('%s', (_, home, wire) => {
    expect(transcriptPath(wire, { HOME: home() })).toBe('')
  })

  it('a folder in its place', () => {
    const home = folderWith()
    mkdirSync(join(home, '.cline/data/sessions/1_b/1_b.messages.json'), { recursive: true })
    expect(transcriptPath(ofSdk, { HOME: home })).toBe('')
  })

  it.each(['../x', '..', '', 'a/b', 'a\0b'])('an id that is no name of a folder: %j', (id) => {
    const home = folderWith({
      '.cline/data/x.messages.json': '',
      '.cline/data/...messages.json': '',
      '.cline/data/sessions/.messages.json': '',
      '.cline/data/sessions/a/b/a/b.messages.json': '',
    })
    expect(transcriptPath({ ...ofExtension, taskId: id }, { HOME: home })).toBe('')
    expect(transcriptPath({ ...ofSdk, sessionContext: { rootSessionId: id } }, { HOME: home })).toBe('')
  })

  it.each([undefined, null, 7, {}, { rootSessionId: null }])('a session that cannot be read: %j', (context) => {
    const { sessionContext, ...rest } = ofSdk
    expect(sessionContext).toBeDefined()
    const wire = context === undefined ? rest : { ...rest, sessionContext: context }
    expect(transcriptPath(wire, { HOME: folderWith() })).toBe('')
  })
})
